package io.tranche.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SideBySideTest {

  private static final Row.Times OURS = new Row.Times(0.0561, 0.055, 0.0583, 0.05);
  private static final Row ROW =
      new Row(
          "bin.read",
          "read a store",
          1,
          10,
          OURS,
          List.of(
              new Row.Rival(Row.Form.USUAL, "Qlib", new Row.Times(2.95, 2.9, 3.01, 1.85)),
              new Row.Rival(Row.Form.EXPERT, "NumPy", new Row.Times(0.05, 0.05, 0.06, 0.05))));
  private static final Results RESULTS =
      new Results("a machine", "abc1234", "2026-11-16", true, List.of())
          .with(new Results.Measured("bin", 90, 0.5, List.of(ROW), List.of()));

  @TempDir private Path folder = Path.of("");
  private final List<Row> rows = new ArrayList<>();

  private Options options() {
    var log = new PrintStream(OutputStream.nullOutputStream());
    return new Options(false, false, folder, folder, log, rows::add);
  }

  @Test
  void everySideTakesItsTurnAndTheRowHasAllOfThem() throws IOException {
    var turns = new ArrayList<String>();
    var comparison =
        new SideBySide(
                options(),
                "a.b",
                "add",
                () -> {
                  turns.add("ours");
                  return () -> new double[] {3, 4};
                })
            .against(
                Row.Form.USUAL,
                "other",
                () -> {
                  turns.add("other");
                  return Turn.of(new Timing(2, 1), 3, 4);
                });

    List<Figure> figures = comparison.run(1, 3);

    assertThat(turns)
        .containsExactly("ours", "other", "ours", "other", "ours", "other", "ours", "other");
    Row row = rows.getFirst();
    assertThat(row.repetitions()).isEqualTo(3);
    assertThat(row.rivals().getFirst().times()).isEqualTo(new Row.Times(2, 2, 2, 1));
    assertThat(figures)
        .extracting(Figure::name)
        .containsExactly(
            "a.b.wall",
            "a.b.cpu",
            "a.b.peer.wall",
            "a.b.peer.cpu",
            "a.b.peer.ratio.wall",
            "a.b.peer.ratio.cpu");
  }

  @Test
  void otherValuesEndTheComparison() {
    for (double[] values : new double[][] {{3, 4.1}, {3}, {}, {3, Double.NaN}}) {
      var comparison =
          new SideBySide(options(), "a.b", "add", () -> () -> new double[] {3, 4})
              .within(1e-3)
              .against(Row.Form.EXPERT, "other", () -> Turn.of(new Timing(1, 1), values));

      assertThatThrownBy(() -> comparison.run(0, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a.b: ");
    }
    assertThat(rows).isEmpty();
  }

  @Test
  void aSmallValueCountsAsMuchAsALargeOne() throws IOException {
    for (double least : new double[] {0, 1}) {
      var comparison =
          new SideBySide(options(), "a.b", "add", () -> () -> new double[] {1_000, 0.01})
              .within(1e-3, least)
              .against(Row.Form.EXPERT, "other", () -> Turn.of(new Timing(1, 1), 1_000.5, 0.0105));

      if (least == 0) {
        assertThatThrownBy(() -> comparison.run(0, 1))
            .hasMessage("a.b: value 1 of other must be 0.01 as ours, was 0.0105");
      } else {
        comparison.run(0, 1);
      }
    }
    assertThat(rows).hasSize(1);
  }

  @Test
  void quartilesAreBetweenTheirNeighbours() throws IOException {
    var wall = new ArrayList<>(List.of(5.0, 1.0, 4.0, 2.0));
    new SideBySide(options(), "a", "add", () -> () -> new double[] {1})
        .against(Row.Form.USUAL, "other", () -> Turn.of(new Timing(wall.removeFirst(), 1), 1))
        .run(0, 4);

    assertThat(rows.getFirst().rivals().getFirst().times())
        .isEqualTo(new Row.Times(3, 1.75, 4.25, 1));
  }

  @Test
  void resultsAreReadAsWrittenAndGoOnAtTheSameCommitOnly() throws IOException {
    Path file = folder.resolve("bench.json");
    RESULTS.write(file);

    assertThat(Results.read(file)).isEqualTo(RESULTS);
    var again = new Results("a machine", "abc1234", "2026-11-17", true, List.of());
    assertThat(again.resumed(file).has("bin")).isTrue();
    var later = new Results("a machine", "def", "2026-11-17", true, List.of());
    assertThat(later.resumed(file).has("bin")).isFalse();
    var alone = new Results("a machine", "abc1234", "2026-11-17", false, List.of());
    assertThat(alone.resumed(file).has("bin")).isFalse();
    Files.writeString(file, "{\"rows\": ");
    assertThatThrownBy(() -> Results.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bench.json: expected results of");
  }

  @Test
  void aTableHasItsOwnWordsAndSingleFigures() {
    var figures =
        List.of(new Figure("bin.count", 1_234_567, "rows"), new Figure("bin.lost", 0, "x"));
    Results results = RESULTS.with(new Results.Measured("more", 0, 0, List.of(), figures));
    String page =
        """
        <!-- bench
        | a | b | c | d | e |
        bin.read: reading
        -->
        <!-- /bench -->
        <!-- figures
        bin.count: all of them | 1 M
        bin.lost
        -->
        <!-- /figures -->
        """;

    String filled = Tables.fill(page, results);

    assertThat(filled)
        .contains("| a | b | c | d | e |\n|---|---|---|---|---|\n| reading | 1 | 56.1 ms")
        .contains("| `bin.count`: all of them | 1 M | 1,230,000 rows |\n| `bin.lost` |  | 0 x |\n");
    assertThat(Tables.fill(filled, results)).isEqualTo(filled);
    assertThat(Tables.contents(filled)).hasSize(2);
  }

  @Test
  void aBriefTableHasTheClosestPeerOfEachForm() {
    var ours = new Row.Times(0.002, 0.001, 0.003, 0.002);
    var slow = new Row.Times(0.9, 0.8, 1, 0.9);
    var close = new Row.Times(0.0042, 0.004, 0.005, 0.0042);
    var row =
        new Row(
            "live.day",
            "a day",
            1,
            10,
            ours,
            List.of(
                new Row.Rival(Row.Form.EXPERT, "torch", slow),
                new Row.Rival(Row.Form.EXPERT, "ONNX Runtime", close)));
    Results results = RESULTS.with(new Results.Measured("live", 0, 0, List.of(row), List.of()));
    String page = "<!-- brief\nbin.read\nlive.day: one day\n-->\n<!-- /brief -->\n";

    String filled = Tables.fill(page, results);

    assertThat(filled)
        .contains("| work | ours | as users run it | as an expert would |\n|---|---|---|---|\n")
        .contains(
            "| read a store | 56.1 ms | 2.95 s (Qlib), **53x** | 50.0 ms (NumPy), **0.89x** |")
        .contains("| one day | 2.00 ms | – | 4.20 ms (ONNX Runtime), **2.1x** |");
    assertThat(Tables.fill(filled, results)).isEqualTo(filled);
    assertThat(Tables.contents(filled)).hasSize(1);
  }

  @Test
  void aSecondWayOfOursMeetsTheSamePeers() throws IOException {
    new SideBySide(options(), "a", "add", () -> () -> new double[] {1})
        .also("b", "add otherwise", () -> () -> new double[] {1})
        .also("c", "add in a process that is not there", null, "add")
        .repeating(3)
        .against(Row.Form.USUAL, "other", () -> Turn.of(new Timing(2, 1), 1))
        .run(0, 2);

    assertThat(rows).extracting(Row::name).containsExactly("a", "b");
    assertThat(rows.get(1).rivals()).isEqualTo(rows.get(0).rivals());
  }

  @Test
  void aTableHasTheRowsThatItsPageNames() {
    String page = "Before\n<!-- bench bin.read -->\nold\n<!-- /bench -->\nafter\n";

    String filled = Tables.fill(page, RESULTS);

    assertThat(filled)
        .isEqualTo(
            """
            Before
            <!-- bench bin.read -->
            a machine, commit abc1234, 2026-11-16.

            | work | threads | ours | as users run it | as an expert would |
            |---|---|---|---|---|
            | read a store | 1 | 56.1 ms (55.0 to 58.3) | Qlib: 2.95 s (2.90 to 3.01), **53x**, CPU 37x | NumPy: 50.0 ms (50.0 to 60.0), **0.89x**, CPU 1.0x |
            <!-- /bench -->
            after
            """);
    assertThat(Tables.fill(filled, RESULTS)).isEqualTo(filled);
    String other = "<!-- bench\nno.row\n-->\nold\n<!-- /bench -->";
    assertThat(Tables.fill(other, RESULTS)).isEqualTo(other);
    String wrong = "<!-- bench bin.read no.row -->\n<!-- /bench -->";
    assertThatThrownBy(() -> Tables.fill(wrong, RESULTS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no.row");
  }

  /// The curves of one benchmark are made from its figures; those of others stay.
  @Test
  void aCurveHasOneRowPerValue() {
    var figures =
        List.of(
            new Figure("guidance.repeat_1.best_bps", -0.123456, "bps"),
            new Figure("guidance.repeat_1.cpu", 12.345, "s"),
            new Figure("guidance.repeat_10.best_bps", 4.5, "bps"),
            new Figure("guidance.repeat_10.cpu", 1_234.5, "s"),
            new Figure("guidance.every_1.cpu", 9, "s"));
    Results results = RESULTS.with(new Results.Measured("guidance", 0, 0, List.of(), figures));
    String page =
        """
        <!-- curve guidance.repeat -->
        <!-- /curve -->
        <!-- curve other.repeat -->
        as it was
        <!-- /curve -->
        """;

    String filled = Tables.fill(page, results);

    assertThat(filled)
        .isEqualTo(
            """
            <!-- curve guidance.repeat -->
            a machine, commit abc1234, 2026-11-16.

            | repeat | best, bps | cpu, s |
            |---|---|---|
            | 1 | -0.123 | 12.3 |
            | 10 | 4.50 | 1,230 |
            <!-- /curve -->
            <!-- curve other.repeat -->
            as it was
            <!-- /curve -->
            """);
    assertThat(Tables.fill(filled, results)).isEqualTo(filled);
    assertThatThrownBy(() -> Tables.fill("<!-- curve guidance.none -->\n<!-- /curve -->", results))
        .hasMessageContaining("guidance.none");
  }

  @Test
  void theRunItselfHasFigures() throws IOException {
    Results results = RESULTS.with(new Results.Measured("more", 30, 1.5, List.of(), List.of()));

    assertThat(results.figure("run.minutes")).contains(new Figure("run.minutes", 2, "min"));
    assertThat(results.figure("run.load")).contains(new Figure("run.load", 1.5, "processes"));
    Path before = folder.resolve("before.json");
    Files.writeString(
        before,
        """
        {"machine": "m", "commit": "abc1234", "date": "2026-11-16", "peers": true,
         "benchmarks": [{"name": "bin", "rows": [], "figures": []}]}
        """);
    assertThat(Results.read(before).has("bin")).isTrue();
    assertThat(Results.read(before).figure("run.minutes")).isEmpty();
  }

  @Test
  void aChangedOrUnknownTreeIsAtNoCommit() {
    assertThat(new Machine("cpu", 2, "jdk", "abc1234", 0).isAtCommit()).isTrue();
    assertThat(new Machine("cpu", 2, "jdk", "abc1234-dirty", 0).isAtCommit()).isFalse();
    assertThat(new Machine("cpu", 2, "jdk", "unknown", 0).isAtCommit()).isFalse();
  }

  @Test
  void anExpertWorksAsOftenInATurnAsWeDo() throws IOException {
    String answer = "{\"wall_s\": 1, \"cpu_s\": 1, \"values\": [$TIMES]}";
    Path environment = folder.resolve("benchmarks/target/peers/some");
    Path python = Files.createDirectories(environment.resolve("bin")).resolve("python");
    Files.writeString(
        python,
        "#!/bin/sh\nwhile read NAME TIMES; do echo \"%s\"; done\n"
            .formatted(answer.replace("\"", "\\\"")));
    assertThat(python.toFile().setExecutable(true)).isTrue();
    Path peers = Files.createDirectories(folder.resolve("benchmarks/peers"));
    Files.writeString(peers.resolve("requirements-some.txt"), "");
    Files.writeString(environment.resolve("installed.txt"), "");
    var log = new PrintStream(OutputStream.nullOutputStream());
    var options = new Options(false, true, folder, folder, log, rows::add);

    try (PeerTurns turns = PeerTurns.start(options, "some", "script.py")) {
      new SideBySide(options, "a", "add", () -> () -> new double[] {7})
          .repeating(7)
          .against(Row.Form.EXPERT, "expert", turns, "add")
          .run(0, 1);
      new SideBySide(options, "a", "add", () -> () -> new double[] {1})
          .repeating(7)
          .against(Row.Form.USUAL, "usual", turns, "add")
          .run(0, 1);
    }

    assertThat(rows).hasSize(2);
  }

  @Test
  void aWholeBenchmarkReplacesItsParts() {
    var part = new Results.Measured("guidance/recipe", 0, 0, List.of(), List.of());
    var whole = new Results.Measured("guidance", 0, 0, List.of(), List.of());

    assertThat(RESULTS.with(part).has("guidance/recipe")).isTrue();
    assertThat(RESULTS.with(part).has("guidance")).isFalse();
    assertThat(RESULTS.with(part).with(whole).has("guidance/recipe")).isFalse();
  }
}
