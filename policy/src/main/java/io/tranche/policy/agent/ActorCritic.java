package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.tensor.Softmax;
import java.util.List;
import java.util.random.RandomGenerator;

/// An actor, which outputs the probabilities of actions, and a critic, which outputs the value of a
/// state, on one network. The weights have Qlib's names.
public final class ActorCritic<O extends Observation> implements Agent<O> {

  /// The name of the actor's last layer, without `.weight` and `.bias`.
  public static final String ACTOR = "actor.layer_out.0";

  private final Model<O> model;
  private final boolean deterministicEvaluation;

  private ActorCritic(Network.Factory<O> network, int choices, boolean deterministicEvaluation) {
    this.model =
        new Model<>(
            network,
            "actor.extractor.",
            List.of(new Model.Head(ACTOR, choices), new Model.Head("critic.value_out", 1)));
    this.deterministicEvaluation = deterministicEvaluation;
  }

  /// Makes an agent with random weights. Evaluation takes the likeliest action.
  ///
  /// @param choices number of actions
  public static <O extends Observation> ActorCritic<O> create(
      Network.Factory<O> network, int choices, RandomGenerator random) {
    return create(network, choices, true, random);
  }

  /// Makes an agent with random weights.
  ///
  /// @param deterministicEvaluation whether evaluation takes the likeliest action instead of
  ///   drawing
  public static <O extends Observation> ActorCritic<O> create(
      Network.Factory<O> network,
      int choices,
      boolean deterministicEvaluation,
      RandomGenerator random) {
    var agent = new ActorCritic<>(network, choices, deterministicEvaluation);
    agent.model.initialise(random);
    return agent;
  }

  /// Makes an agent with the given weights.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  public static <O extends Observation> ActorCritic<O> load(
      Network.Factory<O> network,
      int choices,
      boolean deterministicEvaluation,
      String where,
      StateDict weights) {
    var agent = new ActorCritic<>(network, choices, deterministicEvaluation);
    agent.weights().load(where, weights);
    return agent;
  }

  public Model<O> model() {
    return model;
  }

  /// Returns the number of actions.
  public int choices() {
    return model.width(0);
  }

  @Override
  public PolicyWeights weights() {
    return PolicyWeights.ppo(model.weights());
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return new CategoricalPolicy<>(model, maxRows, deterministicEvaluation);
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    return new LivePolicy(model, choices(), maxRows, scoring());
  }

  @Override
  public Scores<O> newScores(int maxRows) {
    return new Scores<>(model, choices(), maxRows, scoring());
  }

  private Scores.Scoring scoring() {
    int choices = choices();
    return (count, outputs, scores) -> {
      Softmax.forward(count, choices, outputs);
      for (int row = 0; row < count; row++) {
        System.arraycopy(outputs.data(), outputs.offset(row), scores, row * choices, choices);
      }
    };
  }
}
