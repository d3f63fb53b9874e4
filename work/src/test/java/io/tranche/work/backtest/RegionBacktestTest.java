package io.tranche.work.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.execution.TickSource;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.market.BarSeries;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import io.tranche.market.store.QlibStoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Nested backtests on bars of every width and on the clocks of Qlib's regions.
class RegionBacktestTest {

  private static final String CHINA = "09:30-11:30, 13:00-15:00";
  private static final LocalDate DAY = LocalDate.of(2021, 3, 1);

  @TempDir Path folder;

  private final List<String> warnings = new ArrayList<>();

  /// Two days, because the last day of a calendar cannot be traded.
  private Path store(String hours, int minutes) throws IOException {
    Frequency width = Frequency.ofMinutes(minutes);
    List<LocalDate> dates = List.of(DAY, DAY.plusDays(1));
    Calendar calendar =
        Calendar.ofDays(
            width,
            dates,
            dates.stream()
                .map(date -> Session.parse(hours).barTimes(date, date.minusDays(1), width))
                .toList());
    float[] closes = new float[calendar.size()];
    float[] volumes = new float[calendar.size()];
    for (int i = 0; i < closes.length; i++) {
      closes[i] = price(i);
      volumes[i] = 1000;
    }
    Path root = folder.resolve("bin_" + width);
    try (var writer = QlibStoreWriter.create(root, QlibStoreWriter.Existing.REFUSE)) {
      writer.write(
          BarSeries.wrap(
              "AA", calendar, 0, List.of("close", "volume"), new float[][] {closes, volumes}));
      writer.commit();
    }
    return root;
  }

  private static float price(int bar) {
    return 10 + bar % 7 + bar / 16f;
  }

  private static double mean(int bars) {
    return IntStream.range(0, bars).mapToDouble(RegionBacktestTest::price).average().orElseThrow();
  }

  private ConfigNode config(String granularity, String qlib, int step, String end)
      throws IOException {
    Path orders =
        Files.writeString(
            folder.resolve("orders.csv"),
            "datetime,instrument,amount,direction\n%s,AA,8000,1\n".formatted(DAY));
    return ConfigFiles.parse(
        "backtest.yml",
        """
        order_file: %s
        start_time: "9:30"
        end_time: "%s"
        data_granularity: %s
        qlib: %s
        exchange: {trade_unit: null}
        strategies:
          %dmin: {class: TWAPStrategy}
          1day: {class: TWAPStrategy}
        """
            .formatted(orders, end, granularity, qlib, step));
  }

  private double tradePrice(ConfigNode config) {
    BacktestOptions options =
        BacktestOptions.DEFAULT.withLogs(true).withThreads(1).in(folder.resolve("out"));
    try (Backtest backtest = Backtest.open(config, options, warnings::add)) {
      BacktestOutcome outcome = backtest.run((_, _, _) -> {});
      assertThat(outcome.failed()).isZero();
      assertThat(outcome.rows()).hasSize(1);
      assertThat(outcome.rows().getFirst().line().filledAmount()).isCloseTo(8000, within(1e-6));
      return outcome.rows().getFirst().line().tradePrice();
    }
  }

  private List<String> steps(int minutes) throws IOException {
    return Files.readAllLines(folder.resolve("out/orders.csv")).stream()
        .filter(line -> line.startsWith(minutes + "min,"))
        .map(line -> line.split(",", -1)[4].substring(11, 16))
        .distinct()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 10, 15, 30})
  void barsOfEveryWidthAreWorked(int minutes) throws IOException {
    Path root = store(CHINA, minutes);
    String key = "{provider_uri_%dmin: %s}".formatted(minutes, root);

    double price = tradePrice(config(minutes + "min", key, 30, "14:59"));

    assertThat(price).isCloseTo(mean(240 / minutes), within(1e-9));
    assertThat(warnings).isEmpty();
    assertThat(steps(minutes)).hasSize(240 / minutes);
  }

  @Test
  void hoursAreWorkedAndANumberIsAWidthInMinutes() throws IOException {
    Path root = store(CHINA, 60);

    double price =
        tradePrice(config("60", "{provider_uri: {60min: %s}}".formatted(root), 60, "14:59"));

    assertThat(price).isCloseTo(mean(4), within(1e-9));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 15})
  void theRegionDecidesTheSteps(int minutes) throws IOException {
    Path root = store("09:30-16:00", minutes);
    String region = "{provider_uri_%dmin: %s, region: us}".formatted(minutes, root);

    double price = tradePrice(config(minutes + "min", region, 30, "15:59"));

    assertThat(price).isCloseTo(mean(390 / minutes), within(1e-9));
    assertThat(steps(30))
        .startsWith("09:30", "10:00", "10:30", "11:00", "11:30", "12:00", "12:30", "13:00")
        .endsWith("15:30")
        .hasSize(13);
    assertThat(warnings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 15})
  void theSimulatorOfNestedExecutorsFollowsTheRegionToo(int minutes) throws IOException {
    Path root = store("09:30-16:00", minutes);
    String settings =
        """
        class: SingleAssetOrderExecution
        kwargs:
          exchange_config: {freq: WIDTHmin, trade_unit: null}
          qlib_config: {provider_uri_WIDTHmin: ROOT, region: us}
          executor_config:
            class: NestedExecutor
            kwargs:
              time_per_step: 1day
              inner_strategy: {class: ProxySAOEStrategy, kwargs: {data_granularity: WIDTH}}
              inner_executor:
                class: NestedExecutor
                kwargs:
                  time_per_step: 30min
                  inner_strategy: {class: TWAPStrategy}
                  inner_executor: {class: SimulatorExecutor, kwargs: {time_per_step: WIDTHmin}}
        """
            .replace("WIDTH", Integer.toString(minutes))
            .replace("ROOT", root.toString());
    var order = new Order("AA", Side.BUY, 1300, DAY.atTime(9, 30), DAY.atTime(15, 59));
    TickSource none =
        _ -> {
          throw new AssertionError("it brings its own data");
        };

    var simulator =
        ExecutionCatalog.simulators(minutes)
            .make(ComponentSpec.from(ConfigFiles.parse("simulator", settings)))
            .over(none)
            .create(order, EnvContext.outside(new LogCollector(LogLevel.DEBUG)));
    int steps = 0;
    while (!simulator.isDone()) {
      simulator.step(ChildOrder.market(100));
      steps++;
    }

    assertThat(steps).isEqualTo(13);
    assertThat(simulator.state().remaining()).isCloseTo(0, within(1e-6));
  }

  @Test
  void barsOutsideTheRegionsHoursAreWarnedOfOnce() throws IOException {
    Path root = store("09:30-16:00", 15);

    tradePrice(config("15min", "{provider_uri_15min: %s}".formatted(root), 30, "15:59"));

    assertThat(steps(30))
        .containsExactly("09:30", "10:00", "10:30", "11:00", "13:00", "13:30", "14:00", "14:30");
    assertThat(warnings)
        .singleElement()
        .asString()
        .startsWith("qlib: region cn trades 09:30-11:30, 13:00-15:00, but most days have bars")
        .contains("the first at 2021-03-01 11:30:00: set region: us (09:30-16:00)");
  }

  @Test
  void theFoldersThatWereGivenAreListed() throws IOException {
    ConfigNode config =
        config("15min", "{provider_uri_2min: a, provider_uri: {day: b}}", 30, "14:59");

    assertThatThrownBy(() -> tradePrice(config))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "expected provider_uri_15min, the bars that data_granularity asks for,"
                + " was [provider_uri_2min, provider_uri_day]");
  }
}
