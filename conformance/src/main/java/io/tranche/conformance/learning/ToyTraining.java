package io.tranche.conformance.learning;

import io.tranche.conformance.golden.ToyInterpreters.Chosen;
import io.tranche.conformance.golden.ToyInterpreters.Seen;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.AlgorithmState;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.weights.KeyMap;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.tensor.Weights;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.checkpoint.Stage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The problem of the `trainer` cases, where a script gives the reward and length of each episode,
/// and an algorithm whose one weight counts its updates.
final class ToyTraining {

  /// The observation.
  record Nothing() implements Observation {
    @Override
    public Value toValue() {
      return new Value.Floats(ElementType.FLOAT32, List.of(1), 0);
    }
  }

  private final JsonNode script;
  private final boolean hasPartialMetric;
  private final Supplier<Trainer> trainer;

  /// How many episodes began, by stage and iteration, such as `train/0`.
  final Map<String, Integer> started = new TreeMap<>();

  ToyTraining(JsonNode input, Supplier<Trainer> trainer) {
    this.script = input.get("script");
    this.hasPartialMetric = input.get("partial_metric").booleanValue();
    this.trainer = trainer;
  }

  Problem<Integer, Nothing, Integer, Nothing> problem() {
    var space = new Space.Box(ElementType.FLOAT32, List.of(1), -1, 1);
    return new Problem<>(this::begin, new Seen<>(space), new Chosen<>(), (_, _) -> worth());
  }

  private JsonNode entry() {
    JsonNode entries = script.get(trainer.get().stage().qlibName());
    return entries.get((int) Math.min(trainer.get().iterations(), entries.size() - 1));
  }

  private double worth() {
    return entry().get(0).doubleValue() / entry().get(1).intValue();
  }

  private Simulator<Nothing, Integer> begin(int seed, EnvContext context) {
    Stage stage = trainer.get().stage();
    started.merge(stage.qlibName() + "/" + trainer.get().iterations(), 1, Integer::sum);
    double value = entry().get(0).doubleValue();
    int length = entry().get(1).intValue();
    return new Simulator<>() {
      private int steps;

      @Override
      public Nothing state() {
        return new Nothing();
      }

      @Override
      public boolean isDone() {
        return steps >= length;
      }

      @Override
      public void step(Integer action) {
        steps++;
        if (isDone()) {
          context.log().scalar("final", 2 * value);
          if (hasPartialMetric && stage == Stage.VALIDATE && seed % 2 == 0) {
            context.log().scalar("even_only", 8);
          }
        }
      }
    };
  }

  /// One weight, `w`, that every update raises by one.
  static final class Counting implements Algorithm<Nothing>, Agent<Nothing> {
    private final Weights weights = new Weights();

    /// How many steps each update learnt from.
    final List<Integer> updates = new ArrayList<>();

    @Nullable UpdateSettings lastSettings;
    Policy.Mode lastMode = Policy.Mode.TRAIN;

    Counting() {
      weights.vector("w", 1);
    }

    double weight() {
      return weights.values()[0];
    }

    @Override
    public Agent<Nothing> agent() {
      return this;
    }

    @Override
    public PolicyWeights weights() {
      return new PolicyWeights(List.of(new PolicyWeights.Part(weights, KeyMap.OWN)));
    }

    @Override
    public Policy<Nothing> newPolicy(int maxRows) {
      return (observations, _, mode) -> {
        lastMode = mode;
        var actions = new Action[observations.size()];
        Arrays.fill(actions, new Action.Discrete(0));
        return actions;
      };
    }

    @Override
    public boolean isOffPolicy() {
      return false;
    }

    @Override
    public UpdateReport update(Transitions<Nothing> steps, UpdateSettings settings, long key) {
      updates.add(steps.size());
      lastSettings = settings;
      weights.values()[0]++;
      weights.changed();
      return new UpdateReport(Map.of("loss", List.of(0.0)));
    }

    @Override
    public AlgorithmState state() {
      return new AlgorithmState(new StateDict(Map.of()), Map.of());
    }

    @Override
    public void restore(AlgorithmState state) {}
  }
}
