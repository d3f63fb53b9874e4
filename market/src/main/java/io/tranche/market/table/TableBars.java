package io.tranche.market.table;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Bars that were read from tables, all of them in memory in single precision.
///
/// The calendar is the union of all bar times; an absent row is a missing bar.
public final class TableBars implements BarSource {

  private final Calendar calendar;
  private final List<String> instruments;
  private final List<String> fields;
  private final Map<String, BarSeries> series;
  private final long roundedValues;
  private final boolean instants;

  TableBars(
      Calendar calendar,
      boolean instants,
      List<String> fields,
      Map<String, BarSeries> series,
      long roundedValues) {
    this.instants = instants;
    this.calendar = calendar;
    this.instruments = List.copyOf(series.keySet());
    this.fields = fields;
    this.series = series;
    this.roundedValues = roundedValues;
  }

  /// Makes bars from one table.
  ///
  /// @param file the table's name in messages; `format` names its rows
  /// @throws DataException if an instrument's times are not increasing, bar widths are mixed, or a
  ///   value is infinite
  public static TableBars of(Path file, TableFormat format, Table table, ColumnMapping mapping) {
    return of(List.of(BarTable.of(file, format, table, mapping)), mapping);
  }

  static TableBars of(List<BarTable> tables, ColumnMapping mapping) {
    var fields = new LinkedHashSet<String>();
    var byInstrument = new LinkedHashMap<String, List<BarTable.Rows>>();
    for (BarTable table : tables) {
      table.requireTimesLike(tables.getFirst());
      fields.addAll(table.fields().keySet());
      for (BarTable.Rows rows : table.byInstrument()) {
        byInstrument.computeIfAbsent(rows.instrument(), _ -> new ArrayList<>()).add(rows);
      }
    }
    boolean instants = tables.getFirst().hasInstants();
    return new BarAssembly(List.copyOf(fields), byInstrument, mapping).bars(instants);
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public boolean hasInstants() {
    return instants;
  }

  @Override
  public List<String> instruments() {
    return instruments;
  }

  @Override
  public List<String> fields() {
    return fields;
  }

  @Override
  public BarSeries series(String instrument) {
    BarSeries found = series.get(instrument);
    if (found == null) {
      throw new DataException(
          "instrument", "one of the %d instruments".formatted(instruments.size()), instrument);
    }
    return found;
  }

  /// Returns how many numbers lost digits in single precision: the decimal written from these bars
  /// differs from the one read.
  ///
  /// Tables that were read in single precision count as exact.
  public long roundedValues() {
    return roundedValues;
  }
}
