package io.tranche.benchmarks.real;

import io.tranche.backtest.Costs;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.Session;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.roll.RollPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A file of bars and how it is walked.
///
/// @param instruments whose orders are executed
/// @param costs the name of a preset; null if the session has no usual one
record RealMarket(
    String name, Path file, int days, List<String> instruments, @Nullable String costs) {

  /// With fewer days than this there are not enough to validate, select and judge on.
  static final int ENOUGH_DAYS = 50;

  private static final int FEWEST_DAYS = 5;
  private static final int VALID_DAYS = 20;
  private static final int MINUTES = 30;

  RealMarket {
    instruments = List.copyOf(instruments);
  }

  /// @param most how many instruments at most, evenly over all of them
  static RealMarket of(Path file, int most) {
    try (BarSource bars = BarFiles.openSessions(file, ColumnMapping.DEFAULT)) {
      List<String> all = bars.instruments();
      int count = Math.min(most, all.size());
      List<String> some =
          IntStream.range(0, count)
              .mapToObj(i -> all.get((int) ((long) i * all.size() / count)))
              .toList();
      Session session = bars.session(all.getFirst());
      String costs =
          Costs.presets().stream()
              .filter(each -> session != null && session.name().startsWith(each))
              .findFirst()
              .orElse(null);
      String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", "");
      return new RealMarket(name, file, bars.calendar().days(), some, costs);
    }
  }

  /// Returns why there is nothing to walk over; null if there is.
  @Nullable String refusal() {
    return days < FEWEST_DAYS ? "%d days of at least %d".formatted(days, FEWEST_DAYS) : null;
  }

  /// Returns the windows: two fifths of the days to train on, a fifth but at least 20 to validate
  /// and select on, and the rest to be judged, in `windows` parts. Few days have one window.
  RollPlan plan(int windows, int candidates) {
    if (days < ENOUGH_DAYS) {
      int valid = Math.max(1, days / 5);
      return new RollPlan(days - 2 * valid, valid, valid, null, candidates, "real");
    }
    int train = 2 * days / 5;
    int valid = Math.max(VALID_DAYS, days / 5);
    int next = Math.max(1, (days - train - valid) / windows);
    return new RollPlan(train, valid, next, null, candidates, "real");
  }

  /// Returns the configuration of a run with a switch turned.
  ConfigNode config(Switch turned, long seed, int iterations, int episodes) {
    var root = new LinkedHashMap<String, Object>();
    root.put("tranche", 1);
    root.put(
        "data",
        Map.of(
            "bars", file.toAbsolutePath().toString(), "instruments", new ArrayList<>(instruments)));
    if (costs != null) {
      root.put("costs", costs);
    }
    root.put("simulator", Map.of("kwargs", Map.of("minutes_per_step", MINUTES)));
    root.put("trainer", Map.of("max_iterations", iterations, "episodes_per_iteration", episodes));
    root.put("validation", Map.of("every", Math.max(1, iterations / 4), "judge", false));
    root.put("runtime", Map.of("seed", seed));
    ConfigNode node = ConfigFiles.of(name, root);
    for (String assignment : turned.assignments()) {
      node = node.with(assignment);
    }
    return node;
  }
}
