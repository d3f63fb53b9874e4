package io.tranche.experiment;

import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.vector.OnFailure;
import io.tranche.trainer.EarlyStoppingConfig;
import io.tranche.trainer.VesselConfig;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A training run as a configuration describes it, in Qlib's dialect or in our own.
///
/// @param isQlib whether it is Qlib's: its names, its habits, its files beside ours
/// @param resolved the configuration with its defaults written out
/// @param network null if there is none
/// @param threads null for as many as there are cores
/// @param folder the run directory that is asked for, or null
/// @param judges whether each validation also holds the policy against TWAP and constant actions
/// @param startsNearTwap whether the first policy is near TWAP, where its actions are shares
/// @param checkpointEvery how many iterations lie between two checkpoints; null for none
/// @param monitor the metric by which validations are compared
/// @param keepBest how many of the best checkpoints are kept besides
public record RunConfig(
    boolean isQlib,
    ConfigNode resolved,
    RunData.Source data,
    @Nullable ConfigNode network,
    ConfigNode policy,
    ParallelMode mode,
    int concurrency,
    @Nullable Integer threads,
    long seed,
    @Nullable Integer maxIterations,
    @Nullable Integer validateEvery,
    boolean judges,
    boolean startsNearTwap,
    @Nullable Integer fastDevRun,
    OnFailure onFailure,
    VesselConfig vessel,
    @Nullable Path folder,
    @Nullable Integer checkpointEvery,
    @Nullable EarlyStoppingConfig earlyStopping,
    String monitor,
    int keepBest) {

  /// The key that marks our own dialect; its value is the version.
  static final String MARK = "tranche";

  /// Reads a configuration of either dialect.
  ///
  /// @param warnings hears of what is ignored
  /// @throws io.tranche.config.ConfigException if something is missing, wrong or, in our own
  ///   dialect, unknown
  public static RunConfig read(ConfigNode config, Consumer<String> warnings) {
    RunConfig run =
        config.optional(MARK) == null
            ? new QlibConfig(warnings).read(config)
            : NativeConfig.read(config);
    ComponentTable.requireNames(run.resolved());
    return run;
  }

  /// Returns the text that checkpoints hold: how many threads worked changes no result, so it must
  /// not change a byte.
  String checkpointText() {
    return resolved.with("runtime", resolved.required("runtime").without("threads")).toYaml();
  }

  /// Returns a component by name, to be filled with settings.
  static ConfigNode component(String name, ConfigNode kwargs) {
    return ConfigFiles.parse(name, "class: " + name).with("kwargs", kwargs);
  }

  /// Returns a mapping without entries.
  static ConfigNode empty(String place) {
    return ConfigFiles.parse(place, "{}");
  }
}
