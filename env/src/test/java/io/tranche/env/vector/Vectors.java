package io.tranche.env.vector;

import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.walk.TargetWalk;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.TargetWalk.State;
import io.tranche.env.walk.Walkers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/// Vectors of walks.
final class Vectors {

  private Vectors() {}

  static List<Start> starts(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Start(i % 2 == 0 ? i + 1 : -i - 1)).toList();
  }

  /// Returns walks that throw in step 2 on the way to `target`.
  static Problem<Start, State, Integer, Seen> trippingAt(int target) {
    return TargetWalk.problem(
        state -> {
          if (state.target() == target && state.step() == 2) {
            throw new ArithmeticException("tripped at " + state);
          }
        });
  }

  static FiniteVectorEnv<Start, Seen> make(
      int threads,
      Problem<Start, State, Integer, Seen> problem,
      Iterator<Start> starts,
      VectorConfig config) {
    return new FiniteVectorEnv<>(problem, starts, config, List.of(), threads);
  }

  /// A step, as a line of text.
  record Line(long episode, int step, String text) {}

  /// Runs a random policy until the initial states run out and returns every step, by episode.
  static List<Line> trajectories(FiniteVectorEnv<Start, Seen> environments, long seed) {
    var lines = new ArrayList<Line>();
    environments.guarded(
        () ->
            new Collector<>(
                    Walkers.DRUNK,
                    Policy.Mode.TRAIN,
                    environments,
                    listener(lines),
                    Collector.Resets.NEEDED,
                    seed,
                    0)
                .collectAll());
    lines.sort(Comparator.comparingLong(Line::episode).thenComparingInt(Line::step));
    return lines;
  }

  static TrajectoryListener<Seen> listener(List<Line> lines) {
    return new TrajectoryListener<>() {
      @Override
      public void step(Transition<Seen> step) {
        lines.add(
            new Line(
                step.episode(),
                step.step(),
                "%s %s %s %s %s %x"
                    .formatted(
                        step.observation(),
                        step.action(),
                        step.reward(),
                        step.done(),
                        step.next(),
                        step.drawKey())));
      }

      @Override
      public void abandoned(int env, long episode) {
        lines.removeIf(line -> line.episode() == episode);
      }
    };
  }
}
