package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a first user with bars of his own stumbled over and no other test walks past.
class FirstUserTest {

  private static final String TINY =
      """
      env: {concurrency: 3}
      runtime: {threads: 1}
      network: {kwargs: {hidden: 4, output: 2}}
      trainer: {max_iterations: 2, episodes_per_iteration: 6, repeat: 1}
      """;

  @TempDir static Path shared;
  private static Path bars;
  private static Path config;

  @TempDir Path folder;

  @BeforeAll
  static void writeBars() throws IOException {
    bars = new MarketBars(Kind.US_STOCKS, 30, Columns.HIGHS_AND_LOWS, 12, 7).write(shared);
    config =
        Files.writeString(
            shared.resolve("own.yml"),
            "tranche: 1\ndata: {bars: '%s'}\nvalidation: {every: 1}\n%s".formatted(bars, TINY));
  }

  @Test
  void featuresNameWhatTheyLeaveOut() throws IOException {
    Path features =
        Files.writeString(
            folder.resolve("features.yml"),
            """
            start: 2024-03-06
            end: 2024-03-19
            columns: [$open, $high, $low, $close]
            norm_groups: {price: 8, volume: 2}
            whole_window: true
            """);
    Path fewer = folder.resolve("fewer.csv");
    Files.write(
        fewer,
        Files.readAllLines(bars).stream()
            .filter(line -> !line.matches("USSTOCKS1,2024-03-1[4-9].*"))
            .toList());

    Run run =
        Run.of(
            "data", "features", features.toString(), "--out", folder + "/f", "--bars", fewer + "");

    assertThat(run.status()).as(run.out() + run.err()).isEqualTo(5);
    assertThat(run.out()).contains("1 of 2 instruments are dropped").contains("USSTOCKS1");
  }

  @Test
  void aCheckFindsBarsOfAnotherClock() throws IOException {
    Path utc = folder.resolve("utc.csv");
    var lines = new ArrayList<String>();
    for (String line : Files.readAllLines(bars)) {
      for (int hour = 16; hour >= 9; hour--) {
        line = line.replace(" %02d:".formatted(hour), " %02d:".formatted(hour + 5));
      }
      lines.add(line);
    }
    Files.write(utc, lines);

    Run run = Run.of("data", "check", utc.toString(), "--session", "us_stocks");

    assertThat(run.status()).isEqualTo(3);
    assertThat(run.out()).contains("us_stocks shifted by +05:00");
  }

  @Test
  void timesWithAnOffsetAreInstants() throws IOException {
    Path zoned = folder.resolve("zoned.csv");
    Files.writeString(
        zoned, Files.readString(bars).replaceAll("(2024-\\S+ \\S+:\\d\\d),", "$1-05:00,"));

    Run without = Run.of("data", "convert", zoned.toString(), "--out", folder + "/x.parquet");
    Run with = Run.of("data", "check", zoned.toString(), "--session", "us_stocks");

    assertThat(without.status()).isEqualTo(3);
    assertThat(without.out() + without.err()).contains("session");
    assertThat(with.status()).as(with.out() + with.err()).isZero();
  }

  @Test
  void ordersWithTimesAreChecked() throws IOException {
    Path orders =
        Files.writeString(
            folder.resolve("orders.csv"),
            """
            instrument,side,amount,start,end
            USSTOCKS0,buy,100,2024-03-05 10:00,2024-03-05 12:00
            """);

    Run run = Run.of("data", "check", orders.toString());

    assertThat(run.status()).as(run.out() + run.err()).isZero();
  }

