package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The model of [LiveModel] as files for both sides: a bundle, and weights for torch.
final class ServedBundle {

  /// Weights are drawn so large that choices differ.
  private static final float SCALE = 2.5f;

  final LoadedModel loaded;

  /// The names of the bars' fields.
  final List<String> fields;

  /// Of a day, one row per tick.
  final float[][] bars;

  final Path bundle;

  /// Qlib's weights in a file for torch.
  final Path weights;

  /// Writes the files.
  ServedBundle(Path folder) throws IOException {
    LiveModel model = LiveModel.given();
    ModelSpec spec = model.spec();
    StateDict scaled = scaled(model.weights());
    loaded = LoadedModel.of(spec, List.of(scaled));
    fields = spec.features().fields();
    bars = model.drawBars();
    bundle =
        Files.createDirectories(folder.resolve("models")).resolve("load@1" + BundleFile.SUFFIX);
    weights = folder.resolve("weights.pth");
    var sources = List.of(new Lineage.Source("drawn", "00".repeat(32), null));
    var lineage = new Lineage(null, null, null, null, null, sources, null, null);
    BundleFile.write(
        bundle, new ModelBundle(spec, List.of(scaled), lineage, Map.of(), Precision.FLOAT32, null));
    TorchFile.write(weights, scaled);
  }

  private static StateDict scaled(StateDict weights) {
    var tensors = new LinkedHashMap<String, Tensor>();
    weights
        .tensors()
        .forEach(
            (name, tensor) -> {
              float[] values = tensor.toArray();
              for (int i = 0; i < values.length; i++) {
                values[i] *= SCALE;
              }
              tensors.put(name, Tensor.of(tensor.shape(), values));
            });
    return new StateDict(tensors);
  }
}
