package io.tranche.policy.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.tensor.AdamConfig;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Settings that algorithms share.
final class LearningSettings {

  static final String WEIGHT_FILE = "weight_file";

  private LearningSettings() {}

  /// @param rateKey what the learning rate, which has no default, is called
  static AdamConfig optimiser(ConfigNode settings, String rateKey) {
    ConfigNode rate = settings.required(rateKey);
    if (!(rate.asDouble() > 0)) {
      throw rate.wrong("a positive number");
    }
    return AdamConfig.of(rate.asDouble())
        .withWeightDecay(settings.notNegativeOr("weight_decay", 0));
  }

  /// Returns a number from 0 to 1.
  static double fraction(ConfigNode settings, String key, double fallback) {
    return settings.numberInOr(key, fallback, 0, 1);
  }

  /// Returns the constant whose name in lower case is written there.
  static <E extends Enum<E>> E choice(ConfigNode settings, String key, E fallback) {
    ConfigNode node = settings.optional(key);
    if (node == null) {
      return fallback;
    }
    E[] constants = fallback.getDeclaringClass().getEnumConstants();
    for (E each : constants) {
      if (name(each).equals(node.asText())) {
        return each;
      }
    }
    var names = new StringBuilder(name(constants[0]));
    for (int i = 1; i < constants.length; i++) {
      names.append(i == constants.length - 1 ? " or " : ", ").append(name(constants[i]));
    }
    throw node.wrong(names.toString());
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static @Nullable String weightFile(ConfigNode settings) {
    ConfigNode node = settings.optional(WEIGHT_FILE);
    return node == null ? null : node.asText();
  }
}
