package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.cli.console.ExitCode;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibStore;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BacktestCommandTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");
  private static final long MAX_SECONDS = 600;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"twap", "opds"})
  void givesTheRowsOfTheRealQlib(String name) throws Exception {
    Path qlib = copyOfQlibRun();
    String config = "exp_configs/run_backtest_%s.yml".formatted(name);
    String expected = Files.readString(qlib.resolve("expected/backtest_%s.csv".formatted(name)));
    Path result = qlib.resolve("outputs/backtest_%s/backtest_result.csv".formatted(name));

    for (List<String> options : List.of(List.of("--n_jobs", "2"), List.of("--use_simulator"))) {
      Files.deleteIfExists(result);
      int status = backtest(qlib, config, options);

      assertThat(status).as(Files.readString(qlib.resolve("log.txt"))).isZero();
      assertThat(Files.readString(result)).isEqualTo(expected);
    }
  }

  @Test
  void refusesTheWeightsOfAnotherNetwork() throws Exception {
    Path qlib = copyOfQlibRun();

    int status =
        backtest(
            qlib,
            "exp_configs/run_backtest_opds.yml",
            List.of("--set", "strategies.1day.kwargs.network.kwargs.hidden_dim=32"));

    assertThat(status).isEqualTo(ExitCode.CHECKPOINT);
    assertThat(Files.readString(qlib.resolve("log.txt")))
        .contains("latest.pth: expected the weights of this model, was a file with")
        .contains("of shape [192, 64] instead of [96, 32]");
  }

  @Test
  void endsWithFiveWhereOrdersFailed() throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n2021-03-01,SH999999,800,1\n");

    Run refused = Run.of("backtest", config.toString());
    Run run = Run.of("backtest", config.toString(), "--skip-bad");

    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .contains("orders.csv: row 2: expected an instrument of the store, was SH999999");
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(run.out()).startsWith("1 orders of 1 instruments: advantage");
    assertThat(run.err()).contains("1 orders failed: ").contains("failed_orders.csv");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2021-03-01,SH999999,800,1 | row 2: expected an instrument of the store, was SH999999",
        "2031-03-03,SH600000,800,1 | row 2: expected a trading day of the calendar, 2021-",
        "2021-03-06,SH600000,800,1 | row 2: expected a trading day of the calendar, 2021-",
        "2021-03-01,SH600000,0,1 | row 2: expected a positive amount, was 0.0",
        "2021-03-01,SH600000,-7,0 | row 2: expected a positive amount, was -7.0",
        "2021-03-01,SH600000,NaN,0 | row 2: expected",
        "2021-03-01,SH600000,some,0 | row 2: expected a number in amount, was some",
        "someday,SH600000,800,1 | row 2: expected",
        "2021-03-01,SH600000,800,long | row 2: expected buy or sell in direction, was long"
      })
  void aBadOrderIsOneMessageAndTheGoodOnesCanBeRun(String row, String message) throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n" + row + "\n");

    Run refused = Run.of("backtest", config.toString());
    Run run = Run.of("backtest", config.toString(), "--skip-bad");

    assertThat(refused.status()).isEqualTo(ExitCode.DATA);
    assertThat(refused.err().lines())
        .singleElement()
        .asString()
        .contains("1 of 2 rows that cannot")
        .contains(folder.resolve("orders.csv") + ": " + message);
    assertThat(run.status()).as(run.err()).isEqualTo(ExitCode.FAILED_ORDERS);
    assertThat(run.out()).startsWith("1 orders of 1 instruments: advantage");
    assertThat(folder.resolve("out/failed_orders.csv")).content().contains(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data_granularity=1min | qlib: expected provider_uri_1min, the bars that data_granularity",
        "data_granularity=soon | data_granularity: expected a frequency",
        "strategies.7x={class: TWAPStrategy} | strategies.7x: expected a frequency"
      })
  void aWrongFrequencyIsOneMessage(String assignment, String message) throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n");

    Run run = Run.of("backtest", config.toString(), "--set", assignment);

    assertThat(run.status()).isEqualTo(ExitCode.CONFIG);
    assertThat(run.err().lines()).singleElement().asString().contains(message);
  }

  @Test
  void aKilledBacktestGoesOnAsIfNothingHadHappened() throws Exception {
    Path store = folder.resolve("store");
    Run made = Run.of("data", "generate", store.toString(), "--instruments", "40", "--days", "80");
    assertThat(made.status()).as(made.err()).isZero();
    QlibStore bars = QlibStore.open(store, Frequency.ofMinutes(5));
    var orders = new StringBuilder();
    for (String instrument : bars.instruments()) {
      for (int day = 0; day < bars.calendar().days() - 1; day++) {
        orders.append("%s,%s,3000,1%n".formatted(bars.calendar().date(day), instrument));
      }
    }
    Path config = write(orders.toString());
    Files.writeString(
        config, Files.readString(config).replace(GOLDEN.toString(), store.toString()));

    List<String> arguments =
        List.of("backtest", config.toString(), "--logs", "--threads", "2", "--out");
    Run straight = Run.of(plus(arguments, "straight"));
    String killed = killedAmidst(arguments);

    assertThat(straight.status()).as(straight.err()).isZero();
    Run resumed = Run.of(plus(arguments, killed));
    assertThat(resumed.status()).as(resumed.err()).isZero();
    for (String name :
        List.of(
            "backtest_result.csv", "failed_orders.csv", "orders.csv", "fills.csv", "history.csv")) {
      assertThat(
              Files.mismatch(
                  folder.resolve("straight").resolve(name), folder.resolve(killed).resolve(name)))
          .as(name)
          .isEqualTo(-1);
    }
    assertThat(folder.resolve(killed).resolve("instruments")).doesNotExist();
  }

  /// Kills a run after some of its orders and before the last, and returns its folder. On a busy
  /// machine it may be done before we get a turn to kill it; then another is started.
  private String killedAmidst(List<String> arguments) throws Exception {
    int status = 0;
    for (int attempt = 0; attempt < 20; attempt++) {
      String name = "killed" + attempt;
      Path run = folder.resolve(name);
      Process process = SmallTraining.start(folder, List.of(plus(arguments, name)));
      while (parts(run) == 0 && process.isAlive()) {
        process.waitFor(2, TimeUnit.MILLISECONDS);
      }
      status = process.destroyForcibly().waitFor();
      if (status == 137 && parts(run) > 0 && !Files.exists(run.resolve("backtest_result.csv"))) {
        return name;
      }
    }
    throw new AssertionError(
        "no run was killed amidst, the last ended with %d: %s"
            .formatted(status, Files.readString(folder.resolve("log.txt"))));
  }

  private String[] plus(List<String> arguments, String out) {
    return Stream.concat(arguments.stream(), Stream.of(folder.resolve(out).toString()))
        .toArray(String[]::new);
  }

  /// Returns how many groups of orders a run has finished.
  private static long parts(Path run) throws IOException {
    Path parts = run.resolve("instruments");
    if (!Files.exists(parts)) {
      return 0;
    }
    try (Stream<Path> files = Files.walk(parts)) {
      return files.filter(file -> file.toString().endsWith(".part")).count();
    } catch (UncheckedIOException | NoSuchFileException e) {
      return 0; // deleted in the meantime
    }
  }

  @Test
  void writesTheReportAsCsvAndWarnsOfOtherKeys() throws IOException {
    Path config = write("2021-03-01,SH600000,800,1\n");
    Files.writeString(config, Files.readString(config) + "generate_report: true\nother: 1\n");

    Run run = Run.of("backtest", config.toString());

    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err())
        .contains("generate_report: what report.pkl has is in orders.csv, fills.csv, history.csv")
        .contains("'other'");
    assertThat(folder.resolve("out/orders.csv")).isNotEmptyFile();
    assertThat(folder.resolve("out/fills.csv")).isNotEmptyFile();
    assertThat(folder.resolve("out/history.csv")).isNotEmptyFile();
  }

  private Path write(String orders) throws IOException {
    Path file = folder.resolve("orders.csv");
    Files.writeString(file, "datetime,instrument,amount,direction\n" + orders);
    return Files.writeString(
        folder.resolve("backtest.yml"),
        """
        order_file: %s
        start_time: "9:30"
        end_time: "14:54"
        data_granularity: 5min
        output_dir: %s
        qlib: {provider_uri_5min: %s}
        exchange: {limit_threshold: null, deal_price: [$close, $close], volume_threshold: null}
        strategies: {1day: {class: TWAPStrategy}, 30min: {class: TWAPStrategy}}
        """
            .formatted(file, folder.resolve("out"), GOLDEN));
  }

  private Path copyOfQlibRun() throws IOException {
    Path from = Shared.orSkip("qlib-run");
    Path to = folder.resolve("qlib-run");
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return to;
  }

  private static int backtest(Path in, String config, List<String> options) throws Exception {
    var arguments = new ArrayList<>(List.of("backtest", config));
    arguments.addAll(options);
    Process process = SmallTraining.start(in, arguments);
    assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
