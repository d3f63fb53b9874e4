package io.tranche.dashboard.runs;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.table.CsvFormat;
import io.tranche.work.tuning.Leaderboard;
import io.tranche.work.tuning.Tuning;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Searches and rolls: many runs that belong together.
public final class SearchPages {

  private static final List<String> WINDOW =
      List.of(
          "window",
          "train_from",
          "train_to",
          "valid_from",
          "valid_to",
          "judged_from",
          "judged_to",
          "checkpoint",
          "orders",
          "days",
          "over_twap_bps",
          "low",
          "high");

  private SearchPages() {}

  /// Returns the trials of a search so far, and how many reached each rung.
  ///
  /// @throws DataException if the log is damaged
  public static Map<String, Object> search(Path folder) {
    Leaderboard board = Tuning.look(folder);
    var rungs = new TreeMap<Integer, Integer>();
    for (Leaderboard.Row row : board.rows()) {
      rungs.merge(row.iterations(), 1, Integer::sum);
    }
    var reached = new ArrayList<Map<String, Integer>>();
    int beyond = 0;
    for (var rung : rungs.descendingMap().entrySet()) {
      beyond += rung.getValue();
      reached.add(Map.of("iterations", rung.getKey(), "trials", beyond, "ended", rung.getValue()));
    }
    var page = new LinkedHashMap<String, Object>();
    page.put("metric", board.metric());
    page.put("settings", board.paths());
    page.put("rungs", reached.reversed());
    page.put("trials", board.rows().stream().map(SearchPages::trial).toList());
    return page;
  }

  private static Map<String, @Nullable Object> trial(Leaderboard.Row row) {
    var shown = new LinkedHashMap<String, @Nullable Object>();
    shown.put("trial", row.trial());
    shown.put("state", row.state().words());
    shown.put("iterations", row.iterations());
    shown.put("value", row.value());
    shown.put("values", row.values());
    shown.put("reason", row.failure() == null ? null : row.failure().reason());
    return shown;
  }

  /// Returns the windows of a roll so far.
  ///
  /// @throws DataException if `roll.csv` is damaged
  public static Map<String, Object> roll(Path folder) {
    Path file = folder.resolve("roll.csv");
    if (!Files.exists(file)) {
      return Map.of("windows", List.of());
    }
    Table table = new CsvFormat().read(file, WINDOW);
    var windows = new ArrayList<Map<String, @Nullable Object>>();
    for (int row = 0; row < table.rows(); row++) {
      var window = new LinkedHashMap<String, @Nullable Object>();
      for (String name : WINDOW) {
        window.put(name, cell(table.column(name), row));
      }
      windows.add(window);
    }
    return Map.of("windows", windows);
  }

  private static @Nullable Object cell(Table.@Nullable Column column, int row) {
    return switch (column) {
      case Table.Numbers numbers -> numbers.value(row);
      case Table.Singles numbers -> (double) numbers.value(row);
      case Table.Times times -> BarTime.dateTime(times.value(row)).toLocalDate().toString();
      case Table.Texts texts -> texts.value(row);
      case null -> null;
    };
  }
}
