package io.tranche.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads settings that have bounds, so that a complaint names the setting and not what is made of
/// it.
public final class Settings {

  private Settings() {}

  /// Returns the value of `key`, or null if it is missing or null.
  public static @Nullable ConfigNode optional(ConfigNode settings, String key) {
    ConfigNode node = settings.optional(key);
    return node == null || node.isNull() ? null : node;
  }

  /// Returns a whole number of at least 1.
  public static int count(ConfigNode node) {
    int count = node.asInt();
    if (count < 1) {
      throw node.wrong("an integer of at least 1");
    }
    return count;
  }

  public static int countOr(ConfigNode settings, String key, int fallback) {
    ConfigNode node = optional(settings, key);
    return node == null ? fallback : count(node);
  }

  /// Returns a number from `low` to `high`; `Double.MAX_VALUE` for no upper bound.
  public static double within(ConfigNode node, double low, double high) {
    double number = node.asDouble();
    if (!(number >= low && number <= high)) {
      throw node.wrong(
          high == Double.MAX_VALUE
              ? "a number of at least " + low
              : "a number in [%s, %s]".formatted(low, high));
    }
    return number;
  }

  public static double withinOr(
      ConfigNode settings, String key, double fallback, double low, double high) {
    ConfigNode node = optional(settings, key);
    return node == null ? fallback : within(node, low, high);
  }

  public static double notNegativeOr(ConfigNode settings, String key, double fallback) {
    return withinOr(settings, key, fallback, 0, Double.MAX_VALUE);
  }

  public static List<String> texts(ConfigNode node) {
    return node.asList().stream().map(ConfigNode::asText).toList();
  }
}