  @Test
  void aRunOfOurOwnThatDoesNotSaySoIsRecognised() throws IOException {
    Path unmarked =
        Files.writeString(
            folder.resolve("unmarked.yml"), Files.readString(config).replace("tranche: 1\n", ""));

    Run run = Run.of("train", unmarked.toString(), "--out", folder + "/out");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("expected 'tranche: 1' in a file of our own");
    assertDocumented("expected 'tranche: 1' in a file of our own");
    assertDocumented("expected text such as CSV"); // StartTest has the file
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @Test
  void aMonitorThatNoValidationHasEndsTheRunAtTheFirst() {
    Run run =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder + "/out",
            "--set",
            "validation.monitor=val/rewrd");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err())
        .contains(
            "validation.monitor: expected a metric out of [val/", "(nearest: val/reward), was")
        .contains("val/rewrd");
  }

  @Test
  void resultsNameSideWindowAndBenchmarkAndTheBundleItsData() throws IOException {
    Path run = folder.resolve("run");
    Run trained = Run.of("train", config.toString(), "--out", run.toString(), "--run-backtest");
    assertThat(trained.status()).as(trained.err()).isZero();
    assertThat(trained.out())
        .containsPattern("weights: \\S+.ckpt \\(the best lower bound in validation\\)");
    List<String> rows = Files.readAllLines(run.resolve("result.csv"));
    assertThat(List.of(rows.getFirst().split(","))).contains("side", "start", "end", "amount");
    assertThat(rows.getFirst()).contains("benchmark");

    Path bundle = folder.resolve("model.tranche");
    Run exported = Run.of("export", run.toString(), "--out", bundle.toString());
    assertThat(exported.status()).as(exported.err()).isZero();
    assertThat(Run.of("inspect", bundle.toString()).out())
        .containsPattern("data_sha256\\W+[0-9a-f]{64}");
    Run report = Run.of("report", run.toString());
    assertThat(report.status()).isEqualTo(3);
    assertThat(report.err())
        .contains("a folder with a report.json, which demo, start, judge, select and tune write");

    Run judged = Run.of("judge", run.toString(), "--no-sensitivity");
    assertThat(judged.status()).as(judged.err()).isZero();
    Run again = Run.of("report", run.toString());
    assertThat(again.status()).as(again.err()).isZero();
    assertThat(again.out().strip()).isEqualTo(run.resolve("judge/report.html").toString());
  }

  @Test
  void aBadOrderIsNamedOnceAndInWords() throws IOException {
    Path orders = folder.resolve("orders");
    for (String part : List.of("train", "valid", "test")) {
      Files.createDirectories(orders.resolve(part));
      Files.writeString(
          orders.resolve(part).resolve("all.csv"),
          """
          instrument,side,amount,start,end
          USSTOCKS0,buy,100,2024-03-05 10:00,2024-03-05 12:00
          USSTOCKS0,buy,100,2024-03-09 10:00,2024-03-09 12:00
          """);
    }

    Run run =
        Run.of(
            "train",
            config.toString(),
            "--out",
            folder + "/out",
            "--skip-bad",
            "--set",
            "data.orders='%s'".formatted(orders));

    String said = run.out() + run.err();
    assertThat(run.status()).as(said).isEqualTo(5);
    assertThat(said.lines().filter(line -> line.contains("2024-03-09"))).as(said).hasSize(1);
    assertThat(said).doesNotContain("Exception").doesNotContain("io.tranche");
  }

  @Test
  void aFileThatCannotGrowEndsTheRunAsDataThatCannotBeWritten() throws Exception {
    Path log = folder.resolve("log.txt");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process run =
        new ProcessBuilder(
                "bash",
                "-c",
                "ulimit -f 8; exec \"$0\" -XX:-UsePerfData --add-modules=jdk.incubator.vector -cp"
                    + " \"$1\" io.tranche.cli.Main train \"$2\" --out \"$3\" --set"
                    + " 'network={kwargs: {hidden: 64}}'",
                java,
                System.getProperty("java.class.path"),
                config.toString(),
                folder.resolve("out").toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();

    assertThat(run.waitFor()).as(Files.readString(log)).isEqualTo(3);
    assertThat(log).content().contains(".ckpt: expected a place that can be written");
  }
}
