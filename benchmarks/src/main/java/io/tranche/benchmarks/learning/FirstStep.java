package io.tranche.benchmarks.learning;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.execution.catalog.ExecutionCatalog;
import java.util.List;

/// A reward that says when an environment has taken a step: how one sees from outside that a run
/// has begun.
public final class FirstStep implements ComponentProvider {

  static final String NAME = "FirstStep";

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            ExecutionCatalog.REWARD,
            NAME,
            "nothing, said aloud",
            _ ->
                (_, _) -> {
                  System.out.println(NAME);
                  return 0;
                }));
  }
}
