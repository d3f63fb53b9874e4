package io.tranche.backtest.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.InstrumentResult.SentOrder;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstrumentRunTest {

  private static final String STOCK = "SH600000";
  private static final LocalDate DAY = LocalDate.of(2021, 3, 1);
  private static final int DAYS = 70;
  private static final Frequency LEAF = Frequency.ofMinutes(30);

  private static QuoteSource quotes() {
    var random = new Random(1);
    int[] starts = Session.CHINA_STOCKS.barStarts(LEAF);
    long[] times = new long[DAYS * starts.length];
    float[][] columns = new float[3][times.length];
    for (int bar = 0; bar < times.length; bar++) {
      times[bar] = BarTime.of(DAY.plusDays(bar / starts.length)) + starts[bar % starts.length];
      columns[0][bar] = 10 + random.nextFloat();
      columns[1][bar] = 1000;
      // Whether amounts are rounded depends on all days of an instrument together.
      columns[2][bar] = bar == 0 ? Float.NaN : 1;
    }
    Calendar calendar = Calendar.of(LEAF, times);
    BarSeries series =
        BarSeries.wrap(STOCK, calendar, 0, List.of("close", "volume", "factor"), columns);
    return QuoteSource.of(
        new BarSource() {
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
        });
  }

  private static BacktestConfig config() {
    var levels =
        List.of(
            LevelConfig.of("1day", TwapStrategy::create),
            LevelConfig.of("60min", TwapStrategy::create));
    return BacktestConfig.of(
            ExchangeConfig.DEFAULT,
            ExecutorConfig.qlib(levels, LEAF).withLastStepTrades(true),
            TradeRange.between(LocalTime.of(9, 30), LocalTime.of(14, 59)))
        .withRecordedOrders(true);
  }

  /// Orders of both sides, in no order, some of which fail.
  private static List<Order> orders() {
    var orders = new ArrayList<Order>();
    for (int day = 0; day < DAYS; day++) {
      LocalDate date = DAY.plusDays(day);
      orders.add(order(date, Side.BUY, 130 + day));
      if (day % 3 == 0) {
        orders.add(order(date, Side.SELL, day % 2 == 0 ? 70 : 0));
      }
    }
    Collections.shuffle(orders, new Random(2));
    return orders;
  }

  private static Order order(LocalDate date, Side side, double amount) {
    return new Order(STOCK, side, amount, date.atTime(9, 30), date.atTime(15, 0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void groupsInAnyOrderGiveWhatAllOrdersTogetherGive(boolean apart) {
    var run = new BacktestRun(config().withApart(apart), quotes());
    InstrumentResult together = run.run(STOCK, orders());

    InstrumentRun cut = run.of(STOCK, orders());
    List<InstrumentResult> results =
        IntStream.range(0, cut.groups().size())
            .map(i -> cut.groups().size() - 1 - i)
            .parallel()
            .mapToObj(cut::run)
            .toList()
            .reversed();

    assertThat(results).hasSize(3);
    assertThat(results.stream().flatMap(result -> result.rows().stream()).toList())
        .usingRecursiveFieldByFieldElementComparator()
        .isEqualTo(together.rows());
    assertThat(results.stream().flatMap(result -> result.fills().stream()))
        .isEqualTo(together.fills());
    assertThat(results.stream().flatMap(result -> result.sent().stream()))
        .isEqualTo(together.sent());
    assertThat(results.stream().flatMap(result -> result.failures().stream()))
        .isEqualTo(together.failures())
        .hasSize(12);
  }

  @Test
  void realMoneyIsCarriedFromDayToDay() {
    BacktestConfig config = config().withAccounts(() -> new Account.Limited(1e6, Map.of(), false));

    InstrumentRun run = new BacktestRun(config, quotes()).of(STOCK, orders());

    assertThat(run.groups()).hasSize(1);
  }

  @Test
  void ordersOfOneDayStayTogether() {
    InstrumentRun run = new BacktestRun(config(), quotes()).of(STOCK, orders());

    List<List<LocalDate>> days =
        run.groups().stream().map(g -> g.stream().map(Order::date).distinct().toList()).toList();
    assertThat(days).extracting(List::size).containsExactly(32, 32, 6);
    assertThat(days.stream().flatMap(List::stream)).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void childOrdersAreRecordedWithTheirParents() {
    Order order = order(DAY.plusDays(1), Side.BUY, 800);

    InstrumentResult result = new BacktestRun(config(), quotes()).run(STOCK, List.of(order));

    assertThat(result.sent()).extracting(SentOrder::level).startsWith("60min", "30min", "30min");
    assertThat(result.sent()).allMatch(sent -> sent.parents().equals(List.of(order)));
    assertThat(result.sent().stream().filter(sent -> sent.level().equals("60min")))
        .hasSize(4)
        .allMatch(sent -> sent.order().amount() == 200);
    assertThat(result.sent().stream().filter(sent -> sent.level().equals("30min")))
        .extracting(SentOrder::order)
        .isEqualTo(result.fills().stream().map(fill -> fill.order()).toList());
  }
}
