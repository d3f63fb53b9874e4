package io.tranche.experiment;

import io.tranche.config.ConfigException;
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
/// @param isQlib whether it is Qlib's: its names, its quirks, its files beside ours
/// @param resolved the configuration with its defaults written out
/// @param hindsight whether the policy sees the whole day, as only teachers may
/// @param teacher whose word counts besides; null for none
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
    boolean hindsight,
    @Nullable Teacher teacher,
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
        !config.has(MARK) ? new QlibConfig(warnings).read(config) : NativeConfig.read(config);
    ComponentTable.requireNames(run.resolved());
    return run;
  }

  /// Refuses `purpose` if the policy sees the future: then whatever it wins means nothing.
  ///
  /// @throws io.tranche.config.ConfigException if this is a teacher's run
  public void requireForesightless(String purpose) {
    if (hindsight) {
      throw new ConfigException(
          purpose, "a policy that does not see the future", "a teacher ('hindsight: true')");
    }
  }

  /// Returns this run as one of many that are compared with each other: up to `iterations`, on one
  /// thread, and without what only serves those who watch it. Checkpoints are the same.
  ///
  /// @param iterations when to stop, so that it can be resumed later
  public RunConfig asTrial(int iterations) {
    return new RunConfig(
        isQlib,
        resolved,
        hindsight,
        teacher,
        data,
        network,
        policy,
        ParallelMode.DUMMY,
        concurrency,
        1,
        seed,
        iterations,
        validateEvery,
        false,
        startsNearTwap,
        fastDevRun,
        onFailure,
        vessel,
        folder,
        null,
        earlyStopping,
        monitor,
        0);
  }

  /// Returns the text that checkpoints hold: how many threads worked changes no result, so it must
  /// not change a byte.
  String checkpointText() {
    return resolved.with("runtime", resolved.required("runtime").without("threads")).toYaml();
  }

  /// Returns a seed; null is 0.
  static long seed(ConfigNode node) {
    if (node.isNull()) {
      return 0;
    }
    if (node.asLong() < 0) {
      throw node.wrong("an integer that is not negative");
    }
    return node.asLong();
  }

  static @Nullable Integer countOrNull(ConfigNode section, String key) {
    ConfigNode node = section.optional(key);
    return node == null ? null : node.asCount();
  }

  static int notNegative(ConfigNode node) {
    if (node.asInt() < 0) {
      throw node.wrong("an integer that is not negative");
    }
    return node.asInt();
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
