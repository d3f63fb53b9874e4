package io.tranche.policy.catalog;

import static io.tranche.policy.catalog.LearningSettings.WEIGHT_FILE;
import static io.tranche.policy.catalog.LearningSettings.fraction;

import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [Ppo] under both of its names.
final class PpoComponents {

  /// Of the standard deviation of advantages; Qlib has none.
  private static final double ADVANTAGE_EPSILON = 1e-8;

  private PpoComponents() {}

  static <O extends Observation> AlgorithmSetup<O> qlib(
      ConfigNode settings, AlgorithmContext<O> context) {
    settings.rejectUnknown(
        List.of(
            "lr",
            "weight_decay",
            "discount_factor",
            "max_grad_norm",
            "reward_normalization",
            "eps_clip",
            "value_clip",
            "vf_coef",
            "gae_lambda",
            "max_batch_size",
            "deterministic_eval",
            WEIGHT_FILE));
    // How many steps are evaluated at a time changes no result here.
    settings.countOr("max_batch_size", 1);
    var optimiser = LearningSettings.optimiser(settings, "lr");
    PpoConfig byDefault = PpoConfig.qlib(optimiser);
    boolean normalizes = settings.booleanOr("reward_normalization", byDefault.normalizesRewards());
    var config =
        new PpoConfig(
            optimiser,
            fraction(settings, "discount_factor", byDefault.discount()),
            fraction(settings, "gae_lambda", byDefault.lambda()),
            settings.notNegativeOr("eps_clip", byDefault.clip()),
            byDefault.dualClip(),
            valueClip(settings, byDefault.valueClip(), normalizes, "reward_normalization"),
            settings.doubleOr("vf_coef", byDefault.valueWeight()),
            byDefault.entropyWeight(),
            maxNorm(settings, "max_grad_norm", byDefault.maxNorm()),
            normalizes,
            byDefault.normalizesAdvantages(),
            byDefault.advantageEpsilon(),
            byDefault.recomputesAdvantages(),
            settings.booleanOr("deterministic_eval", byDefault.deterministicEvaluation()));
    return setup(settings, context, config);
  }

  static <O extends Observation> AlgorithmSetup<O> own(
      ConfigNode settings, AlgorithmContext<O> context) {
    settings.rejectUnknown(
        List.of(
            "learning_rate",
            "weight_decay",
            "discount",
            "lambda",
            "clip",
            "dual_clip",
            "value_clip",
            "value_weight",
            "entropy_weight",
            "max_norm",
            "normalize_rewards",
            "normalize_advantages",
            "advantage_epsilon",
            "recompute_advantages",
            "deterministic_evaluation",
            WEIGHT_FILE));
    var optimiser = LearningSettings.optimiser(settings, "learning_rate");
    PpoConfig byDefault = PpoConfig.qlib(optimiser);
    boolean normalizes = settings.booleanOr("normalize_rewards", byDefault.normalizesRewards());
    var config =
        new PpoConfig(
            optimiser,
            fraction(settings, "discount", byDefault.discount()),
            fraction(settings, "lambda", byDefault.lambda()),
            settings.notNegativeOr("clip", byDefault.clip()),
            dualClip(settings),
            valueClip(settings, normalizes, normalizes, "normalize_rewards"),
            settings.notNegativeOr("value_weight", byDefault.valueWeight()),
            settings.notNegativeOr("entropy_weight", byDefault.entropyWeight()),
            maxNorm(settings, "max_norm", byDefault.maxNorm()),
            normalizes,
            settings.booleanOr("normalize_advantages", byDefault.normalizesAdvantages()),
            settings.notNegativeOr("advantage_epsilon", ADVANTAGE_EPSILON),
            settings.booleanOr("recompute_advantages", byDefault.recomputesAdvantages()),
            settings.booleanOr("deterministic_evaluation", byDefault.deterministicEvaluation()));
    return setup(settings, context, config);
  }

  private static boolean valueClip(
      ConfigNode settings, boolean fallback, boolean normalizes, String needed) {
    ConfigNode node = settings.optional("value_clip");
    boolean clips = node == null ? fallback : node.asBoolean();
    if (clips && !normalizes) {
      throw (node == null ? settings.required(needed) : node)
          .wrong("value_clip only together with " + needed);
    }
    return clips;
  }

  private static @Nullable Double dualClip(ConfigNode settings) {
    ConfigNode node = settings.optional("dual_clip");
    if (node == null) {
      return null;
    }
    if (!(node.asDouble() > 1)) {
      throw node.wrong("a number above 1");
    }
    return node.asDouble();
  }

  /// Null, like 0, is no limit.
  private static double maxNorm(ConfigNode settings, String key, double fallback) {
    ConfigNode node = settings.written(key);
    return node != null && node.isNull() ? 0 : settings.notNegativeOr(key, fallback);
  }

  private static <O extends Observation> AlgorithmSetup<O> setup(
      ConfigNode settings, AlgorithmContext<O> context, PpoConfig config) {
    return context.setup(
        settings,
        (network, choices, parallel) ->
            new Ppo<>(network, choices, config, context.distillation(), parallel));
  }
}
