package io.tranche.experiment.backtest;

import io.tranche.backtest.run.ResultRow;
import io.tranche.market.Side;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `backtest_result.csv`, in Qlib's columns and order.
final class ResultFiles {

  static final String RESULT = "backtest_result.csv";
  static final String FAILED = "failed_orders.csv";

  /// Records are many times as large as rows.
  private static final int ROWS_AT_ONCE = 1000;

  private ResultFiles() {}

  static void write(List<ResultRow> rows, Path folder) {
    try (var sheet = new Sheet(folder.resolve(RESULT))) {
      Set<String> columns = columns(rows);
      for (int from = 0; from < rows.size(); from += ROWS_AT_ONCE) {
        int to = Math.min(rows.size(), from + ROWS_AT_ONCE);
        sheet.append(records(rows.subList(from, to), columns));
      }
      sheet.commit();
    }
  }

  /// Returns the columns of [#RESULT] as Qlib orders them: those of the base stand where the first
  /// row with one has them.
  private static Set<String> columns(Iterable<ResultRow> rows) {
    var columns = new LinkedHashSet<String>();
    rows.forEach(row -> columns.addAll(row.record().keySet()));
    return columns;
  }

  private static List<Map<String, Object>> records(List<ResultRow> rows, Set<String> columns) {
    var records = new ArrayList<Map<String, Object>>();
    for (ResultRow row : rows) {
      Map<String, Object> given = row.record();
      var record = new LinkedHashMap<String, Object>();
      columns.forEach(column -> record.put(column, given.getOrDefault(column, Double.NaN)));
      records.add(record);
    }
    return records;
  }

  static String side(Side side) {
    return side == Side.BUY ? "buy" : "sell";
  }
}
