package io.tranche.work.tuning;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.run.ExecutionRun;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A search as a tuning file describes it (docs/tuning.md).
///
/// @param base the training configuration that trials change, as given
/// @param metric that trials are compared by, such as `val/pa`
/// @param schedule which trials run, and for how long
/// @param triesBase whether the base is also trained, for comparison
/// @param resolved the tuning file with its defaults and the base written out
record TuneConfig(
    ConfigNode base,
    SearchSpace space,
    List<Trial> trials,
    String metric,
    boolean higherIsBetter,
    Schedule schedule,
    boolean triesBase,
    ConfigNode resolved) {

  /// Which trials run, and for how long.
  ///
  /// @param rungs the iterations after which trials are compared; the last is the end of a trial
  ///   that is not stopped early
  /// @param reduction one in this many trials is promoted from a rung
  /// @param median stops trials between rungs; null for none
  /// @param parallel number of trials that run at a time, in the search's own time
  /// @param saveEvery the maximum number of iterations that are lost when a search is killed
  record Schedule(
      List<Integer> rungs,
      int reduction,
      @Nullable MedianRule median,
      int parallel,
      int saveEvery) {

    Schedule {
      rungs = List.copyOf(rungs);
    }
  }

  /// Settings that change which trials run and for how long, but not the result of a trial.
  private static final List<String> SCHEDULING =
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
  }

  /// Returns the iterations of a trial that is not stopped early.
  int iterations() {
    return schedule.rungs.getLast();
  }

  /// Returns the run of a trial with all its iterations.
  ///
  /// @throws ConfigException if the settings are invalid together, or make trials incomparable
  ExecutionRun runOf(Trial trial) {
    ConfigNode node = base;
    for (Setting setting : trial.settings()) {
      node = node.with(setting.assignment());
    }
    ExecutionRun unchanged = ExecutionRun.read(base, _ -> {});
    ExecutionRun run = ExecutionRun.read(node, _ -> {});
    Integer every = run.validation().every();
    if (!Objects.equals(every, unchanged.validation().every())) {
      throw new ConfigException("a trial", "validations as often as in the others", every);
    }
    return run.withTrainer(run.trainer().withMaxIterations(iterations()));
  }

  /// Returns the base's value at a path, or an empty text if a component's default applies.
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

  /// Returns everything that results of trials depend on. A search with the same identity can reuse
  /// them.
  String identity() {
    ConfigNode what = resolved;
    for (String key : SCHEDULING) {
      what = what.without(key);
    }
    return what.toYaml();
  }
}
