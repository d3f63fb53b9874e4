package io.tranche.work.tuning;

import io.tranche.env.log.CsvTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All trials of a search, the best first. Trials with more iterations come before trials with
/// fewer, because metrics are comparable only after the same number of iterations; then the metric
/// decides, then the number. Failed trials are last.
///
/// @param rows with the settings in the order of `paths`
public record Leaderboard(String metric, List<String> paths, List<Row> rows) {

  /// A trial.
  ///
  /// @param iterations how many it had
  /// @param value the metric after them; NaN if it failed
  /// @param values its settings, in the order of the search space
  /// @param points the metric in all its iterations
  /// @param failure null if it did not fail
  public record Row(
      int trial,
      TrialState state,
      int iterations,
      double value,
      List<String> values,
      List<Point> points,
      @Nullable Failure failure) {

    public Row {
      values = List.copyOf(values);
      points = List.copyOf(points);
    }
  }

  public Leaderboard {
    paths = List.copyOf(paths);
    rows = List.copyOf(rows);
  }

  /// @param higherIsBetter whether higher values of the metric are better
  static Comparator<Row> order(boolean higherIsBetter) {
    int sign = higherIsBetter ? -1 : 1;
    return Comparator.comparing((Row row) -> row.failure() != null)
        .thenComparing(Row::iterations, Comparator.reverseOrder())
        .thenComparingDouble(row -> sign * row.value())
        .thenComparingInt(Row::trial);
  }

  /// Returns the best trial, which may be the base; null if all failed.
  public @Nullable Row best() {
    return rows.isEmpty() || rows.getFirst().failure() != null ? null : rows.getFirst();
  }

  /// Returns the base, if it was tried.
  public @Nullable Row base() {
    return rows.stream().filter(row -> row.trial() == Trial.BASE).findFirst().orElse(null);
  }

  /// Returns the first failure if all trials besides the base failed; otherwise null.
  public @Nullable Failure failureOfAll() {
    List<Row> drawn = rows.stream().filter(row -> row.trial() != Trial.BASE).toList();
    return drawn.stream().anyMatch(row -> row.failure() == null)
        ? null
        : drawn.stream().min(Comparator.comparingInt(Row::trial)).map(Row::failure).orElse(null);
  }

  /// Returns the table as CSV. Equal leaderboards give equal bytes.
  String csv() {
    var records = new ArrayList<Map<String, Object>>();
    for (Row row : rows) {
      var record = new LinkedHashMap<String, Object>();
      record.put("rank", Integer.toString(records.size() + 1));
      record.put("trial", Integer.toString(row.trial()));
      record.put("state", row.state().words());
      record.put("iterations", Integer.toString(row.iterations()));
      record.put(metric, row.value());
      for (int i = 0; i < paths.size(); i++) {
        record.put(paths.get(i), row.values().get(i));
      }
      record.put("reason", row.failure() == null ? "" : row.failure().reason());
      records.add(record);
    }
    var text = new StringBuilder();
    try {
      CsvTable.write(records, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringBuilder has none
    }
    return text.toString();
  }
}
