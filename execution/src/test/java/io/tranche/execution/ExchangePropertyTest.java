package io.tranche.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.exchange.ExchangeConfig;
import io.tranche.backtest.exchange.ExchangeCosts;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.PriceLimit;
import io.tranche.backtest.exchange.QuoteSource;
import io.tranche.backtest.exchange.Quotes;
import io.tranche.backtest.exchange.Rounding;
import io.tranche.backtest.exchange.VolumeLimit;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.StepIndicators;
import io.tranche.backtest.executor.StepIndicators.Line;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.backtest.run.BacktestRun;
import io.tranche.backtest.run.InstrumentResult;
import io.tranche.backtest.run.ResultRow;
import io.tranche.backtest.strategy.TwapStrategy;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.testkit.Cases;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What holds for every exchange, account and depth: books balance, and no rule is broken.
class ExchangePropertyTest {

  private static final int COUNT = Cases.count(1_000, 100_000);
  private static final double LIMIT = 0.1;

  private static ExchangeConfig exchange(SplittableRandom random) {
    ExchangeConfig config = ExchangeConfig.DEFAULT;
    if (random.nextBoolean()) {
      config = config.withPriceLimit(new PriceLimit.Change(LIMIT));
    }
    var limits = new ArrayList<VolumeLimit>();
    if (random.nextBoolean()) {
      limits.add(new VolumeLimit(VolumeLimit.Kind.CURRENT, "$limit", null));
    }
    if (random.nextInt(4) == 0) {
      limits.add(new VolumeLimit(VolumeLimit.Kind.CUMULATIVE, "$volume", Side.BUY));
    }
    if (random.nextBoolean()) {
      config = config.withTradeUnit(random.nextInt(1, 200), Rounding.DOWN);
    }
    return config
        .withVolumeLimits(limits)
        .withCosts(
            new ExchangeCosts(
                random.nextDouble(0.01), random.nextDouble(0.01), random.nextInt(0, 10)),
            random.nextBoolean() ? 0 : 0.1);
  }

  private static ExecutorConfig executor(SplittableRandom random, Frequency leaf) {
    var levels = new ArrayList<LevelConfig>();
    levels.add(LevelConfig.of("1day", TwapStrategy::create));
    for (int minutes : new int[] {120, 60, 30, 10}) {
      if (random.nextInt(3) == 0) {
        levels.add(LevelConfig.of(minutes + "min", TwapStrategy::create));
      }
    }
    return ExecutorConfig.qlib(levels, leaf);
  }

  private static List<Order> orders(SplittableRandom random) {
    var orders = new ArrayList<Order>();
    for (int day = 0; day < RandomBars.DAYS - 1; day++) {
      orders.add(
          new Order(
              RandomBars.STOCK,
              random.nextBoolean() ? Side.BUY : Side.SELL,
              random.nextDouble(1, 20_000),
              RandomBars.FIRST.plusDays(day).atTime(9, 30),
              RandomBars.FIRST.plusDays(day).atTime(15, 0)));
    }
    return orders;
  }

  private static TradeRange window(SplittableRandom random) {
    int from = random.nextInt(9 * 60 + 30, 14 * 60);
    return TradeRange.between(
        LocalTime.ofSecondOfDay(from * 60L),
        LocalTime.ofSecondOfDay((from + random.nextInt(1, 15 * 60 - from)) * 60L));
  }

  @Test
  void booksBalanceAndNoRuleIsBroken() {
    Cases.forAll(
        COUNT,
        random -> {
          Frequency leaf = Frequency.ofMinutes(random.nextBoolean() ? 5 : 10);
          float factor = random.nextBoolean() ? (float) random.nextDouble(0.5, 2) : Float.NaN;
          var bars = new RandomBars(random, leaf, random.nextBoolean() ? 0 : 0.2, factor);
          ExchangeConfig exchange = exchange(random);
          TradeRange window = window(random);
          boolean locks = random.nextBoolean();
          var account =
              random.nextBoolean()
                  ? new Account.Limited(
                      random.nextDouble(100_000),
                      Map.of(RandomBars.STOCK, random.nextDouble(10_000)),
                      locks)
                  : null;
          BacktestConfig config = BacktestConfig.of(exchange, executor(random, leaf), window);
          BacktestConfig used = account == null ? config : config.withAccounts(() -> account);
          double cash = account == null ? 0 : account.cash();
          double held = account == null ? 0 : account.holding(RandomBars.STOCK);

          InstrumentResult result =
              new BacktestRun(used, QuoteSource.of(bars)).run(RandomBars.STOCK, orders(random));

          // A window between two bars has nothing to compare with, and is refused.
          if (result.failures().isEmpty()) {
            Quotes quotes =
                QuoteSource.of(bars)
                    .quotes(
                        exchange,
                        RandomBars.STOCK,
                        RandomBars.FIRST,
                        RandomBars.FIRST.plusDays(RandomBars.DAYS));
            result.fills().forEach(fill -> keepsTheRules(fill, exchange, quotes, window));
            rowsAddUp(result);
            if (account != null) {
              accountAddsUp(account, cash, held, result.fills());
            }
          }
        });
  }

