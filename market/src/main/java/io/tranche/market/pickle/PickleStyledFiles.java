package io.tranche.market.pickle;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;

/// Finds the one file of a stock among Qlib's pickle-styled data, and a day's rows in it.
public final class PickleStyledFiles {

  private PickleStyledFiles() {}

  /// Returns `<stock>.pkl` or `<stock>.pkl.backtest`, whichever there is.
  ///
  /// @throws DataException if there is none, or both
  public static Path find(Path folder, String stock) {
    List<Path> found =
        List.of(folder.resolve(stock + ".pkl"), folder.resolve(stock + ".pkl.backtest")).stream()
            .filter(Files::exists)
            .toList();
    if (found.size() != 1) {
      throw new DataException(
          folder.toString(),
          "one of %s.pkl and %s.pkl.backtest".formatted(stock, stock),
          found.isEmpty() ? "neither" : "both");
    }
    return found.getFirst();
  }

  /// Returns the rows of one stock and date, in their order.
  ///
  /// @throws DataException if there are none
  static int[] rows(String where, Table frame, String stock, LocalDate date) {
    if (!(frame.column("instrument") instanceof Table.Texts instruments)
        || frame.column("date") == null
        || frame.column("date") instanceof Table.Numbers
        || frame.column("date") instanceof Table.Singles) {
      throw new DataException(where, "an index by instrument and date", frame.names());
    }
    long midnight = BarTime.of(date);
    int[] rows =
        IntStream.range(0, frame.rows())
            .filter(row -> stock.equals(instruments.value(row)))
            .filter(row -> time(where, frame, "date", row) == midnight)
            .toArray();
    if (rows.length == 0) {
      throw new DataException(where, "rows of %s on %s".formatted(stock, date), "none");
    }
    return rows;
  }

  static long time(String where, Table frame, String column, int row) {
    try {
      return frame.time(column, row);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new DataException(
          "%s: row %d".formatted(where, row + 1), "a time in " + column, e.getMessage(), e);
    }
  }

  static double[] numbers(String where, Table frame, String column, int[] rows) {
    double[] values = new double[rows.length];
    for (int i = 0; i < rows.length; i++) {
      try {
        values[i] = frame.number(column, rows[i]);
      } catch (IllegalArgumentException e) {
        throw new DataException(where, "numbers in a column " + column, frame.names(), e);
      }
    }
    return values;
  }
}
