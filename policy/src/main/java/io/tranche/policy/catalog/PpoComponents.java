package io.tranche.policy.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.policy.ppo.PpoConfig;
import org.jspecify.annotations.Nullable;

/// [Ppo] under both of its names.
final class PpoComponents {

  /// `max_batch_size`, the number of steps evaluated at a time, changes no result here.
  private static final String QLIB =
      "learning_rate=lr weight_decay discount=discount_factor max_norm=max_grad_norm"
          + " normalize_rewards=reward_normalization clip=eps_clip value_clip value_weight=vf_coef"
          + " lambda=gae_lambda max_batch_size deterministic_evaluation=deterministic_eval"
          + " weight_file";

  private static final String OWN =
      "learning_rate weight_decay discount lambda clip dual_clip value_clip value_weight"
          + " entropy_weight max_norm normalize_rewards normalize_advantages advantage_epsilon"
          + " recompute_advantages deterministic_evaluation weight_file head invalid_actions";

  private PpoComponents() {}

  static LearningSettings qlib(ConfigNode node) {
    return LearningSettings.of(node, QLIB);
  }

  static LearningSettings own(ConfigNode node) {
    return LearningSettings.of(node, OWN);
  }

  static PpoConfig config(LearningSettings settings, boolean isQlib) {
    PpoConfig byDefault = isQlib ? PpoConfig.QLIB : PpoConfig.DEFAULT;
    settings.count("max_batch_size", 1);
    var optimiser = settings.optimiser();
    boolean normalizes = settings.flag("normalize_rewards", byDefault.normalizesRewards());
    return new PpoConfig(
        optimiser,
        settings.fraction("discount", byDefault.discount()),
        settings.fraction("lambda", byDefault.lambda()),
        settings.notNegative("clip", byDefault.clip()),
        dualClip(settings.optional("dual_clip")),
        valueClip(settings, isQlib ? byDefault.valueClip() : normalizes, normalizes),
        isQlib
            ? settings.node().doubleOr(settings.key("value_weight"), byDefault.valueWeight())
            : settings.notNegative("value_weight", byDefault.valueWeight()),
        settings.notNegative("entropy_weight", byDefault.entropyWeight()),
        maxNorm(settings, byDefault.maxNorm()),
        normalizes,
        settings.flag("normalize_advantages", byDefault.normalizesAdvantages()),
        settings.notNegative("advantage_epsilon", byDefault.advantageEpsilon()),
        settings.flag("recompute_advantages", byDefault.recomputesAdvantages()),
        settings.flag("deterministic_evaluation", byDefault.deterministicEvaluation()),
        settings.choice("head", byDefault.head()),
        settings.choice("invalid_actions", byDefault.invalidActions()));
  }

  private static boolean valueClip(
      LearningSettings settings, boolean fallback, boolean normalizes) {
    ConfigNode given = settings.optional("value_clip");
    boolean clips = given == null ? fallback : given.asBoolean();
    if (clips && !normalizes) {
      String needed = settings.key("normalize_rewards");
      throw (given == null ? settings.node().required(needed) : given)
          .wrong("value_clip only together with " + needed);
    }
    return clips;
  }

  private static @Nullable Double dualClip(@Nullable ConfigNode given) {
    if (given == null) {
      return null;
    }
    if (!(given.asDouble() > 1)) {
      throw given.wrong("a number above 1");
    }
    return given.asDouble();
  }

  /// Null, like 0, means no limit.
  private static double maxNorm(LearningSettings settings, double fallback) {
    ConfigNode given = settings.node().written(settings.key("max_norm"));
    return given != null && given.isNull() ? 0 : settings.notNegative("max_norm", fallback);
  }
}