  private static void keepsTheRules(
      ExchangeFill fill, ExchangeConfig exchange, Quotes quotes, TradeRange window) {
    // A step trades if any of it is within the window; the last before lunch lasts until after it.
    long midnight = fill.time() - BarTime.secondOfDay(fill.time());
    assertThat(fill.order().start()).isLessThanOrEqualTo(midnight + window.to());
    assertThat(fill.order().end()).isGreaterThanOrEqualTo(midnight + window.from());
    assertThat(fill.amount()).isNotNegative();
    assertThat(fill.amount()).isLessThanOrEqualTo(fill.order().amount() * (1 + 1e-9));
    if (fill.amount() == 0) {
      return;
    }
    int row = quotes.from(fill.time());
    assertThat(fill.price()).isEqualTo(quotes.price(fill.order().side(), row));
    assertThat(fill.value()).isEqualTo(fill.amount() * fill.price());
    double rate =
        fill.order().side() == Side.BUY ? exchange.costs().buyRate() : exchange.costs().sellRate();
    assertThat(fill.cost())
        .isGreaterThanOrEqualTo(Math.max(fill.value() * rate, exchange.costs().minimum()));
    for (VolumeLimit limit : exchange.volumeLimits()) {
      if (limit.kind() == VolumeLimit.Kind.CURRENT) {
        assertThat(fill.amount()).isLessThanOrEqualTo(500);
      }
    }
  }

  private static void rowsAddUp(InstrumentResult result) {
    for (ResultRow row : result.rows()) {
      Line line = row.line();
      double filled = 0;
      double value = 0;
      double cost = 0;
      for (ExchangeFill fill : result.fills()) {
        if (BarTime.date(fill.time()).equals(row.time().toLocalDate())) {
          filled += fill.signedAmount();
          value += fill.signedValue();
          cost += fill.cost();
        }
      }
      assertThat(line.fillRate()).isBetween(-0.0, 1 + 1e-9);
      if (line.isSubmitted()) {
        assertThat(line.filledAmount()).isCloseTo(filled, within(1e-6));
        assertThat(line.tradeValue()).isCloseTo(value, within(1e-9 * Math.abs(value) + 1e-6));
        assertThat(line.tradeCost()).isCloseTo(cost, within(1e-9 * cost + 1e-6));
      }
    }
    for (var levels : result.histories()) {
      double outermost = total(levels.getOrDefault("1day", List.of()));
      levels.values().forEach(steps -> assertThat(total(steps)).isCloseTo(outermost, within(1e-6)));
    }
  }

  private static double total(List<StepIndicators> steps) {
    return steps.stream().mapToDouble(StepIndicators::filledAmount).sum();
  }

  private static void accountAddsUp(
      Account.Limited account, double cash, double held, List<ExchangeFill> fills) {
    double money = cash;
    double shares = held;
    for (ExchangeFill fill : fills) {
      money -= fill.signedValue() + fill.cost();
      shares += fill.signedAmount();
      assertThat(money).isGreaterThanOrEqualTo(-1e-6);
      assertThat(shares).isGreaterThanOrEqualTo(-1e-4 * (1 + held));
    }
    assertThat(account.cash()).isCloseTo(money, within(1e-6 * (1 + Math.abs(money))));
    assertThat(account.holding(RandomBars.STOCK)).isCloseTo(shares, within(1e-4 * (1 + held)));
  }
}
