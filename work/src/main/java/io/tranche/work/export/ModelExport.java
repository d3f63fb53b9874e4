package io.tranche.work.export;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.run.RunFolder;
import io.tranche.run.RunListener;
import io.tranche.runtime.Lineage;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.ModelSpec.Combination;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Makes a model bundle from checkpoints.
///
/// @param config the file with their training configuration; null if they hold it themselves
/// @param combination how several checkpoints decide together
/// @param version of Tranche; null if unknown
/// @param commit of Tranche; null if unknown
/// @param features a feature store that knows how the features are made; null to use the
///   configuration
/// @param listener is told what data are being made
/// @param warnings receives one line for each thing that is ignored
public record ModelExport(
    @Nullable Path config,
    Combination combination,
    @Nullable String version,
    @Nullable String commit,
    @Nullable Path features,
    RunListener listener,
    Consumer<String> warnings) {

  /// Reads everything that decisions depend on, and checks the weights against it. Closing the
  /// model deletes the data that were made for it.
  ///
  /// @throws ConfigException if the configuration is missing, wrong, of a teacher, or of a policy
  ///   without weights
  /// @throws DataException if the data are missing, or their days differ
  /// @throws CheckpointException if a checkpoint is damaged, or of another model
  public OpenedModel open(ExportInput input) {
    if (input.checkpoints().size() > ModelBundle.MAX_MEMBERS) {
      throw new ConfigException(
          "CKPT",
          "at most %d checkpoints".formatted(ModelBundle.MAX_MEMBERS),
          input.checkpoints().size());
    }
    ExportInput.Trained trained = input.trained(config, warnings);
    Path run = input.run();
    if (run != null) {
      return open(input, trained, run, null);
    }
    // Data that the run had made for itself are made again in a temporary folder.
    Path folder = temporary();
    try {
      return open(input, trained, folder, folder);
    } catch (RuntimeException e) {
      OpenedModel.delete(folder);
      throw e;
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("tranche-export");
    } catch (IOException e) {
      throw new DataException(
          "the temporary folder", "a place that can be written", e.getMessage());
    }
  }

  private OpenedModel open(
      ExportInput input, ExportInput.Trained trained, Path run, @Nullable Path made) {
    TrainedModel model =
        new TrainedModels(new RunFolder(run), listener, features).of(trained, combination);
    try {
      return new OpenedModel(bundle(input, trained.sha256(), model), model.parts(), made);
    } catch (RuntimeException e) {
      model.close();
      throw e;
    }
  }

  private ModelBundle bundle(ExportInput input, String configSha256, TrainedModel model) {
    var members = new ArrayList<StateDict>();
    var sources = new ArrayList<Lineage.Source>();
    Map<String, Double> metrics = new LinkedHashMap<>();
    for (Path file : input.checkpoints()) {
      Checkpoint checkpoint = CheckpointFile.isArchive(file) ? CheckpointFile.read(file) : null;
      if (checkpoint != null && members.isEmpty()) {
        checkpoint
            .metrics()
            .forEach(
                (name, value) -> {
                  if (name.startsWith("val/")) {
                    metrics.put(name, value);
                  }
                });
      }
      members.add(weights(model.spec(), file));
      sources.add(
          new Lineage.Source(
              file.getFileName().toString(),
              Sha256.of(bytes(file)),
              checkpoint == null ? null : checkpoint.position().iterations()));
    }
    var lineage =
        new Lineage(
            configSha256,
            model.ordersSha256(),
            model.dataSha256(),
            version,
            commit,
            sources,
            model.firstDay(),
            model.lastDay());
    var _ = LoadedModel.of(model.spec(), members); // what cannot decide live is refused here
    return new ModelBundle(model.spec().withGuard(input.guard()), members, lineage, metrics);
  }

  /// Returns the weights alone, in Qlib's layout, without reading any data.
  ///
  /// @throws ConfigException if there are several checkpoints, or the checkpoint is a teacher's
  /// @throws CheckpointException if the checkpoint is damaged or has no weights
  public StateDict weights(ExportInput input) {
    Path file = input.checkpoints().getFirst();
    if (input.checkpoints().size() > 1) {
      throw new ConfigException(
          "CKPT", "one checkpoint; only a bundle holds several", input.checkpoints().size());
    }
    if (CheckpointFile.isArchive(file)) {
      input.trained().run().rejectHindsight("an export");
    }
    StateDict weights = CheckpointFile.policyState(file);
    if (weights.tensors().isEmpty()) {
      throw new CheckpointException(file.toString(), "a policy with weights", "one without");
    }
    return weights;
  }

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Returns the weights under all their keys, which do not depend on the kind of file.
  private static StateDict weights(ModelSpec spec, Path file) {
    return spec.agent(
            ExecutionCatalog.actionInterpreters()
                .withInstalled()
                .make(ComponentSpec.from(spec.actions()))
                .actionSpace())
        .load(file.toString(), CheckpointFile.policyState(file))
        .weights()
        .stateDict();
  }
}
