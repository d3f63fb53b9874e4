package io.tranche.examples.problem;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.env.vector.EnvSpec;
import java.util.List;

/// Puts the problem into the catalog; named in `META-INF/services`.
public final class AccumulationProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            EnvSpec.kind(),
            AccumulationSpec.NAME,
            "accumulate to a target",
            AccumulationSpec::from));
  }
}
