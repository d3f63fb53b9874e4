package io.tranche.runtime;

import io.tranche.config.ConfigNode;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.FeatureRecipe;

/// Everything besides weights that a decision depends on.
///
/// @param isQlib whether the policy was trained under Qlib's names: then the last decision is what
///   the policy says; otherwise it finishes the order
/// @param network a component of [io.tranche.policy.catalog.PolicyCatalog#networks]
/// @param policy a component of [io.tranche.policy.catalog.PolicyCatalog#algorithms]
/// @param actions a component of
///   [io.tranche.execution.catalog.ExecutionCatalog#actionInterpreters], whose actions are discrete
/// @param maxSteps how many decisions an order takes at most
/// @param ticksPerStep how many ticks lie between two decisions, counted from the day's first
/// @param mirrors whether a buy is shown as a sell upside down
/// @param session when there is trading
/// @param frequency the width of a tick
/// @param features how features are made of bars
/// @param combination how several sets of weights come to one decision
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
    /// The action whose probabilities are largest on average.
    MEAN,
    /// The action that most members would take; of equals the one with the larger mean.
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
  /// @throws io.tranche.config.ConfigException if something is missing, wrong, unknown or out of
  ///   all proportion
  public static ModelSpec from(ConfigNode node) {
    return SpecConfig.read(node);
  }

  /// Returns this as text; equal models give equal texts.
  public String toYaml() {
    return SpecConfig.write(this).toYaml();
  }

  /// Returns how many ticks a day has.
  public int ticks() {
    return session.barStarts(frequency).length;
  }
}
