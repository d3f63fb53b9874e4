package io.tranche.work.roll;

import io.tranche.analysis.Difference;
import io.tranche.env.log.CsvTable;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.work.roll.RollPlan.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How the judged days of all windows went, read from their files: so a roll that was resumed
/// reports what one that was not does.
///
/// @param rows one per window
/// @param together all judged orders of all windows
public record RollReport(List<Row> rows, Difference together) {

  static final String DAYS = "date";
  static final String BPS = "over_twap_bps";
  static final String JUDGED = "judged.csv";

  /// A window.
  ///
  /// @param checkpoint the one that was chosen on the validation days
  /// @param overTwap by how much it was better than TWAP on the judged days
  public record Row(Window window, String checkpoint, Difference overTwap) {}

  public RollReport {
    rows = List.copyOf(rows);
  }

  /// @param folders of the windows, in order
  static RollReport read(List<Window> windows, List<Path> folders) {
    var all = new Difference.Builder();
    var rows = new ArrayList<Row>();
    for (int i = 0; i < windows.size(); i++) {
      var own = new Difference.Builder();
      for (String line : lines(folders.get(i).resolve(JUDGED))) {
        String[] cells = line.split(",", 2);
        LocalDate date = LocalDate.parse(cells[0]);
        double bps = Double.parseDouble(cells[1]);
        own.add(date, bps);
        all.add(date, bps);
      }
      String chosen = lines(folders.get(i).resolve(Roll.CHOSEN)).getFirst();
      rows.add(new Row(windows.get(i), chosen, own.build()));
    }
    return new RollReport(rows, all.build());
  }

  private static List<String> lines(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      return lines.subList(1, lines.size());
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage());
    }
  }

  /// Returns the report as lines for people.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add("window  judged                    days  orders  - TWAP      95 % interval  checkpoint");
    for (Row row : rows) {
      Difference over = row.overTwap;
      lines.add(
          format(
              "%6d  %s to %s  %4d  %6d  %+6.2f  %+7.2f to %+7.2f  %s",
              row.window.number(),
              row.window.judged().getFirst(),
              row.window.judged().getLast(),
              over.days(),
              over.orders(),
              over.meanBps(),
              over.low(),
              over.high(),
              row.checkpoint));
    }
    lines.add(
        format(
            "all windows: %+.2f bps over TWAP, %+.2f to %+.2f, %d orders on %d days that no window"
                + " had seen",
            together.meanBps(),
            together.low(),
            together.high(),
            together.orders(),
            together.days()));
    return lines;
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /// Writes `roll.csv`, a row per window, and `report.md`.
  void write(Path folder) {
    var table = new ArrayList<Map<String, Object>>();
    for (Row row : rows) {
      Window window = row.window;
      var cells = new LinkedHashMap<String, Object>();
      cells.put("window", Integer.toString(window.number()));
      cells.put("train_from", window.train().getFirst().toString());
      cells.put("train_to", window.train().getLast().toString());
      cells.put("valid_from", window.valid().getFirst().toString());
      cells.put("valid_to", window.valid().getLast().toString());
      cells.put("judged_from", window.judged().getFirst().toString());
      cells.put("judged_to", window.judged().getLast().toString());
      cells.put("checkpoint", row.checkpoint);
      cells.put("orders", Integer.toString(row.overTwap.orders()));
      cells.put("days", Integer.toString(row.overTwap.days()));
      cells.put(BPS, row.overTwap.meanBps());
      cells.put("low", row.overTwap.low());
      cells.put("high", row.overTwap.high());
      table.add(cells);
    }
    Path file = folder.resolve("roll.csv");
    try {
      var text = new StringBuilder();
      CsvTable.write(table, text);
      PendingFile.write(file, text.toString());
      PendingFile.write(
          folder.resolve("report.md"),
          "# Walk forward\n\n```\n" + String.join("\n", lines()) + "\n```\n");
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }
}
