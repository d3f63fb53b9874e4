package io.tranche.onnx;

import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import java.nio.file.Path;
import java.util.List;

/// The policy `Onnx`. Named in `META-INF/services`.
public final class OnnxProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            PolicyCatalog.agent(),
            "Onnx",
            "an ONNX graph that was made elsewhere; it does not learn",
            OnnxProvider::<Observation>graph));
  }

  private static <O extends Observation> AgentSpec.Maker<O> graph(ConfigNode settings) {
    settings.rejectUnknown(List.of("path"));
    Path path = settings.required("path").asPath(Path.of(""));
    return (_, context) -> new OnnxSpec<>(path, context);
  }
}
