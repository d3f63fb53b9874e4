package io.tranche.work.gym;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.RuleSpec;
import java.util.List;

/// The policy `Callable`. Named in `META-INF/services`.
public final class CallableProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            PolicyCatalog.agent(),
            "Callable",
            "a function of the Python program that runs the verb; it does not learn",
            CallableProvider::<Observation>called));
  }

  private static <O extends Observation> AgentSpec.Maker<O> called(ConfigNode settings) {
    settings.rejectUnknown(List.of("flat"));
    boolean flat = settings.booleanOr("flat", true);
    return (_, context) -> new RuleSpec<>(new CalledPolicy<>(context, flat));
  }
}
