package io.tranche.policy.catalog;

import io.tranche.config.ConfigNode;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnConfig.Loss;

/// [Dqn] under its three names.
final class DqnComponents {

  private static final String QLIB =
      "learning_rate=lr weight_decay discount=discount_factor steps=estimation_step"
          + " target_interval=target_update_freq reward_normalization double=is_double"
          + " clip_loss_grad weight_file";

  private static final String OWN =
      "learning_rate weight_decay discount steps target_interval double max_norm minibatches"
          + " exploration weight_file";

  private DqnComponents() {}

  static LearningSettings qlib(ConfigNode node) {
    return LearningSettings.of(node, QLIB);
  }

  static LearningSettings plain(ConfigNode node) {
    return LearningSettings.of(node, OWN + " loss");
  }

  static LearningSettings quantile(ConfigNode node) {
    return LearningSettings.of(node, OWN + " quantiles tail");
  }

  static DqnConfig qlibConfig(LearningSettings settings) {
    if (settings.flag("reward_normalization", false)) {
      throw settings
          .node()
          .required("reward_normalization")
          .wrong("false, because n-step returns are never normalised");
    }
    int interval = settings.node().intOr(settings.key("target_interval"), 0);
    Loss loss = settings.flag("clip_loss_grad", false) ? Loss.HUBER : Loss.SQUARED;
    return config(settings, DqnConfig.QLIB, Math.max(0, interval), loss, 1, 1);
  }

  static DqnConfig plainConfig(LearningSettings settings) {
    Loss loss = settings.choice("loss", DqnConfig.DEFAULT.loss());
    return config(settings, DqnConfig.DEFAULT, targetInterval(settings), loss, 1, 1);
  }

  static DqnConfig quantileConfig(LearningSettings settings) {
    DqnConfig byDefault = DqnConfig.QUANTILES;
    int quantiles = settings.count("quantiles", byDefault.quantiles());
    if (quantiles < 2) {
      throw settings.node().required("quantiles").wrong("an integer of at least 2");
    }
    double tail = settings.fraction("tail", byDefault.tail());
    if (tail == 0) {
      throw settings.node().required("tail").wrong("a number in (0, 1]");
    }
    return config(settings, byDefault, targetInterval(settings), byDefault.loss(), quantiles, tail);
  }

  private static int targetInterval(LearningSettings settings) {
    ConfigNode given = settings.optional("target_interval");
    if (given != null && given.asInt() < 0) {
      throw given.wrong("an integer that is not negative");
    }
    return given == null ? DqnConfig.DEFAULT.targetInterval() : given.asInt();
  }

  private static DqnConfig config(
      LearningSettings settings,
      DqnConfig byDefault,
      int targetInterval,
      Loss loss,
      int quantiles,
      double tail) {
    return new DqnConfig(
        settings.optimiser(),
        settings.fraction("discount", byDefault.discount()),
        settings.count("steps", byDefault.steps()),
        targetInterval,
        settings.flag("double", byDefault.doubles()),
        loss,
        quantiles,
        tail,
        byDefault.softmax(),
        settings.notNegative("max_norm", byDefault.maxNorm()),
        settings.count("minibatches", byDefault.minibatches()),
        exploration(settings, byDefault.exploration()));
  }

  private static Exploration exploration(LearningSettings settings, Exploration byDefault) {
    ConfigNode node = settings.optional("exploration");
    if (node == null) {
      return byDefault;
    }
    var given = LearningSettings.of(node, "start end duration fade clock");
    ConfigNode duration = given.optional("duration");
    if (duration != null && duration.asLong() < 0) {
      throw duration.wrong("an integer that is not negative");
    }
    return new Exploration(
        given.fraction("start", byDefault.start()),
        given.fraction("end", byDefault.end()),
        duration == null ? byDefault.duration() : duration.asLong(),
        given.choice("fade", byDefault.fade()),
        given.choice("clock", byDefault.clock()));
  }
}
