package io.tranche.work.backtest;

import static io.tranche.testkit.Troubleshooting.assertDocumented;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.DataException;
import io.tranche.testkit.Shared;
import io.tranche.work.BackendSettings;
import io.tranche.work.Backends;
import io.tranche.work.JobBackend;
import io.tranche.work.PieceCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BacktestTest {

  private static final Path GOLDEN = Shared.root().resolve("conformance/golden/dataset/bin_5min");

  private static final String ORDERS =
      """
      datetime,instrument,amount,direction
      2021-03-02,SH688001,700,0
      2021-03-01,SH600000,8000,1
      2021-03-02,SH600000,5000,0
      2021-03-01,SH688001,3000,1
      2021-03-01,SZ000001,900,1
      """;

  @TempDir Path folder;

  @Test
  void neitherThreadsNorInterruptionsChangeAByte() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.withLogs(true).withThreads(1);
    run(config(GOLDEN, ORDERS), options.in(folder.resolve("straight")));
    BacktestOptions other = options.in(folder.resolve("interrupted"));

    assertThatThrownBy(() -> runUntil(config(GOLDEN, ORDERS), other, 1)).hasMessage("killed");
    List<Path> kept = parts(folder.resolve("interrupted"));
    run(config(GOLDEN, ORDERS), other.withThreads(3));

    assertThat(kept).hasSize(1);
    for (String file : List.of("backtest_result.csv", "orders.csv", "fills.csv", "history.csv")) {
      assertThat(folder.resolve("interrupted").resolve(file))
          .as(file)
          .hasSameBinaryContentAs(folder.resolve("straight").resolve(file));
    }
    assertThat(folder.resolve("interrupted/instruments")).doesNotExist();
  }

  @Test
  void anotherPlaceGivesTheSameBytesAndGoesOnWithWhatIsLeft() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.withLogs(true).withThreads(1);
    run(config(GOLDEN, ORDERS), options.in(folder.resolve("here")));
    BacktestOptions other = options.in(folder.resolve("there"));
    assertThatThrownBy(() -> runUntil(config(GOLDEN, ORDERS), other, 1)).hasMessage("killed");
    var finished = new ArrayList<Integer>();

    try (JobBackend place = Backends.open("local", BackendSettings.ofThreads(2));
        Backtest backtest = Backtest.open(config(GOLDEN, ORDERS), other, _ -> {})) {
      backtest.run(place, (done, _, _) -> finished.add(done));
    }

    assertThat(finished).hasSize(2).last().isEqualTo(5);
    for (String file : List.of("backtest_result.csv", "orders.csv", "fills.csv", "history.csv")) {
      assertThat(folder.resolve("there").resolve(file))
          .as(file)
          .hasSameBinaryContentAs(folder.resolve("here").resolve(file));
    }
  }

  @Test
  void aStopAtAnotherPlaceLeavesWhatIsFinished() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.in(folder);

    BacktestOutcome stopped;
    try (JobBackend place = Backends.open("local", BackendSettings.ofThreads(1));
        Backtest backtest = Backtest.open(config(GOLDEN, ORDERS), options, _ -> {})) {
      stopped = backtest.run(place, (_, _, _) -> backtest.requestStop());
    }
    List<Path> kept = parts(folder);
    BacktestOutcome outcome = run(config(GOLDEN, ORDERS), options);

    assertThat(stopped.isComplete()).isFalse();
    assertThat(kept).hasSize(1);
    assertThat(outcome.summary().orders()).isEqualTo(5);
  }

  @Test
  void logsSayWhatWasSentAndWhatBecameOfIt() throws IOException {
    String orders =
        """
        datetime,instrument,amount,direction
        2021-03-02,SH600000,8000,1
        2021-03-01,SH600000,4000,0
        """;

    run(
        config(GOLDEN, orders).with("exchange.trade_unit=null"),
        BacktestOptions.DEFAULT.withLogs(true).in(folder.resolve("out")));

    List<String> sent = Files.readAllLines(folder.resolve("out/orders.csv"));
    assertThat(sent.getFirst())
        .isEqualTo("level,instrument,parent,side,datetime,end,amount,kind,offset_bps");
    assertThat(sent.get(1))
        .isEqualTo("30min,SH600000,2,sell,2021-03-01 09:30:00,2021-03-01 09:59:59,500.0,market,");
    assertThat(sent.get(2)).startsWith("5min,SH600000,2,sell,2021-03-01 09:30:00,");
    assertThat(sent).anyMatch(line -> line.startsWith("30min,SH600000,1,buy,2021-03-02 14:30:00,"));
    List<String> fills = Files.readAllLines(folder.resolve("out/fills.csv"));
    assertThat(sent.stream().filter(line -> line.startsWith("5min,"))).hasSize(fills.size() - 1);
    assertThat(Files.readAllLines(folder.resolve("out/history.csv")).stream().skip(1))
        .extracting(line -> line.split(",", -1)[2].substring(0, 10))
        .isSorted();
  }

  @Test
  void finishedInstrumentsAreNotWorkedAgain() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.withThreads(1).in(folder);
    assertThatThrownBy(() -> runUntil(config(GOLDEN, ORDERS), options, 1)).hasMessage("killed");
    forge(parts(folder).getFirst());

    run(config(GOLDEN, ORDERS), options);

    assertThat(Files.readString(folder.resolve("failed_orders.csv"))).contains("forged");
  }

  @Test
  void resultsOfAnotherConfigurationAreWorkedAgain() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.withThreads(1).in(folder);
    assertThatThrownBy(() -> runUntil(config(GOLDEN, ORDERS), options, 1)).hasMessage("killed");
    forge(parts(folder).getFirst());

    run(config(GOLDEN, ORDERS).with("exchange.trade_unit=1"), options);

    assertThat(Files.readString(folder.resolve("failed_orders.csv"))).doesNotContain("forged");
  }

  @Test
  void aDamagedPartIsWorkedAgain() throws IOException {
    BacktestOptions options = BacktestOptions.DEFAULT.withThreads(1).in(folder);
    assertThatThrownBy(() -> runUntil(config(GOLDEN, ORDERS), options, 1)).hasMessage("killed");
    Path part = parts(folder).getFirst();
    byte[] bytes = Files.readAllBytes(part);
    bytes[bytes.length - 10]++;
    Files.write(part, bytes);

    BacktestOutcome outcome = run(config(GOLDEN, ORDERS), options);

    assertThat(outcome.summary().orders()).isEqualTo(5);
  }

  @Test
  void anOrderThatFailsIsListedAndTheOthersFinish() throws IOException {
    Path store = folder.resolve("store");
    copy(GOLDEN, store);
    Path damaged = store.resolve("features/sh688001/close.5min.bin");
    Files.write(damaged, new byte[] {0, 0, 0});

    BacktestOutcome outcome = run(config(store, ORDERS), BacktestOptions.DEFAULT.in(folder));

    assertThat(outcome.failed()).isEqualTo(2);
    assertThat(outcome.summary().orders()).isEqualTo(3);
    assertThat(Files.readAllLines(folder.resolve("failed_orders.csv")))
        .hasSize(3)
        .anyMatch(line -> line.startsWith("1,SH688001,2021-03-02,sell,700.0,"))
        .anyMatch(line -> line.startsWith("4,SH688001,2021-03-01,buy,3000.0,"));
  }

  @Test
  void badRowsAreNamedAllAtOnce() throws IOException {
    ConfigNode config = config(GOLDEN, ORDERS + BAD);

    assertThatThrownBy(() -> run(config, BacktestOptions.DEFAULT.in(folder)))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(BAD_ORDERS)
        .hasMessageContaining("5 of 10 rows")
        .hasMessageContaining("orders.csv: row 6: expected an instrument of the store")
        .hasMessageContaining("row 7: expected a trading day of the calendar")
        .hasMessageContaining("row 8: expected a positive amount, was 0.0")
        .hasMessageContaining("row 9: expected a positive amount, was -5.0")
        .hasMessageContaining("row 10: expected a date");
    assertThat(folder.resolve("backtest_result.csv")).doesNotExist();
    assertDocumented(BAD_ORDERS);
  }

  private static final String BAD_ORDERS =
      "expected orders that can be run (--skip-bad leaves the others out)";

  private static final String BAD =
      """
      2021-03-01,SH999999,100,1
      2031-03-01,SH600000,100,1
      2021-03-01,SH600000,0,1
      2021-03-01,SH600000,-5,1
      20211301,SH600000,5,1
      """;

  @Test
  void goodRowsCanBeRunWithoutBadOnes() throws IOException {
    BacktestOutcome outcome =
        run(config(GOLDEN, ORDERS + BAD), BacktestOptions.DEFAULT.skippingBad(true).in(folder));

    assertThat(outcome.summary().orders()).isEqualTo(5);
    assertThat(outcome.failed()).isEqualTo(5);
    assertThat(Files.readAllLines(folder.resolve("failed_orders.csv"))).hasSize(6);
  }

  @Test
  void ordersCanBeRestrictedAndScaled() throws IOException {
    ConfigNode config =
        config(GOLDEN, ORDERS)
            .with("debug_single_stock=SH600000")
            .with("debug_single_day='2021-03-02'")
            .with("multiplier=2");

    BacktestOutcome outcome = run(config, BacktestOptions.DEFAULT.in(folder));

    assertThat(outcome.summary().orders()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("backtest_result.csv")))
        .contains("SH600000,2021-03-02,")
        .contains(",-10000.0,");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data_granularity=1min | expected provider_uri_1min, the bars that data_granularity",
        "data_granularity=never | data_granularity: expected a frequency",
        "strategies={30min: {class: TWAPStrategy}} | expected a strategy for 1day",
        "strategies={1day: {class: TWAPStrategy}, 7x: {class: TWAPStrategy}} | expected a frequency",
        "strategies={1day: {class: SAOEIntStrategy, kwargs: {policy: {}}}} | data_granularity 5",
        "concurrency=0 | expected a number of threads",
        "multiplier=-1 | multiplier: expected",
        "debug_single_day=today | expected a date such as",
        "end_time='8:00' | expected a time after start_time"
      })
  void wrongSettingsAreNamed(String assignment, String message) throws IOException {
    ConfigNode config = config(GOLDEN, ORDERS).with(assignment);

    assertThatThrownBy(() -> run(config, BacktestOptions.DEFAULT.in(folder)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  private ConfigNode config(Path store, String orders) throws IOException {
    Path file = Files.writeString(folder.resolve("orders.csv"), orders);
    return ConfigFiles.parse(
        "backtest.yml",
        """
        order_file: %s
        start_time: "9:30"
        end_time: "14:54"
        data_granularity: 5min
        qlib: {provider_uri_5min: %s}
        exchange: {limit_threshold: null, deal_price: [$close, $close], volume_threshold: null}
        strategies:
          30min: {class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}
          1day: {class: TWAPStrategy, module_path: qlib.contrib.strategy.rule_strategy, kwargs: {}}
        """
            .formatted(file, store));
  }

  private static BacktestOutcome run(ConfigNode config, BacktestOptions options) {
    try (Backtest backtest = Backtest.open(config, options, warning -> {})) {
      return backtest.run((_, _, _) -> {});
    }
  }

  /// Runs until so many instruments are finished.
  private static void runUntil(ConfigNode config, BacktestOptions options, int instruments) {
    var finished = new ArrayList<String>();
    try (Backtest backtest = Backtest.open(config, options, warning -> {})) {
      backtest.run(
          (_, _, instrument) -> {
            finished.add(instrument);
            if (finished.size() == instruments) {
              throw new IllegalStateException("killed");
            }
          });
    }
  }

  private static List<Path> parts(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(Parts.SUFFIX)).sorted().toList();
    }
  }

  /// Adds a failure to finished results that nobody else would.
  private static void forge(Path part) throws IOException {
    String fingerprint =
        PieceCodec.read(
            "part",
            Files.readAllBytes(part),
            in -> {
              String first = PieceCodec.readText(in);
              in.skipBytes(in.available());
              return first;
            });
    var parts = new Parts(part.resolveSibling(""), fingerprint);
    String[] name = part.getFileName().toString().replace(Parts.SUFFIX, "").split("-", -1);
    int group = Integer.parseInt(name[1]);
    GroupResult result = Objects.requireNonNull(parts.read(name[0], group));
    var failures = List.of(new GroupResult.Failure(1, "forged"));
    parts.write(name[0], group, new GroupResult(result.rows(), failures, result.logs()));
    parts.flush();
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
