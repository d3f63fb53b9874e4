package io.tranche.examples.network;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.config.ConfigNode;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import io.tranche.tensor.layer.Layer;
import java.util.List;

/// A network, `Glance`: two layers over what remains, the time, the side, and the first feature now
/// and at the open; and a layer, `Gain`. Named in `META-INF/services`.
public final class GlanceProvider implements ComponentProvider {

  private static final int INPUTS = 5;

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            PolicyCatalog.network(),
            "Glance",
            "two layers over five numbers",
            GlanceProvider::glance),
        Component.of(
            Layer.Factory.class,
            "Gain",
            "each number times a learned one",
            settings -> {
              settings.rejectUnknown(List.of());
              return Gain::create;
            }));
  }

  private static Network.Maker<FullHistoryObservation> glance(ConfigNode settings) {
    settings.rejectUnknown(List.of("hidden"));
    ConfigNode hidden = settings.required("hidden");
    if (hidden.asInt() < 1) {
      throw hidden.wrong("a positive integer");
    }
    int width = hidden.asInt();
    return _ -> Mlp.factory(GlanceProvider::write, INPUTS, width, width);
  }

  private static void write(FullHistoryObservation seen, float[] data, int at) {
    int visible = seen.visibleTicks();
    data[at] = seen.remaining() / seen.target();
    data[at + 1] = (float) seen.step() / seen.maxSteps();
    data[at + 2] = seen.side().sign();
    data[at + 3] = visible == 0 ? 0 : seen.today(visible - 1, 0);
    data[at + 4] = seen.today(0, 0);
  }
}
