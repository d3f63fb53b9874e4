package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.market.BarSource;
import io.tranche.market.Order;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecideCommandTest {

  @TempDir static Path runs;
  @TempDir Path folder;

  private static final long MAX_SECONDS = 600;

  private static DecideCase made =
      new DecideCase(Path.of(""), Path.of(""), Path.of(""), Path.of(""));

  @BeforeAll
  static void make() throws IOException {
    made = DecideCase.in(runs);
  }

  @Test
  void decisionsAreThoseOfTheCheckpointInTheSimulator() {
    List<Order> worked = made.readOrders();
    var expected = new LinkedHashMap<String, List<TrainedBundle.Simulated>>();
    double advantage = 0;
    try (BarSource source = BarFiles.open(made.bars(), ColumnMapping.DEFAULT)) {
      for (int i = 0; i < worked.size(); i++) {
        var simulated = TrainedBundle.simulate(made.run(), made.bundle(), source, worked.get(i));
        expected.put("" + (i + 1), simulated.steps());
        advantage += simulated.advantageBps() / worked.size();
      }
    }

    Run result = made.decideAll();

    assertThat(result.status()).as(result.err()).isZero();
    var rows = result.out().lines().skip(1).map(line -> line.split(",", -1)).toList();
    var found = new LinkedHashMap<String, List<TrainedBundle.Simulated>>();
    for (String[] row : rows) {
      found
          .computeIfAbsent(row[0], _ -> new ArrayList<>())
          .add(
              new TrainedBundle.Simulated(
                  row[2],
                  Double.parseDouble(row[4]),
                  Double.parseDouble(row[7]),
                  Integer.parseInt(row[8])));
    }
    assertThat(found).containsExactlyInAnyOrderEntriesOf(expected);
    assertThat(rows.stream().map(row -> row[8]).distinct().count()).isGreaterThan(1);
    assertThat(rows.stream().map(row -> row[2]).toList()).isSorted();
    assertThat(result.err())
        .contains(
            "%d orders, %d decisions, filled 1.0000".formatted(worked.size(), rows.size()),
            String.format(Locale.ROOT, "advantage %.2f bps", advantage));
  }

  @Test
  void jsonLinesSayTheSame() {
    Path out = folder.resolve("decisions.jsonl");

    Run csv = made.decideAll();
    Run json = made.decideAll("--out", out.toString());

    assertThat(json.out()).isEmpty();
    assertThat(out).content().startsWith("{\"id\":\"1\",\"instrument\":");
    assertThat(csv.out().lines().count() - 1).isEqualTo(lines(out).size());
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPipeGivesWhatTheFileGives(boolean json) {
    Run file = made.decideAll();

    Run pipe = made.pipedAll(made.barLines(json));

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.out()).isEqualTo(file.out());
    assertThat(pipe.err()).isEqualTo(file.err());
  }

  @Test
  void aGrowingFileIsFollowedUntilTheOrdersAreOver() throws Exception {
    List<String> lines = made.barLines(false);
    String all = made.decideAll().out();
    Path growing = Files.writeString(folder.resolve("bars.csv"), lines.getFirst() + "\n");
    Path out = folder.resolve("out.csv");
    Process child =
        SmallTraining.start(
            folder,
            List.of(
                "decide",
                made.bundle().toString(),
                "--bars",
                growing.toString(),
                "--follow",
                "--history",
                made.bars().toString(),
                "--orders",
                made.orders().toString(),
                "--out",
                out.toString()));
    try {
      int half = lines.size() / 2;
      // A line that is not whole yet must wait for its rest.
      append(growing, String.join("\n", lines.subList(1, half)) + "\n" + lines.get(half).charAt(0));
      await(() -> Files.exists(out) && lines(out).size() > all.lines().count() / 2 - 4);
      append(
          growing,
          lines.get(half).substring(1)
              + "\n"
              + String.join("\n", lines.subList(half + 1, lines.size()))
              + "\n");

      assertThat(child.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).as(Files.readString(folder.resolve("log.txt"))).isZero();
      assertThat(out).hasContent(all);
    } finally {
      child.destroyForcibly();
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.APPEND);
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MAX_SECONDS);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - end).isNegative();
      Thread.sleep(20);
    }
  }

  @Test
  void aSignalEndsItAndKeepsWhatWasDecided() throws Exception {
    Path growing =
        Files.writeString(
            folder.resolve("bars.csv"),
            String.join("\n", made.barLines(false).subList(0, 40)) + "\n");
    Path out = folder.resolve("out.csv");
    Process child =
        SmallTraining.start(
            folder,
            List.of(
                "decide",
                made.bundle().toString(),
                "--bars",
                growing.toString(),
                "--follow",
                "--orders",
                made.orders().toString(),
                "--out",
                out.toString()));
    try {
      await(() -> Files.exists(out) && lines(out).size() > 3);
      new ProcessBuilder("kill", "-INT", "" + child.pid()).start().waitFor();

      assertThat(child.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue()).isEqualTo(ExitCode.INTERRUPTED);
    } finally {
      child.destroyForcibly();
    }
  }

  @Test
  void aReaderThatLeavesEndsItQuietly() throws Exception {
    var command =
        List.of(
            "sh",
            "-c",
            "\"$0\" --add-modules=jdk.incubator.vector -cp \"$1\" %s decide %s --bars %s --orders %s"
                    .formatted(Main.class.getName(), made.bundle(), made.bars(), made.orders())
                + " 2>err.txt | head -2; cat err.txt",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            System.getProperty("java.class.path"));
    Process child =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log.txt").toFile())
            .start();

    assertThat(child.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    List<String> said =
        lines(folder.resolve("log.txt")).stream()
            .filter(line -> !line.startsWith("WARNING"))
            .toList();
    assertThat(said).hasSize(2).first().asString().startsWith("id,instrument,time");
  }

  @Test
  void reportedFillsTakeThePlaceOfAssumedOnes() throws IOException {
    List<String> all = made.barLines(false);
    LocalDate date = made.readOrders().getFirst().date();
    String instrument = all.get(1).split(",", -1)[0];
    Path order =
        Files.writeString(
            folder.resolve("order.csv"),
            "id,instrument,side,amount,start,end\nmine,%s,sell,1000,%s 09:30:00,%s 15:00:00\n"
                .formatted(instrument, date, date));
    Path none = Files.writeString(folder.resolve("none.csv"), "id,datetime,volume,price\n");
    Path fills =
        Files.writeString(
            folder.resolve("fills.jsonl"),
            "{\"id\":\"mine\",\"datetime\":\"%s 14:31:00\",\"volume\":400,\"price\":10}\n"
                .formatted(date));

    Run without =
        made.decide(
            "--bars",
            made.bars().toString(),
            "--orders",
            order.toString(),
            "--fills",
            none.toString());
    Run with =
        made.decide(
            "--bars",
            made.bars().toString(),
            "--orders",
            order.toString(),
            "--fills",
            fills.toString());

    assertThat(without.status()).as(without.err()).isZero();
    assertThat(without.out())
        .endsWith(
            "mine,%s,%s 14:30:00,7,1000.0,market,,1000.0,%s\n"
                .formatted(instrument, date, without.out().strip().replaceAll("(?s).*,", "")));
    assertThat(without.err())
        .contains("1 orders, 8 decisions, filled 0.0000")
        .doesNotContain("TWAP");
    assertThat(with.status()).as(with.err()).isZero();
    assertThat(with.err()).contains("filled 0.4000");
  }

  @Test
  void barsThatAreNotTheNextAreLeftOutAndToldOnce() {
    List<String> lines = new ArrayList<>(made.barLines(false));
    String[] first = lines.get(1).split(",", -1);
    String[] other = first.clone();
    Arrays.fill(other, 2, other.length, "77");
    String[] outside = first.clone();
    outside[1] = first[1].replace("09:30:00", "09:25:00");
    lines.add(4, String.join(",", first));
    lines.add(5, String.join(",", first));
    lines.add(6, String.join(",", other));
    lines.add(7, String.join(",", outside));

    Run pipe = made.pipedAll(lines);

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.out()).isEqualTo(made.decideAll().out());
    assertThat(pipe.err())
        .containsOnlyOnce("had come before;")
        .containsOnlyOnce("had come before with other values")
        .containsOnlyOnce("is not of a tick and day that orders want")
        .contains("warning: standard input:5: the bar of ", "; 4 bars left out");
  }

  @Test
  void barsThatEndEarlyLeaveOrdersOpen() {
    List<String> lines = made.barLines(false);

    Run pipe = made.pipedAll(lines.subList(0, 41));

    assertThat(pipe.status()).as(pipe.err()).isZero();
    assertThat(pipe.err()).contains("were not done when the bars ended");
    assertThat(made.decideAll().out()).startsWith(pipe.out());
  }
}
