package io.tranche.work.backtest;

import io.tranche.backtest.run.ResultRow;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.market.Table;
import io.tranche.market.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `backtest_result.csv`, in Qlib's columns and order.
final class ResultFiles {

  static final String RESULT = "backtest_result.csv";
  static final String PARQUET = "backtest_result.parquet";
  static final String FAILED = "failed_orders.csv";

  /// Records take many times the memory of rows, so they are made in batches.
  private static final int ROWS_AT_ONCE = 1000;

  private ResultFiles() {}

  static void append(List<ResultRow> rows, CsvFile file) {
    Set<String> columns = columns(rows);
    for (int from = 0; from < rows.size(); from += ROWS_AT_ONCE) {
      int to = Math.min(rows.size(), from + ROWS_AT_ONCE);
      file.append(records(rows.subList(from, to), columns));
    }
  }

  /// Writes the rows as Parquet, for reading the results with a cluster.
  ///
  /// @throws DataException if Parquet is not installed, or the file cannot be written
  static void writeParquet(List<ResultRow> rows, Path folder) {
    Path target = folder.resolve(PARQUET);
    Set<String> names = columns(rows);
    try (TableFormat.Writer writer = TableFormat.of(target).create(target)) {
      for (int from = 0; from < rows.size(); from += ROWS_AT_ONCE) {
        int to = Math.min(rows.size(), from + ROWS_AT_ONCE);
        writer.append(table(records(rows.subList(from, to), names)));
      }
      writer.commit();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  private static Table table(List<Map<String, Object>> records) {
    var columns = new LinkedHashMap<String, Table.Column>();
    for (String name : records.getFirst().keySet()) {
      List<Object> values = records.stream().map(record -> record.getOrDefault(name, "")).toList();
      columns.put(
          name,
          switch (values.getFirst()) {
            case String _ ->
                Table.Texts.of(values.stream().map(Object::toString).toArray(String[]::new));
            case LocalDateTime _ ->
                new Table.Times(
                    values.stream().mapToLong(time -> BarTime.of((LocalDateTime) time)).toArray());
            default ->
                new Table.Numbers(
                    values.stream()
                        .mapToDouble(number -> ((Number) number).doubleValue())
                        .toArray());
          });
    }
    return Table.of(columns);
  }

  /// Returns the columns of [#RESULT] in Qlib's order: each stands where it first appears.
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
