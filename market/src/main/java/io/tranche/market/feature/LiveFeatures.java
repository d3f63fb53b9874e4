package io.tranche.market.feature;

import java.io.DataOutput;
import java.io.IOException;

/// The features of one instrument on a day that is under way: a bar in, a row of features out.
///
/// The rows are the ones that a batch over the whole day gives, to the last bit.
///
/// For one thread. Hot path: [#append] allocates nothing.
public interface LiveFeatures {

  /// Returns how many bars were taken.
  int ticks();

  /// Takes the bar of the next tick and works out its features.
  ///
  /// @param bar one value a field of the recipe, from `barAt` on; all NaN if there was no trade
  /// @param row receives one value a column of today, from `rowAt` on; never NaN
  /// @throws IllegalStateException if the day is over
  void append(float[] bar, int barAt, float[] row, int rowAt);

  /// Returns what is known of yesterday before the day begins: ticks x columns, row by row. The
  /// array itself, not a copy.
  float[] yesterday();

  /// Writes everything that the next rows depend on; [FeatureRecipe#restore] reads it.
  void save(DataOutput out) throws IOException;
}
