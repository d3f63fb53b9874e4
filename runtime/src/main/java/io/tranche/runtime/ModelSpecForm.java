package io.tranche.runtime;

import io.tranche.backtest.Frictions;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The description of a model as configuration, which bundles hold. Bundles of earlier versions are
/// read too.
final class ModelSpecForm {

  private static final String QLIB = "qlib";
  private static final String NATIVE = "tranche";
  private static final String GUARD = "guard";

  private static final List<String> KEYS =
      List.of(
          "dialect",
          "network",
          "policy",
          "actions",
          "schedule",
          "mirrors",
          "features",
          "combination",
          "frictions",
          GUARD);

  /// A day of one-second ticks.
  private static final int MAX_TICKS = 86_400;

  /// Larger than any size in a network or a list of actions, and far too small to exhaust memory.
  private static final long MAX_SIZE = 1_000_000;

  private ModelSpecForm() {}

  static ConfigNode write(ModelSpec spec) {
    var schedule = new LinkedHashMap<String, Object>();
    schedule.put("max_steps", spec.maxSteps());
    schedule.put("ticks_per_step", spec.ticksPerStep());
    schedule.put("frequency", spec.frequency().toString());
    schedule.put("session", written(spec.session()));
    if (!spec.sessions().isEmpty()) {
      var others = new LinkedHashMap<String, Object>();
      spec.sessions().forEach((instrument, each) -> others.put(instrument, written(each)));
      schedule.put("sessions", others);
    }
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put("dialect", spec.isQlib() ? QLIB : NATIVE);
    root.put("network", spec.network());
    root.put("policy", spec.policy());
    root.put("actions", spec.actions());
    root.put("schedule", schedule);
    root.put("mirrors", spec.mirrors());
    root.put("features", spec.features().toConfig());
    root.put("combination", spec.combination().name().toLowerCase(Locale.ROOT));
    if (!spec.frictions().equals(Frictions.NONE)) {
      root.put("frictions", FrictionSettings.describe(spec.frictions()));
    }
    DeviationGuard guard = spec.guard();
    if (guard != null) {
      root.put(GUARD, guard.describe());
    }
    return ConfigFiles.of("the model", root);
  }

  /// Returns the text of a session, with its name if the text does not say it.
  private static Object written(Session session) {
    String text = session.text();
    return Session.parse(text).equals(session)
        ? text
        : new TreeMap<>(Map.of("name", session.name(), "hours", text));
  }

  static ModelSpec read(ConfigNode node) {
    node.rejectUnknown(KEYS);
    ConfigNode schedule = node.required("schedule");
    schedule.rejectUnknown(
        List.of("max_steps", "ticks_per_step", "frequency", "session", "sessions"));
    ModelSpec.Combination combination =
        node.required("combination").asChoice(List.of("mean", "majority")).equals("mean")
            ? ModelSpec.Combination.MEAN
            : ModelSpec.Combination.MAJORITY;
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
        combination,
        sessions(schedule.written("sessions")),
        frictions(node.written("frictions")),
        guard(node.written(GUARD)));
  }

  private static SortedMap<String, Session> sessions(@Nullable ConfigNode node) {
    var sessions = new TreeMap<String, Session>();
    if (node != null) {
      node.keys().forEach(key -> sessions.put(key, session(node.required(key))));
    }
    return sessions;
  }

  private static Frictions frictions(@Nullable ConfigNode node) {
    if (node == null) {
      return Frictions.NONE;
    }
    node.rejectUnknown(FrictionSettings.KEYS);
    return FrictionSettings.frictions(node);
  }

  private static @Nullable DeviationGuard guard(@Nullable ConfigNode node) {
    return node == null ? null : DeviationGuard.from(node);
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
      node.asList().forEach(ModelSpecForm::requireModest);
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

  /// Reads the text of a session, or its segments, as bundles of version 1 have them.
  private static Session session(ConfigNode node) {
    if (!node.isMapping()) {
      try {
        return Session.parse(node.asText());
      } catch (IllegalArgumentException _) {
        throw node.wrong("a session, or segments such as 09:30-11:30, 13:00-15:00");
      }
    }
    node.rejectUnknown(List.of("name", "hours", "segments"));
    ConfigNode hours = node.written("hours");
    if (hours != null) {
      Session read = session(hours);
      return new Session(
          node.required("name").asText(),
          read.segments(),
          read.auctions(),
          read.zone(),
          read.earlyCloses(),
          read.holidays());
    }
    var segments = new ArrayList<Session.Segment>();
    try {
      for (ConfigNode each : node.required("segments").asList()) {
        List<ConfigNode> ends = each.asList();
        if (ends.size() != 2) {
          throw each.wrong("when it opens and when it closes");
        }
        segments.add(new Session.Segment(ends.getFirst().asInt(), ends.getLast().asInt()));
      }
      return Session.of(node.required("name").asText(), segments);
    } catch (IllegalArgumentException _) {
      throw node.wrong("segments in order, in seconds from midnight, within 24 hours");
    }
  }
}
