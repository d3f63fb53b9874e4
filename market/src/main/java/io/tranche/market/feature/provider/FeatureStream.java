package io.tranche.market.feature.provider;

/// The features of one provider on one day, tick by tick. For one thread.
@FunctionalInterface
public interface FeatureStream {

  /// Works out the features of a tick.
  ///
  /// Hot path of live trading: the built-in ones allocate nothing.
  ///
  /// @param tick the one after that of the last call, 0 at first; of the day's bars those up to it
  ///   are there, the others may still be missing
  /// @param target receives one value a column, from `at` on
  void next(int tick, float[] target, int at);
}
