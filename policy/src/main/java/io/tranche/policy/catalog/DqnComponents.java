package io.tranche.policy.catalog;

import static io.tranche.policy.catalog.LearningSettings.WEIGHT_FILE;
import static io.tranche.policy.catalog.LearningSettings.fraction;

import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.dqn.Dqn;
import io.tranche.policy.dqn.DqnConfig.Loss;
import io.tranche.policy.dqn.DqnConfig;
import java.util.ArrayList;
import java.util.List;

/// [Dqn] under its three names.
final class DqnComponents {

  private static final List<String> OWN_KEYS =
      List.of(
          "learning_rate",
          "weight_decay",
          "discount",
          "steps",
          "target_interval",
          "double",
          "max_norm",
          "minibatches",
          "exploration",
          WEIGHT_FILE);

  private DqnComponents() {}

  static <O extends Observation> AlgorithmSetup<O> qlib(
      ConfigNode settings, AlgorithmContext<O> context) {
    settings.rejectUnknown(
        List.of(
            "lr",
            "weight_decay",
            "discount_factor",
            "estimation_step",
            "target_update_freq",
            "reward_normalization",
            "is_double",
            "clip_loss_grad",
            WEIGHT_FILE));
    if (settings.booleanOr("reward_normalization", false)) {
      throw settings.required("reward_normalization").wrong("false, n-step returns have no other");
    }
    DqnConfig byDefault = DqnConfig.qlib(LearningSettings.optimiser(settings, "lr"));
    var config =
        new DqnConfig(
            byDefault.optimiser(),
            fraction(settings, "discount_factor", byDefault.discount()),
            settings.countOr("estimation_step", byDefault.steps()),
            Math.max(0, settings.intOr("target_update_freq", byDefault.targetInterval())),
            settings.booleanOr("is_double", byDefault.doubles()),
            settings.booleanOr("clip_loss_grad", false) ? Loss.HUBER : Loss.SQUARED,
            byDefault.quantiles(),
            byDefault.tail(),
            byDefault.softmax(),
            byDefault.maxNorm(),
            byDefault.minibatches(),
            byDefault.exploration());
    return setup(settings, context, config);
  }

  static <O extends Observation> AlgorithmSetup<O> plain(
      ConfigNode settings, AlgorithmContext<O> context) {
    var known = new ArrayList<>(OWN_KEYS);
    known.add("loss");
    settings.rejectUnknown(known);
    DqnConfig byDefault = DqnConfig.plain(LearningSettings.optimiser(settings, "learning_rate"));
    Loss loss = LearningSettings.choice(settings, "loss", byDefault.loss());
    return setup(settings, context, own(settings, byDefault, loss, 1, 1));
  }

  static <O extends Observation> AlgorithmSetup<O> quantile(
      ConfigNode settings, AlgorithmContext<O> context) {
    var known = new ArrayList<>(OWN_KEYS);
    known.addAll(List.of("quantiles", "tail"));
    settings.rejectUnknown(known);
    DqnConfig byDefault = DqnConfig.quantile(LearningSettings.optimiser(settings, "learning_rate"));
    int quantiles = settings.countOr("quantiles", byDefault.quantiles());
    if (quantiles < 2) {
      throw settings.required("quantiles").wrong("an integer of at least 2");
    }
    double tail = fraction(settings, "tail", byDefault.tail());
    if (tail == 0) {
      throw settings.required("tail").wrong("a number in (0, 1]");
    }
    return setup(settings, context, own(settings, byDefault, byDefault.loss(), quantiles, tail));
  }

  private static DqnConfig own(
      ConfigNode settings, DqnConfig byDefault, Loss loss, int quantiles, double tail) {
    ConfigNode interval = settings.optional("target_interval");
    if (interval != null && interval.asInt() < 0) {
      throw interval.wrong("an integer that is not negative");
    }
    return new DqnConfig(
        byDefault.optimiser(),
        fraction(settings, "discount", byDefault.discount()),
        settings.countOr("steps", byDefault.steps()),
        interval == null ? byDefault.targetInterval() : interval.asInt(),
        settings.booleanOr("double", byDefault.doubles()),
        loss,
        quantiles,
        tail,
        byDefault.softmax(),
        settings.notNegativeOr("max_norm", byDefault.maxNorm()),
        settings.countOr("minibatches", byDefault.minibatches()),
        exploration(settings, byDefault.exploration()));
  }

  private static Exploration exploration(ConfigNode settings, Exploration byDefault) {
    ConfigNode node = settings.optional("exploration");
    if (node == null) {
      return byDefault;
    }
    node.rejectUnknown(List.of("start", "end", "duration", "fade", "clock"));
    ConfigNode duration = node.optional("duration");
    if (duration != null && duration.asLong() < 0) {
      throw duration.wrong("an integer that is not negative");
    }
    return new Exploration(
        fraction(node, "start", byDefault.start()),
        fraction(node, "end", byDefault.end()),
        duration == null ? byDefault.duration() : duration.asLong(),
        LearningSettings.choice(node, "fade", byDefault.fade()),
        LearningSettings.choice(node, "clock", byDefault.clock()));
  }

  private static <O extends Observation> AlgorithmSetup<O> setup(
      ConfigNode settings, AlgorithmContext<O> context, DqnConfig config) {
    return context.setup(
        settings, (network, choices, parallel) -> new Dqn<>(network, choices, config, parallel));
  }
}
