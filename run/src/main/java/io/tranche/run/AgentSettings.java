package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The agent of a run and how it learns.
///
/// @param network null if there is none
/// @param policy how scores become actions, and the algorithm that improves them
/// @param teacher null for none
/// @param startsNearTwap whether the first policy is near TWAP, where its actions are shares
/// @param pretrainEpochs how many passes over the training orders the network forecasts the next
///   interval in before it learns to act
/// @param frozen beginnings of the names of weights that training does not change
public record AgentSettings(
    @Nullable Part<Network.Maker<?>> network,
    Part<AgentSpec.Maker<?>> policy,
    @Nullable Teacher teacher,
    boolean startsNearTwap,
    int pretrainEpochs,
    List<String> frozen) {

  /// The native recipe (docs/learning.md).
  public static final AgentSettings DEFAULT =
      new AgentSettings(
          Part.named("RecurrentNetwork", Map.of("hidden", 32, "output", 16)),
          Part.named("Ppo", Map.of("learning_rate", 0.001, "entropy_weight", 0.01)),
          null,
          true,
          0,
          List.of());

  public AgentSettings {
    frozen = List.copyOf(frozen);
  }

  /// @throws ConfigException if the policy cannot learn from a teacher
  void requireTeachable(AgentSpec<?> spec) {
    if (!spec.isTeachable()) {
      ConfigNode at = policy.describe();
      ConfigNode name = at.optional("class");
      throw (name == null ? at : name).wrong("a policy that can be taught, such as Ppo");
    }
  }

  /// As above, before there are data: what can be taught does not depend on how many features there
  /// are.
  void requireTeachable(ProblemSettings problem) {
    Space actions =
        problem.actionInterpreter().make(ExecutionCatalog.actionInterpreters()).actionSpace();
    requireTeachable(spec(BuildContext.of(FullHistoryInterpreter.space(1, 1, 1), actions, 1)));
  }

  /// Returns the network; null if there is none.
  ///
  /// @param <O> what the agent sees
  <O extends Observation> Network.@Nullable Factory<O> network(BuildContext context) {
    return network == null ? null : network.makeAny(PolicyCatalog.<O>networks()).make(context);
  }

  /// Returns what makes the agent, and what improves it.
  ///
  /// @param <O> what the agent sees
  <O extends Observation> AgentSpec<O> spec(BuildContext context) {
    return policy.makeAny(PolicyCatalog.<O>agents()).make(network(context), context);
  }

  public AgentSettings withNetwork(@Nullable Part<Network.Maker<?>> other) {
    return new AgentSettings(other, policy, teacher, startsNearTwap, pretrainEpochs, frozen);
  }

  public AgentSettings withPolicy(Part<AgentSpec.Maker<?>> other) {
    return new AgentSettings(network, other, teacher, startsNearTwap, pretrainEpochs, frozen);
  }

  public AgentSettings withTeacher(@Nullable Teacher other) {
    return new AgentSettings(network, policy, other, startsNearTwap, pretrainEpochs, frozen);
  }
}
