package io.tranche.market.store;

import io.tranche.market.Frequency;
import io.tranche.market.expression.evaluation.Column;
import io.tranche.market.expression.evaluation.FieldSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The files of one instrument, opened on first use.
final class InstrumentBins implements FieldSource, AutoCloseable {

  private final StoreLayout layout;
  private final String instrument;
  private final Frequency frequency;
  private final int calendarSize;
  private final Map<String, Optional<BinFile>> files = new HashMap<>();

  InstrumentBins(StoreLayout layout, String instrument, Frequency frequency, int calendarSize) {
    this.layout = layout;
    this.instrument = instrument;
    this.frequency = frequency;
    this.calendarSize = calendarSize;
  }

  /// Returns the file of `field`, or null if there is none.
  @Nullable BinFile file(String field) {
    return files
        .computeIfAbsent(
            field.toLowerCase(Locale.ROOT),
            name ->
                Optional.ofNullable(
                    BinFile.open(layout.bin(instrument, name, frequency), calendarSize)))
        .orElse(null);
  }

  @Override
  public Column load(String field, int from, int to) {
    BinFile file = file(field);
    if (file == null) {
      return Column.ofField(from, new float[0]);
    }
    int first = Math.clamp(file.first(), from, to + 1);
    int end = Math.clamp(file.end(), first, to + 1);
    float[] values = new float[end - first];
    file.copy(first, values, 0, values.length);
    return Column.ofField(first, values);
  }

  @Override
  public void close() {
    files.values().forEach(file -> file.ifPresent(BinFile::close));
  }
}
