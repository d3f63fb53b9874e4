package io.tranche.runtime;

import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import io.tranche.runtime.ModelSpec.Combination;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A [ModelSpec] as configuration. Its author is not trusted: sizes are checked before anything is
/// allocated.
final class SpecConfig {

  private static final String QLIB = "qlib";
  private static final String NATIVE = "tranche";

  private static final List<String> KEYS =
      List.of(
          "dialect",
          "network",
          "policy",
          "actions",
          "schedule",
          "mirrors",
          "features",
          "combination");

  /// A day of one-second ticks.
  private static final int MAX_TICKS = 86_400;

  /// Larger than any size in a network or a list of actions, and far too small to exhaust memory.
  private static final long MAX_SIZE = 1_000_000;

  private SpecConfig() {}

  static ConfigNode write(ModelSpec spec) {
    var segments = new ArrayList<List<Integer>>();
    spec.session().segments().forEach(each -> segments.add(List.of(each.open(), each.close())));
    var session = new LinkedHashMap<String, Object>();
    session.put("name", spec.session().name());
    session.put("segments", segments);
    var schedule = new LinkedHashMap<String, Object>();
    schedule.put("max_steps", spec.maxSteps());
    schedule.put("ticks_per_step", spec.ticksPerStep());
    schedule.put("frequency", spec.frequency().toString());
    schedule.put("session", session);
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put("dialect", spec.isQlib() ? QLIB : NATIVE);
    root.put("network", spec.network());
    root.put("policy", spec.policy());
    root.put("actions", spec.actions());
    root.put("schedule", schedule);
    root.put("mirrors", spec.mirrors());
    root.put("features", spec.features().toConfig());
    root.put("combination", spec.combination().name().toLowerCase(Locale.ROOT));
    return ConfigFiles.of("the model", root);
  }

  static ModelSpec read(ConfigNode node) {
    node.rejectUnknown(KEYS);
    ConfigNode schedule = node.required("schedule");
    schedule.rejectUnknown(List.of("max_steps", "ticks_per_step", "frequency", "session"));
    Combination combination =
        node.required("combination").asChoice(List.of("mean", "majority")).equals("mean")
            ? Combination.MEAN
            : Combination.MAJORITY;
    return new ModelSpec(
        node.required("dialect").asChoice(List.of(QLIB, NATIVE)).equals(QLIB),
        component(node.required("network")),
        component(node.required("policy")),
        component(node.required("actions")),
        ticks(schedule.required("max_steps")),
        ticks(schedule.required("ticks_per_step")),
        node.required("mirrors").asBoolean(),
        session(schedule.required("session")),
        frequency(schedule.required("frequency")),
        FeatureRecipes.from(node.required("features")),
        combination);
  }

  private static int ticks(ConfigNode node) {
    if (node.asCount() > MAX_TICKS) {
      throw node.wrong("at most %d, the seconds of a day".formatted(MAX_TICKS));
    }
    return node.asInt();
  }

  private static ConfigNode component(ConfigNode node) {
    ComponentSpec.from(node);
    requireModest(node);
    return node;
  }

  private static void requireModest(ConfigNode node) {
    if (node.isMapping()) {
      node.keys().forEach(key -> requireModest(node.required(key)));
    } else if (node.isList()) {
      node.asList().forEach(SpecConfig::requireModest);
    } else if (node.scalar() instanceof Long number && Math.abs(number) > MAX_SIZE) {
      throw node.wrong("at most " + MAX_SIZE);
    }
  }

  private static Frequency frequency(ConfigNode node) {
    try {
      return Frequency.parse(node.asText());
    } catch (IllegalArgumentException | ArithmeticException _) {
      throw node.wrong("a frequency such as 1min");
    }
  }

  private static Session session(ConfigNode node) {
    node.rejectUnknown(List.of("name", "segments"));
    var segments = new ArrayList<Session.Segment>();
    try {
      for (ConfigNode each : node.required("segments").asList()) {
        List<ConfigNode> ends = each.asList();
        if (ends.size() != 2) {
          throw each.wrong("when it opens and when it closes");
        }
        segments.add(new Session.Segment(ends.getFirst().asInt(), ends.getLast().asInt()));
      }
      return new Session(node.required("name").asText(), segments);
    } catch (IllegalArgumentException _) {
      throw node.wrong("segments in order, in seconds from midnight, within 24 hours");
    }
  }
}
