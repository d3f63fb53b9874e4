package io.tranche.runtime;

import io.tranche.backtest.Frictions;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.catalog.FrictionSettings;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.market.feature.pipeline.FeatureRecipes;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.BuildContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Everything except weights that a decision depends on.
///
/// @param isQlib whether the policy was trained under Qlib's names: then the policy also takes the
///   last decision; otherwise the last decision finishes the order
/// @param network a component of [io.tranche.policy.catalog.PolicyCatalog#networks]
/// @param policy a component of [io.tranche.policy.catalog.PolicyCatalog#agents]
/// @param actions a component of
///   [io.tranche.execution.catalog.ExecutionCatalog#actionInterpreters], whose actions are discrete
/// @param maxSteps the maximal number of decisions of an order
/// @param ticksPerStep the number of ticks between two decisions, counted from the day's first tick
/// @param mirrors whether a buy is shown as a sell on the mirrored day
/// @param session the trading hours
/// @param frequency the width of a tick
/// @param features how features are computed from bars
/// @param combination how several sets of weights agree on one decision
/// @param sessions the trading hours of the instruments that have others, by code
/// @param frictions of the simulator that the model was trained in, for fills that are assumed; no
///   decision depends on them
/// @param guard how far decisions may deviate from TWAP; null if as far as the model wants
public record ModelSpec(
    boolean isQlib,
    ConfigNode network,
    ConfigNode policy,
    ConfigNode actions,
    int maxSteps,
    int ticksPerStep,
    boolean mirrors,
    Session session,
    Frequency frequency,
    FeatureRecipe features,
    Combination combination,
    SortedMap<String, Session> sessions,
    Frictions frictions,
    @Nullable DeviationGuard guard) {

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

  /// How an ensemble decides.
  public enum Combination {
    /// The action with the largest mean probability.
    MEAN,
    /// The action that most members prefer; on a tie, the one with the larger mean.
    MAJORITY
  }

  /// Returns what makes the agent of this model; its network and policy may come from plug-ins.
  ///
  /// @throws io.tranche.config.ConfigException if a component is unknown, or its settings are wrong
  public AgentSpec<FullHistoryObservation> agent(Space actionSpace) {
    BuildContext context = context(actionSpace);
    return PolicyCatalog.agent(policy, PolicyCatalog.network(network, context), context);
  }

  /// Returns what the network and the agent are made for.
  public BuildContext context(Space actionSpace) {
    int dimension = features.columns().today().size();
    return BuildContext.of(
        FullHistoryInterpreter.space(maxSteps, ticks(), dimension), actionSpace, dimension);
  }

  public ModelSpec {
    if (maxSteps < 1 || ticksPerStep < 1) {
      throw new IllegalArgumentException(
          "maxSteps and ticksPerStep must be positive, was %d and %d"
              .formatted(maxSteps, ticksPerStep));
    }
    var others = new TreeMap<>(sessions);
    others.values().removeIf(session::equals);
    sessions = Collections.unmodifiableSortedMap(others);
  }

  /// Returns a native model without frictions that decides eight times on a day of minutes in
  /// China, as in Qlib's example.
  public static ModelSpec of(
      ConfigNode network, ConfigNode policy, ConfigNode actions, FeatureRecipe features) {
    return new ModelSpec(
        false,
        network,
        policy,
        actions,
        8,
        30,
        false,
        Session.CHINA_STOCKS,
        Frequency.MINUTE,
        features,
        Combination.MEAN,
        new TreeMap<>(),
        Frictions.NONE,
        null);
  }

  public ModelSpec withQlib(boolean isTrainedAsQlib) {
    return with(draft -> draft.isQlib = isTrainedAsQlib);
  }

  /// @param most the maximal number of decisions of an order
  public ModelSpec withSteps(int most, int ticks) {
    return with(
        draft -> {
          draft.maxSteps = most;
          draft.ticksPerStep = ticks;
        });
  }

  public ModelSpec withBars(Session hours, Frequency width) {
    return with(
        draft -> {
          draft.session = hours;
          draft.frequency = width;
        });
  }

  public ModelSpec withMirrors(boolean isMirrored) {
    return with(draft -> draft.mirrors = isMirrored);
  }

  public ModelSpec withFeatures(FeatureRecipe other) {
    return with(draft -> draft.features = other);
  }

  public ModelSpec withCombination(Combination other) {
    return with(draft -> draft.combination = other);
  }

  public ModelSpec withFrictions(Frictions other) {
    return with(draft -> draft.frictions = other);
  }

  /// @param other null for none
  public ModelSpec withGuard(@Nullable DeviationGuard other) {
    return with(draft -> draft.guard = other);
  }

  /// Returns this model for instruments of which some have other trading hours.
  public ModelSpec withSessions(SortedMap<String, Session> others) {
    return with(draft -> draft.sessions = others);
  }

  private ModelSpec with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toCopy();
  }

  /// A copy under change.
  private final class Draft {
    boolean isQlib = ModelSpec.this.isQlib;
    int maxSteps = ModelSpec.this.maxSteps;
    int ticksPerStep = ModelSpec.this.ticksPerStep;
    boolean mirrors = ModelSpec.this.mirrors;
    Session session = ModelSpec.this.session;
    Frequency frequency = ModelSpec.this.frequency;
    FeatureRecipe features = ModelSpec.this.features;
    Combination combination = ModelSpec.this.combination;
    SortedMap<String, Session> sessions = ModelSpec.this.sessions;
    Frictions frictions = ModelSpec.this.frictions;
    @Nullable DeviationGuard guard = ModelSpec.this.guard;

    ModelSpec toCopy() {
      return new ModelSpec(
          isQlib,
          network,
          policy,
          actions,
          maxSteps,
          ticksPerStep,
          mirrors,
          session,
          frequency,
          features,
          combination,
          sessions,
          frictions,
          guard);
    }
  }

  /// Returns this as text; equal models give equal texts.
  public String toYaml() {
    return toConfig().toYaml();
  }

  /// Returns the trading hours of an instrument.
  public Session session(String instrument) {
    Session own = sessions.get(instrument);
    return own == null ? session : own;
  }

  /// Returns the number of ticks in the longest day.
  public int ticks() {
    int most = session.barStarts(frequency).length;
    for (Session each : sessions.values()) {
      most = Math.max(most, each.barStarts(frequency).length);
    }
    return most;
  }

  /// Returns this as configuration, which [#from] reads.
  public ConfigNode toConfig() {
    var schedule = new LinkedHashMap<String, Object>();
    schedule.put("max_steps", maxSteps);
    schedule.put("ticks_per_step", ticksPerStep);
    schedule.put("frequency", frequency.toString());
    schedule.put("session", written(session));
    if (!sessions.isEmpty()) {
      var others = new LinkedHashMap<String, Object>();
      sessions.forEach((instrument, each) -> others.put(instrument, written(each)));
      schedule.put("sessions", others);
    }
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put("dialect", isQlib ? QLIB : NATIVE);
    root.put("network", network);
    root.put("policy", policy);
    root.put("actions", actions);
    root.put("schedule", schedule);
    root.put("mirrors", mirrors);
    root.put("features", features.toConfig());
    root.put("combination", combination.name().toLowerCase(Locale.ROOT));
    if (!frictions.equals(Frictions.NONE)) {
      root.put("frictions", FrictionSettings.describe(frictions));
    }
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

  /// Reads what [#toYaml] wrote.
  ///
  /// The author of `node` is not trusted: sizes are checked before anything is allocated.
  ///
  /// @throws io.tranche.config.ConfigException if something is missing, wrong, unknown or too large
  public static ModelSpec from(ConfigNode node) {
    node.rejectUnknown(KEYS);
    ConfigNode schedule = node.required("schedule");
    schedule.rejectUnknown(
        List.of("max_steps", "ticks_per_step", "frequency", "session", "sessions"));
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
      node.asList().forEach(ModelSpec::requireModest);
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
