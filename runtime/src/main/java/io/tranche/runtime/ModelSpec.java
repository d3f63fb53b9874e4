package io.tranche.runtime;

import io.tranche.backtest.Frictions;
import io.tranche.config.ConfigNode;
import io.tranche.env.space.Space;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureRecipe;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.BuildContext;
import java.util.Collections;
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
    return ModelSpecForm.write(this);
  }

  /// Reads what [#toYaml] wrote.
  ///
  /// The author of `node` is not trusted: sizes are checked before anything is allocated.
  ///
  /// @throws io.tranche.config.ConfigException if something is missing, wrong, unknown or too large
  public static ModelSpec from(ConfigNode node) {
    return ModelSpecForm.read(node);
  }
}
