package io.tranche.work.backtest;

import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.catalog.StrategySources;
import io.tranche.market.BarSource;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Network;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes the policies of strategies: rules, and networks with weights from a file.
///
/// @param warnings is told about weights that are drawn because no file is named
record WeightedPolicies(BarSource bars, Consumer<String> warnings)
    implements StrategySources.PolicyMaker {

  /// An instrument rarely has more orders on one day.
  private static final int ROWS = 4;

  @Override
  public Policy<?> make(
      ComponentSpec policy, @Nullable ConfigNode network, Space observations, Space actions) {
    if (network == null && isRule(policy.name())) {
      return ExecutionCatalog.policies(bars).withInstalled().make(policy);
    }
    var context = BuildContext.of(observations, actions, width(observations));
    return network == null
        ? trained(policy, null, context)
        : trained(policy, PolicyCatalog.network(network, context), context);
  }

  private boolean isRule(String name) {
    return ExecutionCatalog.policies(bars).withInstalled().components().stream()
        .map(Component::name)
        .anyMatch(name::equals);
  }

  /// Returns how many features a tick has; 0 if observations show no days.
  private static int width(Space observations) {
    return observations instanceof Space.Dict(var keys)
            && keys.get("data_processed") instanceof Space.Box box
        ? box.shape().getLast()
        : 0;
  }

  private <O extends Observation> Policy<O> trained(
      ComponentSpec policy, Network.@Nullable Factory<O> network, BuildContext context) {
    AgentSpec<O> spec =
        PolicyCatalog.<O>agents().withInstalled().make(policy).make(network, context);
    String file = spec.weightFile();
    if (file == null && network != null) {
      warnings.accept(
          policy.kwargs().where() + ": no weight_file, so the weights of the policy are drawn");
    }
    return new OneForEachThread<>(
        file == null
            ? spec.create(RandomTree.generator(RandomTree.root(0, "weights")))
            : spec.load(file, CheckpointFile.policyState(Path.of(file))));
  }

  /// A policy for any number of threads: each thread gets its own instance with the same weights.
  private static final class OneForEachThread<O extends Observation> implements Policy<O> {

    private final ThreadLocal<Policy<O>> policies;

    OneForEachThread(Agent<O> agent) {
      policies = ThreadLocal.withInitial(() -> agent.newPolicy(ROWS));
    }

    @Override
    public Action[] act(List<O> observations, long[] drawKeys, Mode mode) {
      return policies.get().act(observations, drawKeys, mode);
    }

    @Override
    public void expect(List<O> observations) {
      policies.get().expect(observations);
    }
  }
}
