package io.tranche.runtime;

import io.tranche.config.ConfigNode;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureRecipe;

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
    Combination combination) {

  /// How an ensemble decides.
  public enum Combination {
    /// The action with the largest mean probability.
    MEAN,
    /// The action that most members prefer; on a tie, the one with the larger mean.
    MAJORITY
  }

  public ModelSpec {
    if (maxSteps < 1 || ticksPerStep < 1) {
      throw new IllegalArgumentException(
          "maxSteps and ticksPerStep must be positive, was %d and %d"
              .formatted(maxSteps, ticksPerStep));
    }
  }

  /// Reads what [#toYaml] wrote.
  ///
  /// @throws io.tranche.config.ConfigException if something is missing, wrong, unknown or too large
  public static ModelSpec from(ConfigNode node) {
    return SpecConfig.read(node);
  }

  /// Returns this as text; equal models give equal texts.
  public String toYaml() {
    return toConfig().toYaml();
  }

  public ConfigNode toConfig() {
    return SpecConfig.write(this);
  }

  /// Returns the number of ticks in a day.
  public int ticks() {
    return session.barStarts(frequency).length;
  }
}
