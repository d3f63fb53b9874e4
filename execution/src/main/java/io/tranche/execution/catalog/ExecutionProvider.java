package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.env.vector.EnvSpec;
import java.util.List;

/// Puts the order-execution problem where child processes, which know nothing but names, find it.
public final class ExecutionProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            EnvSpec.kind(),
            OrderExecutionSpec.NAME,
            "one order over one day: ticks, simulator, interpreters and a reward by name",
            OrderExecutionSpec::from));
  }
}
