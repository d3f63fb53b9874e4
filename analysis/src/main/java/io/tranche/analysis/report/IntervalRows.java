package io.tranche.analysis.report;

import io.tranche.analysis.report.Section.Block;
import io.tranche.analysis.report.Section.Column;
import io.tranche.run.play.Difference;
import java.util.ArrayList;
import java.util.List;

/// Means with their intervals, as a chart and as the table beside it.
final class IntervalRows {

  private final List<Chart.Item> items = new ArrayList<>();
  private final List<List<String>> rows = new ArrayList<>();

  /// @param more further cells of the row, after the mean and the interval
  void add(String label, Difference difference, String... more) {
    items.add(new Chart.Item(label, difference.meanBps(), difference.low(), difference.high()));
    addRow(label, Format.bps(difference.meanBps()), Format.interval(difference), more);
  }

  /// Adds a row to the table only.
  void addRow(String label, String mean, String interval, String... more) {
    var row = new ArrayList<>(List.of(label, mean, interval));
    row.addAll(List.of(more));
    rows.add(row);
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  Block figure(String caption) {
    return new Block.Figure(caption, new Chart.Intervals(items));
  }

  /// @param columns of the mean, the interval and the further cells
  Block table(String first, String... columns) {
    return new Block.Table(Column.named(first, columns), rows);
  }
}
