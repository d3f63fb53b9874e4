package io.tranche.work.start;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/// What a configuration for a user's own bars states beyond the native recipe: the agent chooses
/// rates that begin at TWAP's. With five shares to choose from, an agent on bars with little to
/// learn always waits, and under the embedded laws it wins a third of what rates win in the same
/// time (docs/real-markets.md).
public final class OwnBarsRecipe {

  private OwnBarsRecipe() {}

  /// Returns the sections, for a file in the native dialect. Keys have the same order in every
  /// process, because a roll goes on only with the text that it began with.
  public static Map<String, Object> sections() {
    var sections = new LinkedHashMap<String, Object>();
    sections.put(
        "action_interpreter",
        new TreeMap<>(Map.of("class", "TwapRelativeInterpreter", "kwargs", Map.of("max_rate", 8))));
    sections.put(
        "policy",
        Map.of("kwargs", new TreeMap<>(Map.of("learning_rate", 0.002, "entropy_weight", 0.001))));
    return sections;
  }
}
