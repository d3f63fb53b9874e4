package io.tranche.examples.network;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.config.ConfigNode;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.Network;
import java.util.List;

/// Puts the network into the catalog; named in `META-INF/services`.
public final class GlanceProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            PolicyCatalog.network(),
            "Glance",
            "two layers over five numbers",
            GlanceProvider::glance));
  }

  private static Network.Factory<FullHistoryObservation> glance(ConfigNode settings) {
    settings.rejectUnknown(List.of("hidden"));
    ConfigNode hidden = settings.required("hidden");
    if (hidden.asInt() < 1) {
      throw hidden.wrong("a positive integer");
    }
    return (weights, prefix) -> new GlanceNetwork(weights, prefix, hidden.asInt());
  }
}
