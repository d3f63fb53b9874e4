package io.tranche.cli;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.report.OrderRow;
import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.Reports;
import io.tranche.cli.console.ExitCode;
import io.tranche.run.RunFolder;
import io.tranche.testkit.MarketBars;
import io.tranche.testkit.MarketBars.Columns;
import io.tranche.testkit.MarketBars.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// A run with windows, frictions and costs, judged in every way there is.
class JudgeCommandTest {

  private static final String CONFIG =
      """
      tranche: 1
      data:
        market: {instruments: 2, days: 60}
        orders: {seed: 1, windows: ["10:00-11:00", "13:00-15:00"]}
      simulator: {class: SimpleSimulator, kwargs: {participation: 0.02}}
      costs: cn_stocks
      env: {concurrency: 10, parallel_mode: shmem}
      network: {class: RecurrentNetwork, kwargs: {hidden: 8, output: 4}}
      trainer: {max_iterations: 4, episodes_per_iteration: 20, repeat: 1}
      validation: {every: 2}
      """;

  @TempDir static Path folder;

  private static Path config = Path.of("");
  private static Path run = Path.of("");

  @BeforeAll
  static void train() throws IOException {
    config = Files.writeString(folder.resolve("judged.yml"), CONFIG);
    run = folder.resolve("run");
    Run training = Run.of("train", config.toString(), "--out", run.toString(), "--run-backtest");
    assertThat(training.status()).as(training.err()).isZero();
    assertThat(training.out()).contains("weights: " + run.resolve("checkpoints"));
  }

  @Test
  void printsTheSameVerdictAsJson() {
    Run people = Run.of("judge", run.toString(), "--out", path("people"));
    Run program = Run.of("judge", run.toString(), "--out", path("program"), "--json");
    Run selected = Run.of("select", run.toString(), "--best", "1", "--json");

    JsonNode json = new ObjectMapper().readTree(program.out());
    assertThat(people.out()).contains(json.path("sentence").asString());
    assertThat(json.path("policies").path(0).path("name").asString()).isEqualTo("the agent");
    JsonNode agent = json.path("policies").path(0).path("over_twap_bps");
    assertThat(agent.path("mean").asDouble()).isNotZero();
    assertThat(people.out().lines().filter(line -> line.startsWith("the agent")))
        .singleElement()
        .asString()
        .contains(String.format(Locale.ROOT, "%.1f ±", agent.path("mean").asDouble()));
    JsonNode chosen = new ObjectMapper().readTree(selected.out());
    assertThat(chosen.path("selected").asString())
        .isEqualTo(chosen.path("checkpoints").path(0).path("name").asString());
    assertThat(chosen.path("sentence").asString()).contains("TWAP");
  }

  @Test
  void everyVerbGivesTheSameNumbersForTheSameWeights() throws IOException {
    Path result = run.resolve("result.csv");
    List<String> tested = Files.readAllLines(result);

    Run backtest = Run.of("backtest", run.toString(), "--out", path("backtest"));
    Run judge = Run.of("judge", run.toString());
    Run select = Run.of("select", run.toString(), "--best", "1");

    assertThat(backtest.status()).as(backtest.err()).isZero();
    assertThat(judge.status()).as(judge.err()).isZero();
    assertThat(select.status()).as(select.err()).isZero();
    assertThat(Files.readAllLines(folder.resolve("backtest/result.csv"))).isEqualTo(tested);
    ReportData judged = Reports.read(run.resolve("judge"));
    assertThat(rows(judged)).containsExactlyEntriesOf(rows(tested));
    assertThat(rows(Reports.read(run))).isEqualTo(rows(judged));
    assertThat(judged.results().costs()).extracting("name").contains("Commission");
    assertThat(judged.results().examples()).isNotEmpty();
    assertThat(judged.learning().training()).hasSize(4);
    assertThat(judged.origin().commit()).startsWith("tranche ");
    assertThat(judged.results().comparisons())
        .extracting("reference")
        .contains("TWAP", "VWAP", "oracle");
  }

  private static Map<String, Double> rows(ReportData report) {
    return report.results().orders().stream()
        .collect(
            Collectors.toMap(
                row -> row.order().instrument() + row.order().side() + row.order().start(),
                OrderRow::advantageBps));
  }

