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

/// A network that gives the values of actions, of which the highest is chosen. The names of the
/// weights are Qlib's.
public final class ValueAgent<O extends Observation> implements Agent<O> {

  /// How the names of the weights begin.
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

  /// Draws all weights.
  ///
  /// @param values how the outputs are read
  /// @param hasTarget whether a second network, a copy at first, estimates what is learnt
  /// @param exploration how often a policy tries another action while it trains
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

  /// Takes all weights from `weights`.
  ///
  /// @param where what to call the weights in errors
  /// @throws io.tranche.policy.weights.CheckpointException if they are those of another model
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

  /// Returns the network that chooses.
  public Model<O> model() {
    return model;
  }

  /// Returns the network that targets are estimated with, under the same names; null if it is the
  /// one that chooses.
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

  /// Returns the probability of trying another action, as it is now.
  public double epsilon() {
    return exploration.at(
        switch (exploration.clock()) {
          case UPDATES -> updates;
          case STEPS -> steps;
        });
  }

  /// Lets exploration fade by another minibatch.
  public void countStep() {
    steps++;
  }

  /// Lets exploration fade by another update.
  public void countUpdate() {
    updates++;
  }

  /// Returns how many minibatches were learnt from.
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
      throw new IllegalArgumentException("state must have " + name + ", was without");
    }
    return found.longValue();
  }
}
