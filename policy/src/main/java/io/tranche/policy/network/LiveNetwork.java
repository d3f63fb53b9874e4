package io.tranche.policy.network;

import io.tranche.tensor.Rows;

/// A network on live days and orders: it is given ticks and decisions as they come. The features
/// equal those of [Network.Inference] for the same day and tick, to the last bit, alone or in a
/// batch.
///
/// For one thread, and for weights that no longer change; any number of instances may share a
/// network. Hot path: allocates only when days and episodes begin.
public interface LiveNetwork {

  /// A live day, shared by all its orders.
  @FunctionalInterface
  interface Day {

    /// Appends the features of the next tick, which begin at `at` in `data`.
    void append(float[] data, int at);
  }

  /// The decisions of one order, known to the network alone.
  interface Episode {}

  /// Begins a day before its first tick.
  ///
  /// @param yesterday yesterday's features, row by row; ignored by networks that do not read them
  /// @throws io.tranche.market.DataException if the day is too long for the network, or yesterday
  ///   has another shape
  Day newDay(float[] yesterday, int ticks);

  /// Begins an order with the given side: 1 for a buy, 0 for a sell.
  Episode newEpisode(int side);

  /// Puts the next decision of `episode`, at the current end of `day`, into row `row`.
  ///
  /// @param day made by this network
  /// @param episode made by this network
  /// @param remaining the remaining fraction of the order
  /// @param progress the fraction of decisions already taken
  void put(int row, Day day, Episode episode, float remaining, float progress);

  /// Returns the features of the first `count` rows, filled by [#put]; valid until the next call.
  /// Advances each episode by one decision.
  Rows features(int count);
}
