package io.tranche.market.feature;

import java.io.DataOutput;
import java.io.IOException;

/// The features of one instrument on a day in progress: takes a bar, returns a row of features.
///
/// The rows equal those of a batch over the whole day, to the last bit.
///
/// For one thread. Hot path: [#append] allocates nothing.
public interface LiveFeatures {

  /// Returns how many bars were appended.
  int ticks();

  /// Takes the bar of the next tick and computes its features.
  ///
  /// @param bar one value per field of the recipe, from `barAt` on; all NaN if there was no trade
  /// @param row receives one value per column of today, from `rowAt` on; never NaN
  /// @throws IllegalStateException if the day is over
  void append(float[] bar, int barAt, float[] row, int rowAt);

  /// Returns yesterday's features, known before the day begins: ticks x columns, row by row. The
  /// array itself, not a copy.
  float[] yesterday();

  /// Writes all state that the next rows depend on; [FeatureRecipe#restore] reads it.
  void save(DataOutput out) throws IOException;
}
