package io.tranche.work.start;

import java.util.LinkedHashMap;
import java.util.Map;

/// What a configuration for a user's own bars states beyond the native recipe: the agent chooses
/// rates that begin at TWAP's. With five shares to choose from, an agent on bars with little to
/// learn always waits, and under the embedded laws it wins a third of what rates win in the same
/// time (docs/real-markets.md).
public final class OwnBarsRecipe {

  private OwnBarsRecipe() {}

  /// Returns the sections, for a file in the native dialect.
  public static Map<String, Object> sections() {
    var sections = new LinkedHashMap<String, Object>();
    sections.put(
        "action_interpreter",
        Map.of("class", "TwapRelativeInterpreter", "kwargs", Map.of("max_rate", 8)));
    sections.put(
        "policy", Map.of("kwargs", Map.of("learning_rate", 0.002, "entropy_weight", 0.001)));
    return sections;
  }
}
