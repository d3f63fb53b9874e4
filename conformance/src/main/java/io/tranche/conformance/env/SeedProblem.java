package io.tranche.conformance.env;

import io.tranche.conformance.golden.ToyInterpreters.Chosen;
import io.tranche.conformance.golden.ToyInterpreters.Seen;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The problem of the `finite_env` cases: the seed of an episode gives its length.
final class SeedProblem {

  /// Where an episode begins.
  record Seed(int id, int length) {
    static Seed from(JsonNode pair) {
      return new Seed(pair.get(0).asInt(), pair.get(1).asInt());
    }
  }

  /// The state of the simulator and the observation.
  record Count(int id, int step) implements Observation {
    @Override
    public Value toValue() {
      return new Value.Floats(ElementType.FLOAT32, List.of(2), id, step);
    }
  }

  static final Action ONE = new Action.Discrete(1);

  private static final Space SPACE =
      new Space.Box(
          ElementType.FLOAT32, List.of(2), Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

  /// The initial states of the case without seeds.
  private static final Seed FIXED = new Seed(3, 1);

  private SeedProblem() {}

  static Problem<Seed, Count, Integer, Count> of(boolean withReward) {
    return new Problem<>(
        Counter::new,
        new Seen<>(SPACE),
        new Chosen<>(),
        withReward ? (count, _) -> count.id() + count.step() / 4.0 : null);
  }

  static Problem<@Nullable Void, Count, Integer, Count> withoutSeeds() {
    return new Problem<>(
        (_, context) -> new Counter(FIXED, context), new Seen<>(SPACE), new Chosen<>(), null);
  }

  private static final class Counter implements Simulator<Count, Integer> {
    private final Seed seed;
    private final EnvContext context;
    private int steps;

    Counter(Seed seed, EnvContext context) {
      this.seed = seed;
      this.context = context;
    }

    @Override
    public Count state() {
      return new Count(seed.id(), steps);
    }

    @Override
    public boolean isDone() {
      return steps >= seed.length();
    }

    @Override
    public void step(Integer action) {
      steps += action;
      if (isDone()) {
        context.log().scalar("seed_id", seed.id());
      }
    }
  }
}
