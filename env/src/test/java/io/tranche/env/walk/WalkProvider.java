package io.tranche.env.accumulate;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.env.vector.EnvSpec;
import java.util.List;

/// Puts the walk into catalogs, as a third party would.
public final class AccumulateProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            EnvSpec.kind(), AccumulateSpec.NAME, "A walk to a target", AccumulateSpec::from));
  }
}
