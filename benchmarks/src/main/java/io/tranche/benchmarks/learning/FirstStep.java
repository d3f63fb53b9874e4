package io.tranche.benchmarks.learning;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.execution.catalog.ExecutionCatalog;
import java.util.List;

/// A reward that prints when an environment has taken its first step, so that the start of a run
/// can be seen from outside.
public final class FirstStep implements ComponentProvider {

  static final String NAME = "FirstStep";

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            ExecutionCatalog.REWARD,
            NAME,
            "0; prints a line at the first step",
            _ ->
                (_, _) -> {
                  System.out.println(NAME);
                  return 0;
                }));
  }
}
