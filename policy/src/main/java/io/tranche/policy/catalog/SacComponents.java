package io.tranche.policy.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.policy.sac.SacConfig;
import org.jspecify.annotations.Nullable;

/// [Sac] by its name.
final class SacComponents {

  private static final String OWN =
      "learning_rate weight_decay discount tracking temperature target_entropy hidden max_norm"
          + " minibatches weight_file invalid_actions";

  private SacComponents() {}

  static LearningSettings own(ConfigNode node) {
    return LearningSettings.of(node, OWN);
  }

  static SacConfig config(LearningSettings settings) {
    SacConfig byDefault = SacConfig.DEFAULT;
    return new SacConfig(
        settings.optimiser(),
        settings.fraction("discount", byDefault.discount()),
        positive(settings, "tracking", settings.fraction("tracking", byDefault.tracking())),
        positive(
            settings, "temperature", settings.notNegative("temperature", byDefault.temperature())),
        targetEntropy(settings),
        settings.count("hidden", byDefault.hidden()),
        settings.notNegative("max_norm", byDefault.maxNorm()),
        settings.count("minibatches", byDefault.minibatches()),
        settings.choice("invalid_actions", byDefault.invalidActions()));
  }

  private static double positive(LearningSettings settings, String name, double value) {
    if (value == 0) {
      throw settings.node().required(name).wrong("a positive number");
    }
    return value;
  }

  /// Null keeps the temperature.
  private static @Nullable Double targetEntropy(LearningSettings settings) {
    ConfigNode given = settings.node().written("target_entropy");
    if (given == null) {
      return SacConfig.DEFAULT.targetEntropy();
    }
    if (given.isNull()) {
      return null;
    }
    if (!Double.isFinite(given.asDouble())) {
      throw given.wrong("a finite number, or null to keep the temperature");
    }
    return given.asDouble();
  }
}
