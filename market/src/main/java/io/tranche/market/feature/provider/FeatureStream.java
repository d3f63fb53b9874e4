package io.tranche.market.feature.provider;

/// The features of one provider on one day, tick by tick. For one thread.
@FunctionalInterface
public interface FeatureStream {

  /// Computes the features of a tick.
  ///
  /// Hot path of live trading: the built-in ones allocate nothing.
  ///
  /// @param tick the tick after that of the last call, 0 at first; bars after it may still be
  ///   missing
  /// @param target receives one value per column, from `at` on
  void next(int tick, float[] target, int at);
}