  private static Map<String, Double> rows(List<String> lines) {
    List<String> names = List.of(lines.getFirst().split(","));
    return lines.stream()
        .skip(1)
        .map(line -> line.split(",", -1))
        .collect(
            Collectors.toMap(
                row ->
                    row[names.indexOf("instrument")]
                        + row[names.indexOf("side")].toUpperCase(Locale.ROOT)
                        + row[names.indexOf("start")].replace(' ', 'T').substring(0, 16),
                row -> Double.parseDouble(row[names.indexOf("advantage_bps")])));
  }

  @Test
  void aBundleIsJudgedByItsOwnRecipe() {
    Path bundle = folder.resolve("model.tranche");
    String orders = run.resolve("data/orders/test").toString();
    Run export = Run.of("export", run.toString(), "--weights", "best", "--out", bundle.toString());
    assertThat(export.status()).as(export.err()).isZero();

    Run asRun =
        Run.of(
            "judge",
            run.toString(),
            "--weights",
            "best",
            "--orders",
            orders,
            "--out",
            path("as-run"));
    Run asBundle =
        Run.of(
            "judge",
            bundle.toString(),
            "--bars",
            run.resolve("data/bars").toString(),
            "--orders",
            orders,
            "--out",
            path("as-bundle"));

    assertThat(asRun.status()).as(asRun.err()).isZero();
    assertThat(asBundle.status()).as(asBundle.err()).isZero();
    assertThat(rows(Reports.read(folder.resolve("as-bundle"))))
        .isEqualTo(rows(Reports.read(folder.resolve("as-run"))));
    assertThat(asBundle.out()).contains("in hindsight");
  }

  @Test
  void otherBarsAndOtherCostsCanBeTried() {
    Run judge =
        Run.of(
            "judge",
            run.toString(),
            "--bars",
            run.resolve("data/bars").toString(),
            "--orders",
            run.resolve("data/orders/test").toString(),
            "--costs",
            "none",
            "--out",
            path("other"));

    assertThat(judge.status()).as(judge.err()).isZero();
    assertThat(Reports.read(folder.resolve("other")).results().costs()).isEmpty();
    assertThat(judge.out()).contains("filled").contains("report: " + path("other"));
  }

