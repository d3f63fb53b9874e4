package io.tranche.cli.start;

import io.tranche.config.ConfigFiles;
import io.tranche.work.start.OwnBarsRecipe;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The commented configuration that a user goes on with.
final class StartConfig {

  private StartConfig() {}

  static String text(BarsFound found, String costs, int iterations) {
    var mapping = new LinkedHashMap<>(found.mapping().toConfig());
    List.of("session", "label", "time_zone").forEach(mapping::remove);
    var data = new LinkedHashMap<String, Object>();
    data.put("bars", found.bars().toString());
    if (!mapping.isEmpty()) {
      data.put("mapping", mapping);
    }
    data.putAll(found.mapping().reading().toConfig());
    var orders = new LinkedHashMap<String, Object>();
    orders.put("size", 0.01);
    orders.put("size_of", "window");
    orders.put("seed", 1);
    data.put("orders", orders);
    var trainer = new LinkedHashMap<String, Object>();
    trainer.put("max_iterations", iterations);
    trainer.put("episodes_per_iteration", episodes(found));
    return String.join(
        "\n",
        "# Made by tranche start. Change what you like; docs/configuration.md has every key.",
        "tranche: 1",
        "# %s.".formatted(found),
        "# %s. State another session with `session`.".formatted(found.sessions()),
        "# Orders are drawn: one for each instrument and day, about 1 % of the day's volume, of either side. The first",
        "# three fifths of the days are for training, the next fifth for validation, the last for the test.",
        "# Use orders of your own with `orders: FOLDER`, which has train, valid and test.",
        section("data", data),
        "# What trading costs. Typical values; replace them by yours (docs/configuration.md).",
        section("costs", costs),
        "# How often the agent decides.",
        section("simulator", Map.of("kwargs", Map.of("minutes_per_step", found.minutesPerStep()))),
        "# The agent chooses a rate, from none to 8 times TWAP's, and begins with TWAP's own (docs/continuous.md).",
        ConfigFiles.of("start", OwnBarsRecipe.sections()).toYaml(),
        "# A brief run. The usual number of iterations is 80.",
        section("trainer", trainer),
        section("runtime", Map.of("seed", 1)));
  }

  /// Each training order once per iteration and side, within bounds that make an update worthwhile.
  private static int episodes(BarsFound found) {
    long orders = 2L * found.instruments() * (found.days() * 3 / 5);
    return Math.clamp(orders, 100, 1000);
  }

  private static String section(String name, Object value) {
    return ConfigFiles.of("start", Map.of(name, value)).toYaml();
  }
}
