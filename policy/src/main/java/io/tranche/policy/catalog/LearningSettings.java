package io.tranche.policy.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.tensor.AdamConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The settings of a network or an algorithm under the names of one dialect. A setting that the
/// dialect lacks keeps its default.
///
/// @param keys the dialect's key for each setting
record LearningSettings(ConfigNode node, Map<String, String> keys) {

  /// Reads settings and rejects unknown ones.
  ///
  /// @param names our names of the settings, separated by spaces; `name=key` where the dialect's
  ///   key differs
  static LearningSettings of(ConfigNode node, String names) {
    var keys = new LinkedHashMap<String, String>();
    for (String each : names.split(" ", -1)) {
      int sign = each.indexOf('=');
      keys.put(sign < 0 ? each : each.substring(0, sign), each.substring(sign + 1));
    }
    node.rejectUnknown(List.copyOf(keys.values()));
    return new LearningSettings(node, keys);
  }

  /// Returns the key of a setting that the dialect has.
  String key(String name) {
    return keys.getOrDefault(name, name);
  }

  /// Returns null if the setting is missing or null.
  @Nullable ConfigNode optional(String name) {
    String key = keys.get(name);
    return key == null ? null : node.optional(key);
  }

  /// Reads the learning rate, which has no default, and the weight decay.
  AdamConfig optimiser() {
    ConfigNode rate = node.required(key("learning_rate"));
    if (!(rate.asDouble() > 0)) {
      throw rate.wrong("a positive number");
    }
    return AdamConfig.of(rate.asDouble()).withWeightDecay(notNegative("weight_decay", 0));
  }

  /// Returns a number from 0 to 1.
  double fraction(String name, double fallback) {
    ConfigNode given = optional(name);
    return given == null ? fallback : given.asNumberIn(0, 1);
  }

  double notNegative(String name, double fallback) {
    ConfigNode given = optional(name);
    return given == null ? fallback : given.asNotNegative();
  }

  /// Returns a whole number of at least 1.
  int count(String name, int fallback) {
    ConfigNode given = optional(name);
    return given == null ? fallback : given.asCount();
  }

  boolean flag(String name, boolean fallback) {
    String key = keys.get(name);
    return key == null ? fallback : node.booleanOr(key, fallback);
  }

  /// Returns the constant whose name in lower case is written there.
  <E extends Enum<E>> E choice(String name, E fallback) {
    ConfigNode given = optional(name);
    if (given == null) {
      return fallback;
    }
    E[] constants = fallback.getDeclaringClass().getEnumConstants();
    for (E each : constants) {
      if (nameOf(each).equals(given.asText())) {
        return each;
      }
    }
    var names = new StringBuilder(nameOf(constants[0]));
    for (int i = 1; i < constants.length; i++) {
      names.append(i == constants.length - 1 ? " or " : ", ").append(nameOf(constants[i]));
    }
    throw given.wrong(names.toString());
  }

  private static String nameOf(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  @Nullable String weightFile() {
    ConfigNode given = optional("weight_file");
    return given == null ? null : given.asText();
  }
}
