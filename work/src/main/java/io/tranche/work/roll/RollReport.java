package io.tranche.work.roll;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.env.log.CsvTable;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.work.roll.RollPlan.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How the judged days of all windows went, read from their files: so a roll that was resumed
/// reports what one that was not does.
///
/// @param rows one per window
/// @param overTwap the agents with their guards on all judged orders of all windows
/// @param overLinear how much better than the linear baseline they are; null if there is none
/// @param others of the same orders, by what differs: [#NEUTRAL], [#LINEAR], [#ALONE]; and
///   [#SELECTED], the agents without their guards on the days that guards were fitted to
public record RollReport(
    List<Row> rows,
    Comparison overTwap,
    @Nullable Difference overLinear,
    Map<String, Difference> others) {

  static final String DAYS = "date";
  static final String SIDE = "side";
  static final String BPS = "over_twap_bps";

  /// The part of the order that was filled, and the part that TWAP filled.
  static final String FILLED = "filled";

  static final String TWAP_FILLED = "twap_filled";
  static final String JUDGED = "judged.csv";

  /// The agents at prices without the market's moves.
  public static final String NEUTRAL = "neutral_bps";

  /// The linear baseline.
  public static final String LINEAR = "linear_bps";

  /// The agents without their guards.
  public static final String ALONE = "without_guard_bps";

  /// Begins the names of single seeds, without guards, where several act together.
  public static final String SEED = "seed_";

  /// The same on days that had no part in training, nor in the choice of checkpoints.
  public static final String SELECTED = "selected.csv";

  /// The columns of a judged order that a verdict needs.
  private static final List<String> ORDER = List.of(DAYS, SIDE, FILLED, TWAP_FILLED, BPS);

  private static final Map<String, String> WORDS = words();

  private static Map<String, String> words() {
    var words = new LinkedHashMap<String, String>();
    words.put(NEUTRAL, "the same without the market's moves");
    words.put(ALONE, "the agents without their guards");
    words.put(LINEAR, "the linear baseline");
    words.put(SELECTED, "the agents without their guards on the days their guards were fitted to");
    return words;
  }

  /// A window.
  ///
  /// @param checkpoint the one that was chosen on the validation days
  /// @param guard how far it may deviate from TWAP, from 0 to 1
  /// @param overTwap by how much it was better than TWAP on the judged days
  public record Row(Window window, String checkpoint, double guard, Difference overTwap) {}

  public RollReport {
    rows = List.copyOf(rows);
    others = Collections.unmodifiableMap(new LinkedHashMap<>(others));
  }

  /// @param folders of the windows, in order
  static RollReport read(List<Window> windows, List<Path> folders) {
    var overTwap = new Comparison.Builder("the agent", "TWAP");
    var overLinear = new Difference.Builder();
    var others = new LinkedHashMap<String, Difference.Builder>();
    var rows = new ArrayList<Row>();
    for (int i = 0; i < windows.size(); i++) {
      Path folder = folders.get(i);
      requireColumns(folder.resolve(JUDGED));
      var own = new Difference.Builder();
      for (JudgedOrder order : orders(folder.resolve(JUDGED))) {
        LocalDate date = order.date();
        double bps = order.number(BPS);
        own.add(date, bps);
        overTwap.add(
            date,
            Side.parse(order.cell(SIDE)),
            bps,
            order.number(FILLED),
            order.number(TWAP_FILLED));
        if (order.has(LINEAR)) {
          overLinear.add(date, bps - order.number(LINEAR));
        }
        for (String name : order.names()) {
          if (!ORDER.contains(name)) {
            difference(others, name).add(date, order.number(name));
          }
        }
      }
      Path selected = folder.resolve(SELECTED);
      if (Files.exists(selected)) {
        for (JudgedOrder order : orders(selected)) {
          difference(others, SELECTED).add(order.date(), order.number(ALONE));
        }
      }
      String[] chosen = lines(folder.resolve(Roll.CHOSEN)).get(1).split(",", -1);
      rows.add(
          new Row(
              windows.get(i),
              chosen[0],
              chosen.length > 1 ? Double.parseDouble(chosen[1]) : 1,
              own.build()));
    }
    var built = new LinkedHashMap<String, Difference>();
    others.forEach((name, each) -> built.put(name, each.build()));
    // The windows do not say which orders are opposites, and a verdict does not ask.
    return new RollReport(
        rows, overTwap.build(false), built.containsKey(LINEAR) ? overLinear.build() : null, built);
  }

  private static Difference.Builder difference(
      Map<String, Difference.Builder> differences, String name) {
    return differences.computeIfAbsent(name, _ -> new Difference.Builder());
  }

  /// @throws DataException if an earlier version wrote the file, which did not say what a verdict
  ///   asks for
  static void requireColumns(Path judged) {
    List<String> names = names(lines(judged));
    if (!names.containsAll(ORDER)) {
      throw new DataException(
          judged.toString(),
          "the columns %s, which earlier versions did not write (delete this file and the window's"
                  .formatted(String.join(", ", ORDER))
              + " model, then roll again: the window is judged again)",
          names);
    }
  }

  /// One order in a table of a window.
  private record JudgedOrder(List<String> names, List<String> cells) {

    boolean has(String name) {
      return names.contains(name);
    }

    String cell(String name) {
      return cells.get(names.indexOf(name));
    }

    double number(String name) {
      return Double.parseDouble(cell(name));
    }

    LocalDate date() {
      return LocalDate.parse(cell(DAYS));
    }
  }

  private static List<JudgedOrder> orders(Path file) {
    List<String> lines = lines(file);
    List<String> names = names(lines);
    return lines.stream()
        .skip(1)
        .map(line -> new JudgedOrder(names, List.of(line.split(",", -1))))
        .toList();
  }

  private static List<String> names(List<String> lines) {
    return List.of(lines.getFirst().split(",", -1));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new DataException(file.toString(), "a file that can be read", e.getMessage());
    }
  }

  /// Returns by how much the agents with their guards were better than TWAP on all judged orders.
  public Difference together() {
    return overTwap.together();
  }

  /// Returns what the judged days show of the agents with their guards, in the words of [Verdict],
  /// unless every order ended as with TWAP because no guard opened.
  public String verdict() {
    return isTwap() ? "TWAP: no guard opened" : Verdict.of(overTwap).sentence();
  }

  private boolean isTwap() {
    return rows.stream().allMatch(row -> row.guard == 0);
  }

  /// Returns what else the figures say, one sentence each: what could still hide after a verdict of
  /// no difference, and whether a linear forecast does as well as agents that are better than TWAP.
  public List<String> remarks() {
    if (isTwap()) {
      return List.of();
    }
    Verdict.Kind kind = Verdict.of(overTwap).kind();
    return Stream.of(
            Assessment.notRuledOut(kind, overTwap),
            overLinear == null ? null : Assessment.needsNoNetwork(kind, overLinear))
        .filter(Objects::nonNull)
        .toList();
  }

  /// Returns the report as lines for people.
  public List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "window  judged                    days  orders  - TWAP      95 % interval  guard  checkpoint");
    for (Row row : rows) {
      Difference over = row.overTwap;
      lines.add(
          String.format(
              Locale.ROOT,
              "%6d  %s to %s  %4d  %6d  %+6.2f  %+7.2f to %+7.2f  %5.2f  %s",
              row.window.number(),
              row.window.judged().getFirst(),
              row.window.judged().getLast(),
              over.days(),
              over.orders(),
              over.meanBps(),
              over.low(),
              over.high(),
              row.guard,
              row.checkpoint));
    }
    Difference together = together();
    lines.add(
        String.format(
            Locale.ROOT,
            "all windows: %+.2f bps over TWAP, %+.2f to %+.2f, %d orders on %d days that no window"
                + " had seen",
            together.meanBps(),
            together.low(),
            together.high(),
            together.orders(),
            together.days()));
    lines.add("verdict: " + verdict());
    lines.addAll(remarks());
    WORDS.forEach(
        (name, words) -> {
          Difference other = others.get(name);
          if (other != null) {
            lines.add(
                String.format(
                    Locale.ROOT,
                    "%s: %+.2f bps, %+.2f to %+.2f, %d days",
                    words,
                    other.meanBps(),
                    other.low(),
                    other.high(),
                    other.days()));
          }
        });
    if (!seeds().isEmpty()) {
      lines.add(
          seeds().stream()
              .map(each -> String.format(Locale.ROOT, "%+.2f", each.meanBps() + 0.0))
              .collect(Collectors.joining(", ", "each seed alone, without guards: ", " bps")));
    }
    return lines;
  }

  /// Returns what each seed won alone, where several act together.
  public List<Difference> seeds() {
    return others.entrySet().stream()
        .filter(each -> each.getKey().startsWith(SEED))
        .map(Map.Entry::getValue)
        .toList();
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
      cells.put("guard", row.guard);
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