  @Test
  void otherBarsAreReadLikeTheRunsOwnAndAllTheirOrdersAreExecuted() throws IOException {
    var market = new MarketBars(Kind.US_STOCKS, 15, Columns.NEITHER, 10, 3);
    Path bars = market.write(folder.resolve("ends"));
    List<String> lines = Files.readAllLines(bars);
    var ends = new ArrayList<>(List.of(lines.getFirst()));
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      cells[1] = LocalDateTime.parse(cells[1].replace(' ', 'T')).plusMinutes(15).toString();
      ends.add(String.join(",", cells));
    }
    Files.write(bars, ends);
    String data = "{bars: '%s', label: end, instruments: %s}";
    Path trained = folder.resolve("ends/run");
    String yaml = CONFIG.replaceFirst("(?s)data:.*simulator", "data: " + data + "\nsimulator");
    Path own = folder.resolve("ends/own.yml");
    Files.writeString(own, yaml.formatted(bars, "[USSTOCKS0, NOBODY]"));
    Run refused = Run.of("train", own.toString(), "--out", trained.toString());
    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err())
        .contains("data.instruments: expected instruments that the bars have, was [NOBODY]");
    assertDocumented("expected instruments that the bars have");
    Files.writeString(own, yaml.formatted(bars, "[USSTOCKS0]"));
    MarketVerbs.done("train", own, "--out", trained, "--overwrite", "--run-backtest");

    Path orders = MarketVerbs.asOrders(trained.resolve("result.csv"), folder.resolve("own.csv"));
    MarketVerbs.done(
        "judge", trained, "--bars", bars, "--orders", orders, "--out", path("ends/again"));
    assertThat(MarketVerbs.reported(folder.resolve("ends/again")))
        .isEqualTo(MarketVerbs.reportedPart(MarketVerbs.results(trained.resolve("result.csv"))));

    Files.writeString(orders, Files.readString(orders).replaceFirst("\nUSSTOCKS0", "\nUSSTOCKS1"));
    MarketVerbs.done("judge", trained, "--orders", orders, "--out", path("ends/others"));
    assertThat(MarketVerbs.reported(folder.resolve("ends/others")))
        .hasSameSizeAs(MarketVerbs.reported(folder.resolve("ends/again")));
  }

  @Test
  void everyBadOrderIsNamedOnce() throws IOException {
    var lines = new ArrayList<>(List.of("date,instrument,side,amount,start,end"));
    List<String> tested = Files.readAllLines(run.resolve("result.csv"));
    String day = tested.get(1).split(",", -1)[2].substring(0, 10);
    lines.add(day + ",SYN0000,buy,1000,10:00,11:00");
    lines.add(day + ",NOBODY,buy,1000,10:00,11:00");
    lines.add(day + ",SYN0000,buy,1000,12:00,12:30");
    lines.add(day + ",SYN0000,hold,1000,10:00,11:00");
    lines.add(day + ",SYN0000,buy,many,10:00,11:00");
    Path orders = Files.write(folder.resolve("bad.csv"), lines);

    Run refused =
        Run.of("judge", run.toString(), "--orders", orders.toString(), "--out", path("b"));
    Run skipped =
        Run.of(
            "judge",
            run.toString(),
            "--orders",
            orders.toString(),
            "--skip-bad",
            "--out",
            path("b"));

    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err())
        .contains("orders that can be run (--skip-bad leaves the others out), was 4 of 5 rows")
        .containsOnlyOnce("bad.csv: row 2: ")
        .containsOnlyOnce("bad.csv: row 3: ")
        .containsOnlyOnce("bad.csv: row 4: expected buy or sell in side, was hold")
        .containsOnlyOnce("bad.csv: row 5: expected a number in amount, was many")
        .doesNotContain("Exception");
    assertThat(skipped.status()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(skipped.err()).containsOnlyOnce("skipped: " + orders + ": row 2: ");
    assertThat(skipped.out()).contains("1 orders, in basis points");
  }

  @Test
  void trainingChecksItsOrdersFirst() throws IOException {
    Path orders = folder.resolve("orders");
    for (String stage : List.of("train", "valid", "test")) {
      Files.createDirectories(orders.resolve(stage));
      List<String> made;
      try (var files = Files.list(run.resolve("data/orders/" + stage))) {
        made = new ArrayList<>(Files.readAllLines(files.sorted().findFirst().orElseThrow()));
      }
      if (stage.equals("train")) {
        made.add(made.getLast().replaceFirst("SYN\\d+", "NOBODY"));
      }
      Files.write(orders.resolve(stage).resolve("orders.csv"), made);
    }
    String data = "data.orders=" + orders;

    Run refused = Run.of("train", config.toString(), "--out", path("refused"), "--set", data);
    Run skipped =
        Run.of("train", config.toString(), "--out", path("skipped"), "--set", data, "--skip-bad");

    assertThat(refused.status()).as(refused.err()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err()).containsOnlyOnce("orders.csv: row ").contains("--skip-bad");
    assertThat(folder.resolve("refused/checkpoints")).doesNotExist();
    assertThat(skipped.status()).as(skipped.err()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(skipped.out()).containsOnlyOnce("skipped: ");
  }

  @Test
  void wrongUsageIsOneMessage() {
    Run bars = Run.of("judge", run.toString(), "--bars", "x");
    Run costs = Run.of("judge", run.toString(), "--costs", "moon");
    Run weights = Run.of("judge", run.toString(), "--weights", "moon");
    Run nothing = Run.of("judge", folder.toString());

    assertThat(List.of(bars, costs, weights, nothing))
        .allMatch(each -> each.status() == ExitCode.CONFIG);
    assertThat(bars.err()).contains("--bars: expected --orders");
    assertThat(costs.err()).contains("--costs: expected one of [none, cn_stocks");
    assertThat(weights.err()).contains("--weights: expected best, last or a checkpoint, was moon");
    assertThat(nothing.err()).contains("RUN: expected a run directory");
  }

  @Test
  void aFolderInUseIsLeftAlone() throws IOException {
    String metrics = Files.readString(run.resolve("metrics.jsonl"));
    try (var _ = new RunFolder(run).lock()) {
      Run select = Run.of("select", run.toString());
      Run judge = Run.of("judge", run.toString(), "--out", path("beside"));

      Run train =
          Run.of(
              "train", run.resolve("config.yml").toString(), "--out", run.toString(), "--resume");

      assertThat(List.of(select, train)).allMatch(each -> each.status() == ExitCode.CONFIG);
      assertThat(select.err()).contains("no other process is working in, was in use by this");
      assertThat(train.err()).contains("no other process is working in, was in use by this");
      assertThat(run.resolve("metrics.jsonl")).hasContent(metrics);
      assertThat(judge.status()).as(judge.err()).isZero(); // it only reads the run
    }
  }

  private static String path(String name) {
    return folder.resolve(name).toString();
  }
}
