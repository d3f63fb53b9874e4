package io.tranche.market.feature;

import io.tranche.market.DataException;
import java.time.LocalDate;

/// Where the features of a day come from. Safe to use from several threads.
///
/// Qlib: `ProcessedDataProvider`.
public interface FeatureSource extends AutoCloseable {

  FeatureColumns columns();

  /// Returns the features of one day; a day on which the instrument has no bars has no ticks.
  ///
  /// Hot path once the day is in the cache: one short lock, no allocation.
  ///
  /// @throws DataException if the source has no such instrument or lacks a column
  DayFeatures day(String instrument, LocalDate date);

  record InstrumentDay(String instrument, LocalDate date) {}

  /// Returns how these features are computed from bars. If that is unknown, the features must come
  /// with each bar.
  default FeatureRecipe recipe() {
    return new GivenFeatures(columns());
  }

  @Override
  default void close() {}
}
