package io.tranche.backtest.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.exchange.VolumeLimit;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.IndicatorConfig;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.InstrumentResult.FailedOrder;
import io.tranche.backtest.strategy.AlmgrenChrissStrategy;
import io.tranche.backtest.strategy.PairStrategy;
import io.tranche.backtest.strategy.SignalSource;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BacktestRunTest {

  private static final String STOCK = "SH600000";
  private static final LocalDate DAY = LocalDate.of(2021, 3, 1);
  private static final int DAYS = 3;
  private static final TradeRange WHOLE_DAY =
      TradeRange.between(LocalTime.of(9, 30), LocalTime.of(14, 59));

  private static BarSource bars(Frequency frequency) {
    return bars(frequency, 1000);
  }

  /// A market whose price is 10 plus the number of the bar.
  ///
  /// @param fourth the volume of each day's fourth bar
  private static BarSource bars(Frequency frequency, float fourth) {
    int[] starts = Session.CHINA_STOCKS.barStarts(frequency);
    long[] times = new long[DAYS * starts.length];
    float[][] columns = new float[2][times.length];
    for (int bar = 0; bar < times.length; bar++) {
      times[bar] = BarTime.of(DAY.plusDays(bar / starts.length)) + starts[bar % starts.length];
      columns[0][bar] = 10 + bar % starts.length;
      columns[1][bar] = bar % starts.length == 3 ? fourth : 1000;
    }
    Calendar calendar = Calendar.of(frequency, times);
    BarSeries series = BarSeries.wrap(STOCK, calendar, 0, List.of("close", "volume"), columns);
    return new BarSource() {
      @Override
      public Calendar calendar() {
        return calendar;
      }

      @Override
      public List<String> instruments() {
        return List.of(STOCK);
      }

      @Override
      public List<String> fields() {
        return series.fields();
      }

      @Override
      public BarSeries series(String instrument) {
        return series;
      }
    };
  }

  private static Order order(LocalDate day, Side side, double amount) {
    return new Order(STOCK, side, amount, day.atTime(9, 30), day.atTime(14, 59));
  }

  private static BacktestRun run(ExecutorConfig executor) {
    return new BacktestRun(
        BacktestConfig.of(ExchangeConfig.DEFAULT, executor, WHOLE_DAY),
        QuoteSource.of(bars(executor.leaf())));
  }

  private static ExecutorConfig day(Strategy.Factory strategy) {
    return ExecutorConfig.qlib(List.of(LevelConfig.of("1day", strategy)), Frequency.ofMinutes(30));
  }

  @Test
  void tradesEvenlyAgainstTheMeanPrice() {
    InstrumentResult result =
        run(day(TwapStrategy::create)).run(STOCK, List.of(order(DAY, Side.BUY, 800)));

    assertThat(result.fills()).extracting(ExchangeFill::amount).hasSize(8).allMatch(a -> a == 100);
    ResultRow row = result.rows().getFirst();
    assertThat(row.line().fillRate()).isEqualTo(1);
    assertThat(row.line().tradePrice()).isEqualTo(13.5);
    assertThat(row.line().basePrice()).isEqualTo(13.5);
    assertThat(row.advantageBps()).isZero();
    assertThat(row.record())
        .containsEntry("instrument", STOCK)
        .containsEntry("deal_amount", 800.0)
        .containsEntry("base_volume", 8.0);
  }

  @Test
  void nestsToAnyDepth() {
    ExecutorConfig executor =
        ExecutorConfig.qlib(
            List.of(
                LevelConfig.of("1day", TwapStrategy::create),
                LevelConfig.of("120min", TwapStrategy::create),
                LevelConfig.of("60min", TwapStrategy::create),
                LevelConfig.of("30min", TwapStrategy::create)),
            Frequency.ofMinutes(5));

    InstrumentResult result = run(executor).run(STOCK, List.of(order(DAY, Side.SELL, 480)));

    assertThat(result.fills()).hasSize(48);
    assertThat(result.histories().getFirst().get("60min")).hasSize(4);
    assertThat(result.rows().getFirst().line().fillRate()).isCloseTo(1, within(1e-9));
  }

  @Test
  void onlyAsQlibPricesBelowTheOutermostLevelAreValues() {
    ExecutorConfig qlib =
        ExecutorConfig.qlib(
            List.of(
                LevelConfig.of("1day", TwapStrategy::create),
                LevelConfig.of("60min", TwapStrategy::create)),
            Frequency.ofMinutes(30));
    List<Order> orders = List.of(order(DAY, Side.SELL, 800));

    var values = run(qlib).run(STOCK, orders).histories().getFirst();
    var prices =
        run(qlib.withIndicators(IndicatorConfig.DEFAULT)).run(STOCK, orders).histories().getFirst();

    assertThat(values.get("1day")).isEqualTo(prices.get("1day"));
    assertThat(tradePrices(values, "1day")).containsExactly(13.5);
    assertThat(tradePrices(prices, "60min")).containsExactly(10.5, 12.5, 14.5, 16.5);
    assertThat(tradePrices(values, "60min"))
        .containsExactly(-2_100.0, -2_500.0, -2_900.0, -3_300.0);
  }

  private static List<Double> tradePrices(
      Map<String, List<StepIndicators>> histories, String level) {
    return histories.getOrDefault(level, List.of()).stream()
        .map(step -> step.lines().getFirst().tradePrice())
        .toList();
  }

  @Test
  void keepsTheFillsOfAnOrderThatFailedHalfway() {
    Strategy.Factory failing =
        () ->
            new Strategy() {
              private final Strategy twap = TwapStrategy.create();
              private int decisions;

              @Override
              public void begin(Level level) {
                twap.begin(level);
              }

              @Override
              public @Nullable TradeDecision decide(
                  Level level, @Nullable List<ExchangeFill> last) {
                if (decisions++ == 3) {
                  throw new IllegalStateException("halfway");
                }
                return twap.decide(level, last);
              }
            };

    InstrumentResult result = run(day(failing)).run(STOCK, List.of(order(DAY, Side.BUY, 800)));

    assertThat(result.fills()).isEmpty();
    assertThat(result.failures().getFirst().fills())
        .extracting(ExchangeFill::amount)
        .containsExactly(100.0, 100.0, 100.0);
  }

  @Test
  void quarantinesWhatCannotBeRun() {
    Strategy.Factory failing =
        () ->
            new Strategy() {
              private final Strategy twap = TwapStrategy.create();

              @Override
              public void begin(Level level) {
                twap.begin(level);
              }

              @Override
              public @Nullable TradeDecision decide(
                  Level level, @Nullable List<ExchangeFill> last) {
                if (level.outer().orders().getFirst().amount() == 13) {
                  throw new IllegalStateException("thirteen");
                }
                return twap.decide(level, last);
              }
            };
    var orders =
        List.of(
            order(DAY, Side.BUY, 800),
            order(DAY.plusDays(1), Side.BUY, 13),
            order(DAY, Side.BUY, 0),
            order(DAY.minusDays(7), Side.BUY, 100));

    InstrumentResult result = run(day(failing)).run(STOCK, orders);

    assertThat(result.rows()).hasSize(1);
    assertThat(result.fills()).hasSize(8);
    assertThat(result.failures())
        .extracting(FailedOrder::reason)
        .containsExactly(
            "expected a trading day of the calendar, was 2021-02-22",
            "expected a positive amount, was 0.0",
            "thirteen");
  }

  @Test
  void tradesTheLastDayOnlyWhereThatIsAskedFor() {
    Order last = order(DAY.plusDays(DAYS - 1), Side.BUY, 800);
    ExecutorConfig executor = day(TwapStrategy::create);

    assertThat(run(executor).run(STOCK, List.of(last)).failures()).hasSize(1);
    assertThat(run(executor.withLastStepTrades(true)).run(STOCK, List.of(last)).rows()).hasSize(1);
  }

  @Test
  void refusesAFieldThatTheBarsLack() {
    var config =
        BacktestConfig.of(
            ExchangeConfig.DEFAULT.withPrices("$vwap", "$vwap"),
            day(TwapStrategy::create),
            WHOLE_DAY);
    var run = new BacktestRun(config, QuoteSource.of(bars(Frequency.ofMinutes(30))));

    assertThatThrownBy(() -> run.run(STOCK, List.of(order(DAY, Side.BUY, 1))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("$vwap");
  }

  @Test
  void refusesStepsThatBarsDoNotDivide() {
    QuoteSource source = QuoteSource.of(bars(Frequency.ofMinutes(30)));

    assertThatThrownBy(() -> source.calendar(Frequency.ofMinutes(45)))
        .isInstanceOf(DataException.class);
  }

  @Test
  void tradesFasterTheMoreVolatileThePrice() {
    SignalSource calm = (_, _, _, _) -> (_, _) -> 0.0;
    SignalSource wild = (_, _, _, _) -> (_, _) -> 1.0;

    List<ExchangeFill> even =
        run(day(() -> new AlmgrenChrissStrategy(calm, 1e-6, 2.5e-6, 20)))
            .run(STOCK, List.of(order(DAY, Side.BUY, 800)))
            .fills();
    List<ExchangeFill> early =
        run(day(() -> new AlmgrenChrissStrategy(wild, 1e-6, 2.5e-6, 20)))
            .run(STOCK, List.of(order(DAY, Side.BUY, 800)))
            .fills();

    assertThat(even).hasSize(8).allMatch(fill -> Math.abs(fill.amount() - 100) < 1e-9);
    assertThat(early.getFirst().amount()).isGreaterThan(300);
    assertThat(early.stream().mapToDouble(ExchangeFill::amount).sum()).isCloseTo(800, within(1e-9));
    // sinh(kappa * 7) / sinh(kappa * 8) of the order is left after the first step.
    double kappa = Math.log(1.2 + Math.sqrt(1.2 * 1.2 - 1));
    assertThat(early.getFirst().amount())
        .isCloseTo(800 * (1 - Math.sinh(7 * kappa) / Math.sinh(8 * kappa)), within(1e-6));
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void almgrenChrissFinishesBothSidesInsideTheWindow(Side side) {
    SignalSource wild = (_, _, _, _) -> (_, _) -> 1.0;
    ExecutorConfig executor = day(() -> new AlmgrenChrissStrategy(wild, 1e-6, 2.5e-6, 20));
    TradeRange morning = TradeRange.between(LocalTime.of(10, 0), LocalTime.of(11, 29));
    var run =
        new BacktestRun(
            BacktestConfig.of(ExchangeConfig.DEFAULT, executor, morning),
            QuoteSource.of(bars(executor.leaf())));

    List<ExchangeFill> fills = run.run(STOCK, List.of(order(DAY, side, 800))).fills();

    assertThat(steps(fills)).containsExactly(1, 2, 3);
    assertThat(fills.stream().mapToDouble(ExchangeFill::amount).sum()).isCloseTo(800, within(1e-9));
  }

  @ParameterizedTest
  @EnumSource(VolumeLimit.Kind.class)
  void aVolumeThatIsNotKnownAllowsNothingAndSpoilsNoOtherStep(VolumeLimit.Kind kind) {
    ExecutorConfig executor = day(TwapStrategy::asQlib);
    ExchangeConfig limited =
        new ExchangeConfig(
            ExchangeConfig.DEFAULT.buyPrice(),
            ExchangeConfig.DEFAULT.sellPrice(),
            ExchangeConfig.DEFAULT.priceLimit(),
            List.of(new VolumeLimit(kind, "$volume", null)),
            ExchangeConfig.DEFAULT.costs(),
            ExchangeConfig.DEFAULT.impactCost(),
            ExchangeConfig.DEFAULT.tradeUnit(),
            ExchangeConfig.DEFAULT.rounding());
    var run =
        new BacktestRun(
            BacktestConfig.of(limited, executor, WHOLE_DAY),
            QuoteSource.of(bars(executor.leaf(), Float.NaN)));

    InstrumentResult result = run.run(STOCK, List.of(order(DAY, Side.BUY, 800)));

    assertThat(result.fills())
        .extracting(ExchangeFill::amount)
        .containsExactly(100.0, 100.0, 100.0, 0.0, 200.0, 100.0, 100.0, 100.0);
    assertThat(result.rows().getFirst().line().fillRate()).isEqualTo(1);
  }

  @Test
  void tradesInTheBetterOneOfTwoSteps() {
    SignalSource rising = (_, _, _, _) -> (_, _) -> 1.0;

    List<ExchangeFill> bought =
        run(day(() -> PairStrategy.of(rising)))
            .run(STOCK, List.of(order(DAY, Side.BUY, 800)))
            .fills();
    List<ExchangeFill> sold =
        run(day(() -> PairStrategy.asQlib(rising)))
            .run(STOCK, List.of(order(DAY, Side.SELL, 800)))
            .fills();

    assertThat(steps(bought)).startsWith(0, 2, 4, 6);
    assertThat(steps(sold)).containsExactly(1, 3, 5, 7);
    assertThat(sold.stream().mapToDouble(ExchangeFill::amount).sum()).isCloseTo(800, within(1e-9));
    assertThat(bought.stream().mapToDouble(ExchangeFill::amount).sum())
        .isCloseTo(800, within(1e-9));
  }

  private static List<Integer> steps(List<ExchangeFill> fills) {
    var steps = new ArrayList<Integer>();
    for (ExchangeFill fill : fills) {
      steps.add((int) Math.round(fill.price() - 10));
    }
    return steps;
  }

  @Test
  void summarisesAdvantages() {
    InstrumentResult result =
        run(day(TwapStrategy::create))
            .run(STOCK, List.of(order(DAY, Side.BUY, 800), order(DAY.plusDays(1), Side.SELL, 80)));

    ResultSummary summary = ResultSummary.of(result.rows());

    assertThat(summary.orders()).isEqualTo(2);
    assertThat(summary.filled()).isEqualTo(2);
    assertThat(summary.fillRate()).isEqualTo(1);
    assertThat(summary.advantageBps()).isZero();
    assertThat(summary.positiveRate()).isZero();
    assertThat(summary.value()).isEqualTo(880 * 13.5);
  }
}
