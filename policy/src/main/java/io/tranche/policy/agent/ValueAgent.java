package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A network that outputs the values of actions; the action with the highest value is chosen. The
/// weights have Qlib's names.
public final class ValueAgent<O extends Observation> implements Agent<O> {

  /// Prefix of the names of the weights.
  public static final String PREFIX = "model.";

  private static final String UPDATES = "updates";
  private static final String STEPS = "steps";

  private final Model<O> model;
  private final @Nullable Model<O> target;
  private final ActionValues values;
  private final Exploration exploration;
  private long updates;
  private long steps;

  private ValueAgent(
      Network.Factory<O> network, ActionValues values, boolean hasTarget, Exploration exploration) {
    this.values = values;
    this.exploration = exploration;
    this.model = model(network, values);
    this.target = hasTarget ? model(network, values) : null;
  }

  private static <O extends Observation> Model<O> model(
      Network.Factory<O> network, ActionValues values) {
    return new Model<>(
        network,
        PREFIX + "extractor.",
        List.of(new Model.Head(PREFIX + "layer_out.0", values.width())));
  }

  /// Makes an agent with random weights.
  ///
  /// @param values reads the outputs
  /// @param hasTarget whether a second network, initially a copy, estimates the targets
  /// @param exploration how often a policy tries other actions in training
  public static <O extends Observation> ValueAgent<O> create(
      Network.Factory<O> network,
      ActionValues values,
      boolean hasTarget,
      Exploration exploration,
      RandomGenerator random) {
    var agent = new ValueAgent<>(network, values, hasTarget, exploration);
    agent.model.initialise(random);
    if (agent.target != null) {
      agent.target.weights().copyFrom(agent.model.weights());
    }
    return agent;
  }

  /// Makes an agent with the given weights.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  public static <O extends Observation> ValueAgent<O> load(
      Network.Factory<O> network,
      ActionValues values,
      boolean hasTarget,
      Exploration exploration,
      String where,
      StateDict weights) {
    var agent = new ValueAgent<>(network, values, hasTarget, exploration);
    agent.weights().load(where, weights);
    return agent;
  }

  /// Returns the network that chooses actions.
  public Model<O> model() {
    return model;
  }

  /// Returns the target network, with the same parameter names; null if [#model] estimates targets
  /// itself.
  public @Nullable Model<O> target() {
    return target;
  }

  public ActionValues values() {
    return values;
  }

  @Override
  public PolicyWeights weights() {
    return target == null
        ? PolicyWeights.dqn(model.weights())
        : PolicyWeights.dqn(model.weights(), target.weights());
  }

  /// Returns the current probability of trying another action.
  public double epsilon() {
    return exploration.at(
        switch (exploration.clock()) {
          case UPDATES -> updates;
          case STEPS -> steps;
        });
  }

  /// Counts a minibatch, by which exploration decays.
  public void countStep() {
    steps++;
  }

  /// Counts an update, by which exploration decays.
  public void countUpdate() {
    updates++;
  }

  /// Returns the number of minibatches learnt from so far.
  public long steps() {
    return steps;
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return new ValuePolicy<>(model, values, this::epsilon, maxRows);
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    return new LivePolicy(model, values.choices(), maxRows, scoring());
  }

  @Override
  public Scores<O> newScores(int maxRows) {
    return new Scores<>(model, values.choices(), maxRows, scoring());
  }

  private Scores.Scoring scoring() {
    return (count, outputs, scores) -> {
      values.read(count, outputs);
      for (int row = 0; row < count; row++) {
        values.score(outputs.data(), outputs.offset(row), scores, row * values.choices());
      }
    };
  }

  @Override
  public Map<String, Double> actingState() {
    return Map.of(UPDATES, (double) updates, STEPS, (double) steps);
  }

  @Override
  public void restoreActing(Map<String, Double> state) {
    updates = number(state, UPDATES);
    steps = number(state, STEPS);
  }

  private static long number(Map<String, Double> state, String name) {
    Double found = state.get(name);
    if (found == null) {
      throw new IllegalArgumentException("state must have " + name + ", was without it");
    }
    return found.longValue();
  }
}
