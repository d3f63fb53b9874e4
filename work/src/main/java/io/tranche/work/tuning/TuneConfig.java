package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A search as a tuning file describes it (docs/tuning.md).
///
/// @param base the training configuration that trials change, as it was given
/// @param metric what trials are compared by, such as `val/pa`
/// @param iterations how many a trial has that is not stopped before
/// @param rungs after how many iterations trials are compared, the last after all
/// @param reduction one in so many goes on from a rung
/// @param median stops trials between rungs; null for none
/// @param parallel how many trials are under way at a time, in the search's own time
/// @param saveEvery how many iterations at most are lost when a search is killed
/// @param triesBase whether the base is trained too, as a yardstick
/// @param resolved the tuning file with its defaults written out, and the base in it
record TuneConfig(
    ConfigNode base,
    SearchSpace space,
    List<Trial> trials,
    String metric,
    boolean higherIsBetter,
    int iterations,
    List<Integer> rungs,
    int reduction,
    @Nullable MedianRule median,
    int parallel,
    int saveEvery,
    boolean triesBase,
    ConfigNode resolved) {

  /// Settings that change which trials are run and for how long, but not what becomes of one.
  private static final List<String> SCHEDULE =
      List.of(
          "search",
          "trials",
          "reduction",
          "min_iterations",
          "median_stopping",
          "parallel",
          "save_every",
          "base");

  TuneConfig {
    trials = List.copyOf(trials);
    rungs = List.copyOf(rungs);
  }

  /// Returns the configuration of a trial, with its whole budget.
  ExecutionRun runOf(Trial trial) {
    return run(base, trial.settings(), iterations);
  }

  /// @throws ConfigException if the settings make no configuration, or one that cannot be compared
  static ExecutionRun run(ConfigNode base, List<Setting> settings, int iterations) {
    ConfigNode node = base;
    for (Setting setting : settings) {
      node = node.with(setting.assignment());
    }
    ExecutionRun unchanged = ExecutionRun.read(base, _ -> {});
    ExecutionRun run = ExecutionRun.read(node, _ -> {});
    Integer every = run.validation().every();
    if (!Objects.equals(every, unchanged.validation().every())) {
      throw new ConfigException("a trial", "validations as often as in the others", every);
    }
    return run.withTrainer(run.trainer().withMaxIterations(iterations));
  }

  /// Returns what the base has at a path, or an empty text if it is left to a component's default.
  String baseValue(String path) {
    ConfigNode node = ExecutionRun.read(base, _ -> {}).toConfig();
    for (String key : path.split("\\.", -1)) {
      ConfigNode below = node.isMapping() ? node.written(key) : null;
      if (below == null) {
        return "";
      }
      node = below;
    }
    return Setting.of(path, node).value();
  }

  /// Returns what the results of trials depend on: a search with the same can use them.
  String identity() {
    ConfigNode what = resolved;
    for (String key : SCHEDULE) {
      what = what.without(key);
    }
    return what.toYaml();
  }
}
