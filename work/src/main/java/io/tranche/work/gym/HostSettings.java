package io.tranche.work.gym;

import io.tranche.market.order.OrderSplit.Tag;

/// How environments are hosted for another program.
///
/// @param environments how many
/// @param stage whose orders begin the episodes; those of [Tag#TRAIN] are shuffled
/// @param isFlat whether an observation is one row of numbers, those that an
///   [io.tranche.policy.network.Mlp] reads
/// @param threads that step the environments; changes no result
public record HostSettings(
    int environments, Tag stage, Autoreset autoreset, boolean isFlat, int threads) {

  /// When an environment whose episode is over begins the next one: the modes of Gymnasium.
  public enum Autoreset {
    /// With the next step, whose action is ignored.
    NEXT_STEP,
    /// At once. The last observation of the episode is kept apart.
    SAME_STEP,
    /// Only when it is told to.
    DISABLED
  }

  /// Environments of the training orders.
  public static HostSettings of(int environments) {
    return new HostSettings(environments, Tag.TRAIN, Autoreset.NEXT_STEP, false, 1);
  }

  public HostSettings {
    if (environments < 1 || threads < 1) {
      throw new IllegalArgumentException(
          "environments and threads must be positive, was %d and %d"
              .formatted(environments, threads));
    }
  }

  public HostSettings with(Autoreset other) {
    return new HostSettings(environments, stage, other, isFlat, threads);
  }

  public HostSettings withThreads(int count) {
    return new HostSettings(environments, stage, autoreset, isFlat, count);
  }
}
