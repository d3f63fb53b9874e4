package io.tranche.benchmarks.real;

import io.tranche.backtest.Costs;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSource;
import io.tranche.market.Session;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import io.tranche.work.roll.RollPlan;
import io.tranche.work.start.OwnBarsRecipe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Bars and how they are walked: a file, or the embedded market under one of its laws.
///
/// @param data the section of a configuration
/// @param instruments whose orders are executed
/// @param costs the name of a preset; null if there is no usual one
record RealMarket(
    String name,
    Map<String, Object> data,
    int days,
    List<String> instruments,
    @Nullable String costs) {

  /// With fewer days than this there are not enough to validate, select and judge on.
  static final int ENOUGH_DAYS = 50;

  private static final int FEWEST_DAYS = 5;
  private static final int VALID_DAYS = 20;
  private static final int MINUTES = 30;
  private static final int LAW_INSTRUMENTS = 40;

  RealMarket {
    data = Map.copyOf(data);
    instruments = List.copyOf(instruments);
  }

  /// The embedded market, whose truth is known, as `bench laws` has it.
  static RealMarket of(Law law, int most, int days) {
    SyntheticConfig config =
        SyntheticConfig.DEFAULT.withLaw(law).withSize(Math.min(most, LAW_INSTRUMENTS), days);
    return new RealMarket(
        "law-" + law.word(),
        Map.of(
            "market",
            new TreeMap<>(
                Map.of(
                    "law",
                    law.word(),
                    "instruments",
                    config.instruments(),
                    "days",
                    config.days()))),
        config.days(),
        new SyntheticMarket(config).instruments(),
        null);
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
      return new RealMarket(
          name,
          Map.of("bars", file.toAbsolutePath().toString()),
          bars.calendar().days(),
          some,
          costs);
    }
  }

  /// Returns why there is nothing to walk over; null if there is.
  @Nullable String refusal() {
    return days < FEWEST_DAYS ? "%d days of at least %d".formatted(days, FEWEST_DAYS) : null;
  }

  /// Returns the windows: two fifths of the days to train on, a fifth but at least 20 to validate
  /// and select on, and the rest to be judged, in `windows` parts. Few days have one window.
  RollPlan plan(int windows, int candidates, int seeds) {
    if (days < ENOUGH_DAYS) {
      int valid = Math.max(1, days / 5);
      return new RollPlan(days - 2 * valid, valid, valid, null, candidates, seeds, "real");
    }
    int train = 2 * days / 5;
    int valid = Math.max(VALID_DAYS, days / 5);
    int next = Math.max(1, (days - train - valid) / windows);
    return new RollPlan(train, valid, next, null, candidates, seeds, "real");
  }

  /// Returns the configuration of a run with a switch turned.
  ///
  /// @param walked the folder of the recipe's own walk
  ConfigNode config(Switch turned, long seed, int iterations, int episodes, Path walked) {
    var root = new LinkedHashMap<String, Object>();
    root.put("tranche", 1);
    var section = new LinkedHashMap<>(data);
    if (data.get("market") instanceof Map<?, ?> market) {
      // A seed draws another market too: windows of one market share its luck.
      var drawn = new LinkedHashMap<Object, Object>(market);
      drawn.put("seed", seed);
      section.put("market", drawn);
    }
    section.put("instruments", new ArrayList<>(instruments));
    root.put("data", section);
    if (costs != null) {
      root.put("costs", costs);
    }
    root.put("simulator", Map.of("kwargs", Map.of("minutes_per_step", MINUTES)));
    root.putAll(OwnBarsRecipe.sections());
    root.put(
        "trainer",
        new TreeMap<>(Map.of("max_iterations", iterations, "episodes_per_iteration", episodes)));
    root.put(
        "validation",
        new TreeMap<>(Map.of("every", Math.max(1, iterations / 4), "judge", false, "guard", true)));
    root.put("runtime", Map.of("seed", seed));
    ConfigNode node = ConfigFiles.of(name, root);
    for (String assignment : turned.assignments()) {
      node =
          node.with(
              assignment
                  .replace(
                      Switch.WEIGHTS,
                      walked.resolve("windows/001/run/selected.ckpt").toAbsolutePath().toString())
                  .replace(Switch.ONE, instruments.getFirst()));
    }
    return node;
  }
}
