package io.tranche.env.walk;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.env.vector.EnvSpec;
import java.util.List;

/// Puts the walk into catalogs, as a third party would.
public final class WalkProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(EnvSpec.kind(), WalkSpec.NAME, "A walk to a target", WalkSpec::from));
  }
}
