package io.tranche.market.feature;

import io.tranche.market.DataException;
import java.time.LocalDate;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

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

  /// One instrument on one day.
  record InstrumentDay(String instrument, LocalDate date) {}

  /// Reads `days` into the cache, so that a run does not wait for them later.
  default void preload(Collection<InstrumentDay> days, FeatureProgress progress) {
    List<InstrumentDay> byInstrument = // so that each of its files is read once
        days.stream()
            .distinct()
            .sorted(
                Comparator.comparing(InstrumentDay::instrument).thenComparing(InstrumentDay::date))
            .toList();
    int done = 0;
    for (InstrumentDay day : byInstrument) {
      day(day.instrument(), day.date());
      progress.at("days", ++done, byInstrument.size());
    }
  }

  /// Returns how these features are computed from bars. If that is unknown, each bar must bring its
  /// features.
  default FeatureRecipe recipe() {
    return new GivenFeatures(columns());
  }

  @Override
  default void close() {}
}
