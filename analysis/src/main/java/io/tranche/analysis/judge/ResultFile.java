package io.tranche.analysis.judge;

import io.tranche.analysis.Comparison;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import io.tranche.market.order.OrderFiles;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;

/// Results of orders in a file, such as `result.csv` of a backtest or a table that another program
/// made: the columns of an order file, `advantage_bps` over TWAP, and optionally `completion` (or
/// else 1) and `reference_bps`, the advantage of what it is compared with (or else TWAP's, which is
/// 0).
public final class ResultFile {

  private static final String ADVANTAGE = "advantage_bps";
  private static final String REFERENCE = "reference_bps";
  private static final String COMPLETION = "completion";
  private static final LocalTime DAY_END = LocalTime.of(23, 59, 59);

  private ResultFile() {}

  /// Whether a file is a table, judged by its name.
  public static boolean isTable(Path file) {
    return Files.isRegularFile(file)
        && TableFormat.installed().stream().anyMatch(format -> format.accepts(file));
  }

  /// Compares the results with their reference.
  ///
  /// @throws DataException if a column is missing or a value is wrong: file, row, rule and value
  public static Comparison compare(Path file) {
    TableFormat format = TableFormat.of(file);
    Table table = format.read(file, List.of());
    if (table.rows() == 0) {
      throw new DataException(file.toString(), "at least one order", "none");
    }
    List<Order> orders = OrderFiles.orders(file.toString(), table, LocalTime.MIDNIGHT, DAY_END);
    var results = new ArrayList<OrderResult>();
    var references = new ArrayList<OrderResult>();
    for (int row = 0; row < orders.size(); row++) {
      Order order = orders.get(row);
      double completion = number(file, format, table, COMPLETION, row, 1.0);
      if (completion < 0 || completion > 1) {
        throw new DataException(format.place(file, row), "a completion from 0 to 1", completion);
      }
      double advantage = number(file, format, table, ADVANTAGE, row, Double.NaN);
      results.add(OrderResult.of(order, advantage, completion));
      references.add(OrderResult.of(order, number(file, format, table, REFERENCE, row, 0.0), 1));
    }
    return Comparison.of(
        new PolicyResults("results", results),
        new PolicyResults(table.column(REFERENCE) == null ? "TWAP" : "the reference", references));
  }

  /// @param absent the value if there is no such column; NaN if there must be
  private static double number(
      Path file, TableFormat format, Table table, String name, int row, double absent) {
    return switch (table.column(name)) {
      case null -> {
        if (Double.isNaN(absent)) {
          throw new DataException(file.toString(), "a column " + name, table.names());
        }
        yield absent;
      }
      case Table.Numbers _, Table.Singles _ -> {
        double value = table.number(name, row);
        if (!Double.isFinite(value)) {
          throw new DataException(format.place(file, row), "a finite " + name, value);
        }
        yield value;
      }
      default -> throw new DataException(file.toString(), "numbers in the column " + name, "texts");
    };
  }
}
