package io.tranche.market.pickle;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/// Features of one stock and day, and of the day before, from a pickle-styled file. Qlib:
/// `PickleIntradayProcessedData`.
///
/// The file has one row per tick and one column per feature, yesterday's with the suffix `_1`; or,
/// in the legacy format without times, all numbers of the day in one line, row by row, today's
/// first.
public final class ProcessedDay {

  private final List<String> names;
  private final double[] today;
  private final double[] yesterday;

  private ProcessedDay(List<String> names, double[] today, double[] yesterday) {
    this.names = names;
    this.today = today;
    this.yesterday = yesterday;
  }

  /// Returns the features that a file of `count` features has.
  ///
  /// @throws ConfigException if `count` is not 5, 6 or 16
  public static List<String> featureNames(int count) {
    return switch (count) {
      case 5 -> List.of("$high", "$low", "$open", "$close", "$volume");
      case 6 -> List.of("$high", "$low", "$open", "$close", "$vwap", "$volume");
      case 16 ->
          List.of(
              "$open", "$high", "$low", "$close", "$vwap", "$bid", "$ask", "$volume", "$bidV",
              "$bidV1", "$bidV3", "$bidV5", "$askV", "$askV1", "$askV3", "$askV5");
      default -> throw new ConfigException("feature_dim", "5, 6 or 16", count);
    };
  }

  /// Reads the stock's file in `folder`.
  ///
  /// @throws DataException if it is missing or damaged, or lacks the day or the number of ticks
  public static ProcessedDay read(
      Path folder, String stock, LocalDate date, int features, int ticks) {
    Path file = PickleStyledFiles.find(folder, stock);
    return of(
        file.toString(), new PickleFormat().read(file, List.of()), stock, date, features, ticks);
  }

  /// Takes the day from a frame with the columns instrument, date and, in the new format, datetime.
  public static ProcessedDay of(
      String where, Table frame, String stock, LocalDate date, int features, int ticks) {
    List<String> names = featureNames(features);
    int[] rows = PickleStyledFiles.rows(where, frame, stock, date);
    var columns = new ArrayList<>(frame.names());
    columns.removeAll(List.of("instrument", "datetime", "date"));
    if (frame.column("datetime") == null) {
      return legacy(where, frame, rows, columns, names, ticks);
    }
    if (rows.length != ticks || columns.size() != 2 * features) {
      throw new DataException(
          where,
          "%d ticks of %d columns on %s".formatted(ticks, 2 * features, date),
          "%d of %d".formatted(rows.length, columns.size()));
    }
    return new ProcessedDay(
        names,
        interleave(where, frame, rows, names, ""),
        interleave(where, frame, rows, names, "_1"));
  }

  private static double[] interleave(
      String where, Table frame, int[] rows, List<String> names, String suffix) {
    double[] values = new double[rows.length * names.size()];
    for (int feature = 0; feature < names.size(); feature++) {
      double[] column = PickleStyledFiles.numbers(where, frame, names.get(feature) + suffix, rows);
      for (int tick = 0; tick < rows.length; tick++) {
        values[tick * names.size() + feature] = column[tick];
      }
    }
    return values;
  }

  private static ProcessedDay legacy(
      String where, Table frame, int[] rows, List<String> columns, List<String> names, int ticks) {
    int half = ticks * names.size();
    // The numbers run down one column or along one row.
    int held = rows.length == 1 ? columns.size() : rows.length;
    if (held != 2 * half || (rows.length > 1 && columns.size() != 1)) {
      throw new DataException(
          where,
          "%d numbers in one row or column".formatted(2 * half),
          "%d rows of %d".formatted(rows.length, columns.size()));
    }
    double[] today = new double[half];
    double[] yesterday = new double[half];
    for (int i = 0; i < 2 * half; i++) {
      int[] row = {rows.length == 1 ? rows[0] : rows[i]};
      String column = columns.get(rows.length == 1 ? i : 0);
      double value = PickleStyledFiles.numbers(where, frame, column, row)[0];
      (i < half ? today : yesterday)[i % half] = value;
    }
    return new ProcessedDay(names, today, yesterday);
  }

  public List<String> names() {
    return names;
  }

  public int ticks() {
    return today.length / names.size();
  }

  public double today(int tick, int feature) {
    return today[tick * names.size() + feature];
  }

  public double yesterday(int tick, int feature) {
    return yesterday[tick * names.size() + feature];
  }
}
