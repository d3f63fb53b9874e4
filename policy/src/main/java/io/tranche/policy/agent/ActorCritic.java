package io.tranche.policy.agent;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// An actor, which outputs the parameters of a distribution of actions, and a critic, which outputs
/// the value of a state, on one network. Algorithms with critics of their own leave the critic out.
/// The weights have Qlib's names.
public final class ActorCritic<O extends Observation> implements Agent<O> {

  /// The name of the actor's last layer, without `.weight` and `.bias`.
  public static final String ACTOR = "actor.layer_out.0";

  private final Model<O> model;
  private final ActionDistribution actions;
  private final boolean deterministicEvaluation;

  private ActorCritic(
      Network.Factory<O> network,
      ActionDistribution actions,
      boolean hasCritic,
      boolean deterministicEvaluation) {
    var heads = new ArrayList<Model.Head>();
    heads.add(new Model.Head(ACTOR, actions.outputs()));
    if (hasCritic) {
      heads.add(new Model.Head("critic.value_out", 1));
    }
    this.model = new Model<>(network, "actor.extractor.", heads);
    this.actions = actions;
    this.deterministicEvaluation = deterministicEvaluation;
  }

  /// Makes an agent with random weights. Evaluation takes the likeliest action.
  ///
  /// @param choices number of actions
  public static <O extends Observation> ActorCritic<O> create(
      Network.Factory<O> network, int choices, RandomGenerator random) {
    return create(network, new Categorical(choices), true, random);
  }

  /// Makes an agent with random weights.
  ///
  /// @param deterministicEvaluation whether evaluation takes the best action instead of drawing
  public static <O extends Observation> ActorCritic<O> create(
      Network.Factory<O> network,
      ActionDistribution actions,
      boolean deterministicEvaluation,
      RandomGenerator random) {
    return initialised(new ActorCritic<>(network, actions, true, deterministicEvaluation), random);
  }

  /// Makes an agent with random weights and without a critic.
  public static <O extends Observation> ActorCritic<O> createActor(
      Network.Factory<O> network, ActionDistribution actions, RandomGenerator random) {
    return initialised(new ActorCritic<>(network, actions, false, true), random);
  }

  private static <O extends Observation> ActorCritic<O> initialised(
      ActorCritic<O> agent, RandomGenerator random) {
    agent.model.initialise(random);
    return agent;
  }

  /// Makes an agent with the given weights.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  public static <O extends Observation> ActorCritic<O> load(
      Network.Factory<O> network,
      ActionDistribution actions,
      boolean deterministicEvaluation,
      String where,
      StateDict weights) {
    return loaded(
        new ActorCritic<>(network, actions, true, deterministicEvaluation), where, weights);
  }

  /// Makes an agent with the given weights and without a critic.
  ///
  /// @param where the name of the weights in error messages
  /// @throws io.tranche.policy.weights.CheckpointException if they belong to another model
  public static <O extends Observation> ActorCritic<O> loadActor(
      Network.Factory<O> network, ActionDistribution actions, String where, StateDict weights) {
    return loaded(new ActorCritic<>(network, actions, false, true), where, weights);
  }

  private static <O extends Observation> ActorCritic<O> loaded(
      ActorCritic<O> agent, String where, StateDict weights) {
    Tensor bias = weights.tensor(ACTOR + ".bias");
    int outputs = agent.actions.outputs();
    if (bias != null && !bias.shape().equals(List.of(outputs))) {
      throw new CheckpointException(
          where,
          "an actor with %d outputs, for %s".formatted(outputs, agent.actions),
          "one for other actions, with %s outputs: the action interpreter or the head has changed"
              .formatted(bias.shape().getFirst()));
    }
    agent.weights().load(where, weights);
    return agent;
  }

  public Model<O> model() {
    return model;
  }

  /// Returns the distribution of the actor's actions.
  public ActionDistribution actions() {
    return actions;
  }

  @Override
  public PolicyWeights weights() {
    return PolicyWeights.ppo(model.weights());
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    return new ActorPolicy<>(model, actions, maxRows, deterministicEvaluation);
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    return new LivePolicy(model, actions.scores(), maxRows, scoring());
  }

  @Override
  public Scores<O> newScores(int maxRows) {
    return new Scores<>(model, actions.scores(), maxRows, scoring());
  }

  private Scores.Scoring scoring() {
    int width = actions.scores();
    return (count, outputs, scores) -> {
      actions.read(count, outputs);
      for (int row = 0; row < count; row++) {
        actions.score(outputs.data(), outputs.offset(row), scores, row * width);
      }
    };
  }
}
