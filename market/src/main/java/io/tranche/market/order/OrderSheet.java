package io.tranche.market.order;

import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Table;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The order file of a backtest, row by row: a wrong row does not affect the others. Qlib:
/// `read_order_file`.
public final class OrderSheet {

  private OrderSheet() {}

  /// @param number of the row, from 1
  /// @param order null if the row is not an order
  /// @param fault what is wrong with the row, naming file, row, rule and value; null if nothing is
  public record Row(int number, @Nullable Order order, @Nullable String fault) {

    /// Returns the same row for an instrument spelt as its store does.
    public Row of(String instrument) {
      return order == null
          ? this
          : new Row(
              number,
              new Order(instrument, order.side(), order.amount(), order.start(), order.end()),
              fault);
    }

    /// Returns the same row with a fault that only its reader can find.
    public Row wrong(Path file, String expected, Object found) {
      return new Row(number, order, message(file, number, expected, found));
    }
  }

  /// Reads the columns `datetime` or `date`, `instrument`, `amount`, and `direction`, `order_type`
  /// or `side`. The times of day replace those of the dates.
  ///
  /// @throws DataException if there is no such file or a column is missing
  public static List<Row> read(Path file, LocalTime start, LocalTime end) {
    Table table = OrderFiles.readOrderFile(OrderFiles.inPlaceOf(file));
    var columns = new TableRows(file.toString(), table);
    String instrument = columns.only(List.of("instrument"));
    String amount = columns.only(List.of("amount"));
    String side = columns.only(List.of("direction", "order_type", "side"));
    var rows = new ArrayList<Row>();
    for (int row = 0; row < table.rows(); row++) {
      try {
        double number = columns.numberInTexts(amount, row);
        if (!(number > 0 && number < Double.POSITIVE_INFINITY)) {
          throw columns.bad(row, "a positive amount", number);
        }
        LocalDateTime day = columns.time("datetime", row);
        Order order =
            columns.order(
                row,
                columns.text(instrument, row),
                columns.parsedSide(side, row),
                number,
                day.with(start),
                day.with(end));
        rows.add(new Row(row + 1, order, null));
      } catch (DataException e) {
        rows.add(new Row(row + 1, null, e.getMessage()));
      }
    }
    return rows;
  }

  private static String message(Path file, int row, String expected, Object found) {
    return String.valueOf(
        new DataException("%s: row %d".formatted(file, row), expected, found).getMessage());
  }
}
