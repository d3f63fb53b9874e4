package io.tranche.policy.catalog;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.agent.InvalidActions;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.sac.SacConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Typed settings as a configuration names them. What would not be read again as the same settings
/// has no such name.
final class Described {

  private Described() {}

  static @Nullable ConfigNode ppo(PpoConfig config) {
    var keys = new LinkedHashMap<String, @Nullable Object>();
    keys.put("learning_rate", config.optimiser().learningRate());
    keys.put("weight_decay", config.optimiser().weightDecay());
    keys.put("discount", config.discount());
    keys.put("lambda", config.lambda());
    keys.put("clip", config.clip());
    keys.put("dual_clip", config.dualClip());
    keys.put("value_clip", config.valueClip());
    keys.put("value_weight", config.valueWeight());
    keys.put("entropy_weight", config.entropyWeight());
    keys.put("max_norm", config.maxNorm());
    keys.put("normalize_rewards", config.normalizesRewards());
    keys.put("normalize_advantages", config.normalizesAdvantages());
    keys.put("advantage_epsilon", config.advantageEpsilon());
    keys.put("recompute_advantages", config.recomputesAdvantages());
    keys.put("deterministic_evaluation", config.deterministicEvaluation());
    // Choices have neither.
    if (config.head() != Head.GAUSSIAN) {
      keys.put("head", word(config.head()));
    }
    if (config.invalidActions() != InvalidActions.ERROR) {
      keys.put("invalid_actions", word(config.invalidActions()));
    }
    return same(config, "Ppo", keys, node -> PpoComponents.config(PpoComponents.own(node), false));
  }

  static @Nullable ConfigNode dqn(DqnConfig config) {
    Exploration exploration = config.exploration();
    var explored = new LinkedHashMap<String, @Nullable Object>();
    explored.put("start", exploration.start());
    explored.put("end", exploration.end());
    explored.put("duration", exploration.duration());
    explored.put("fade", word(exploration.fade()));
    explored.put("clock", word(exploration.clock()));
    var keys = new LinkedHashMap<String, @Nullable Object>();
    keys.put("learning_rate", config.optimiser().learningRate());
    keys.put("weight_decay", config.optimiser().weightDecay());
    keys.put("discount", config.discount());
    keys.put("steps", config.steps());
    keys.put("target_interval", config.targetInterval());
    keys.put("double", config.doubles());
    keys.put("max_norm", config.maxNorm());
    keys.put("minibatches", config.minibatches());
    keys.put("exploration", explored);
    if (config.minibatches() == 0) {
      return null; // only Qlib's dialect has it
    }
    if (config.quantiles() == 1) {
      keys.put("loss", word(config.loss()));
      return same(
          config, "Dqn", keys, node -> DqnComponents.plainConfig(DqnComponents.plain(node)));
    }
    keys.put("quantiles", config.quantiles());
    keys.put("tail", config.tail());
    return same(
        config,
        "QuantileDqn",
        keys,
        node -> DqnComponents.quantileConfig(DqnComponents.quantile(node)));
  }

  static @Nullable ConfigNode sac(SacConfig config) {
    var keys = new LinkedHashMap<String, @Nullable Object>();
    keys.put("learning_rate", config.optimiser().learningRate());
    keys.put("weight_decay", config.optimiser().weightDecay());
    keys.put("discount", config.discount());
    keys.put("tracking", config.tracking());
    keys.put("temperature", config.temperature());
    keys.put("target_entropy", config.targetEntropy());
    keys.put("hidden", config.hidden());
    keys.put("max_norm", config.maxNorm());
    keys.put("minibatches", config.minibatches());
    keys.put("invalid_actions", word(config.invalidActions()));
    return same(config, "Sac", keys, node -> SacComponents.config(SacComponents.own(node)));
  }

  static @Nullable ConfigNode network(DayNetworkConfig config) {
    var keys = new LinkedHashMap<String, @Nullable Object>();
    switch (config) {
      case RecurrentConfig(int hidden, int output, var type, int depth) -> {
        keys.put("hidden", hidden);
        keys.put("output", output);
        keys.put("cell", word(type));
        keys.put("depth", depth);
        return named("RecurrentNetwork", keys);
      }
      case DualAttentionConfig(int hidden, int output, var type, int depth) -> {
        keys.put("hidden", hidden);
        keys.put("output", output);
        keys.put("cell", word(type));
        keys.put("depth", depth);
        return named("DualAttention", keys);
      }
      case TransformerConfig transformer -> {
        keys.put("hidden", transformer.hidden());
        keys.put("output", transformer.output());
        keys.put("heads", transformer.heads());
        keys.put("depth", transformer.depth());
        keys.put("inner", transformer.inner());
        keys.put("ticks", transformer.ticks());
        return named("CausalTransformer", keys);
      }
      case LayersConfig(var layers, int hidden, int output) -> {
        List<Object> written = LayerComponents.describe(layers);
        keys.put("hidden", hidden);
        keys.put("output", output);
        keys.put("layers", written);
        return written == null ? null : named("Layers", keys);
      }
    }
  }

  private static <C> @Nullable ConfigNode same(
      C config,
      String name,
      Map<String, @Nullable Object> keys,
      Function<ConfigNode, ? extends C> reader) {
    ConfigNode node = named(name, keys);
    return reader.apply(ComponentSpec.from(node).kwargs()).equals(config) ? node : null;
  }

  private static ConfigNode named(String name, Map<String, @Nullable Object> keys) {
    var part = new LinkedHashMap<String, @Nullable Object>();
    part.put("class", name);
    part.put("kwargs", keys);
    return ConfigFiles.of("the run", part);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
