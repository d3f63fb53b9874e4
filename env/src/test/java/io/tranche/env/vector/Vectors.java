package io.tranche.env.vector;

import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.Action;
import io.tranche.env.Policy;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.WalkProvider;
import io.tranche.env.walk.WalkSpec;
import io.tranche.env.walk.Walkers;
import io.tranche.testkit.TestProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

/// Vectors of walks of every kind.
final class Vectors {

  private Vectors() {}

  static List<Start> starts(int count) {
    return IntStream.range(0, count).mapToObj(i -> new Start(i % 2 == 0 ? i + 1 : -i - 1)).toList();
  }

  static ConfigNode config(String mischief, int at) {
    return ConfigFiles.parse(
        "test", "class: TargetWalk\nkwargs: {mischief: %s, at: %d}".formatted(mischief, at));
  }

  /// @param kind `dummy`, `shmem-THREADS` or `subproc`
  static FiniteVectorEnv<Start, Seen> make(
      String kind, ConfigNode component, Iterator<Start> starts, VectorConfig config) {
    var spec =
        (WalkSpec)
            Catalog.of(EnvSpec.kind(), List.of())
                .with(List.of(new WalkProvider()))
                .make(ComponentSpec.from(component));
    return switch (kind) {
      case "dummy" -> FiniteVectorEnv.dummy(spec.problem(), starts, config, List.of());
      case "subproc" ->
          FiniteVectorEnv.subproc(spec, component, starts, config, List.of(), children());
      default ->
          FiniteVectorEnv.shmem(
              spec.problem(),
              starts,
              config,
              List.of(),
              Integer.parseInt(kind.substring(kind.indexOf('-') + 1)));
    };
  }

  /// Returns how to start children that know the tests' classes, however the tests themselves run.
  static ChildConfig children() {
    return ChildConfig.of(TestProcess.command("env", ChildMain.class))
        .withDeadlines(Duration.ofMinutes(2), Duration.ofSeconds(60));
  }

  /// A step, as a line of text.
  record Line(long episode, int step, String text) {}

  /// Lets a staggering policy walk until the starts run out and returns every step, by episode.
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
      public void transition(
          int env,
          long episode,
          int step,
          Seen observation,
          Action action,
          double reward,
          boolean done,
          Seen next,
          long drawKey) {
        lines.add(
            new Line(
                episode,
                step,
                "%s %s %s %s %s %x".formatted(observation, action, reward, done, next, drawKey)));
      }

      @Override
      public void abandoned(int env, long episode) {
        lines.removeIf(line -> line.episode() == episode);
      }
    };
  }
}
