package io.tranche.examples.problem;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.trainer.ProblemRun;
import java.util.List;

/// The problem by its name, for Python. Named in `META-INF/services`.
public final class AccumulationProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            ProblemRun.class,
            "Accumulation",
            "add up to a target",
            settings -> {
              settings.rejectUnknown(List.of());
              return ProblemRun.of(Accumulation.problem(), Accumulation.TARGETS);
            }));
  }
}
