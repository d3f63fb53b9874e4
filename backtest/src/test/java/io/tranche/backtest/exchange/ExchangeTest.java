package io.tranche.backtest.exchange;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.Side;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExchangeTest {

  private static final String STOCK = "SH600000";
  private static final Account UNLIMITED = new Account.Unlimited();
  private static final double NONE = Double.NaN;

  // Four bars of a minute; the third is missing.
  private static final Map<String, double[]> COLUMNS =
      Map.of(
          "$close", new double[] {10, 11, NONE, 13},
          "$ask", new double[] {10.5, 0, NONE, 13.5},
          "$change", new double[] {0, 0.1, NONE, -0.2},
          "$factor", new double[] {0.5, 0.5, NONE, 0.5},
          "$volume", new double[] {1000, 2000, NONE, 500},
          "$cap", new double[] {100, 300, NONE, 250});

  private static Exchange exchange(ExchangeConfig config) {
    long[] times = {0, 60, 120, 180};
    Quotes quotes =
        Quotes.of(STOCK, config, times, name -> COLUMNS.getOrDefault(name, new double[4]).clone());
    return new Exchange(config, List.of(quotes));
  }

  private static ExchangeOrder order(Side side, double amount, int bar) {
    return ExchangeOrder.market(STOCK, side, amount, bar * 60L, bar * 60L + 59);
  }

  @Test
  void dealsAtThePriceOfItsSide() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT.withPrices("$ask", "$close"));

    assertThat(exchange.fill(order(Side.BUY, 100, 0), UNLIMITED, 0).price()).isEqualTo(10.5);
    assertThat(exchange.fill(order(Side.SELL, 100, 0), UNLIMITED, 0).price()).isEqualTo(10);
  }

  @Test
  void takesTheCloseWhereThereIsNoPrice() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT.withPrices("$ask", "$close"));

    assertThat(exchange.fill(order(Side.BUY, 100, 1), UNLIMITED, 0).price()).isEqualTo(11);
  }

  @Test
  void dealsAnIntervalAtItsLastPrice() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT);
    ExchangeOrder order = ExchangeOrder.market(STOCK, Side.BUY, 100, 0, 179);

    assertThat(exchange.fill(order, UNLIMITED, 0).price()).isEqualTo(11);
  }

  @Test
  void refusesWhatIsSuspendedUnknownOrBlocked() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT.withPriceLimit(new PriceLimit.Change(0.1)));
    ExchangeOrder unknown = ExchangeOrder.market("SH999999", Side.BUY, 100, 0, 59);

    assertThat(exchange.fill(order(Side.BUY, 100, 2), UNLIMITED, 0).amount()).isZero();
    assertThat(exchange.fill(unknown, UNLIMITED, 0).price()).isNaN();
    assertThat(exchange.fill(order(Side.BUY, 100, 1), UNLIMITED, 0).amount()).isZero();
    assertThat(exchange.fill(order(Side.SELL, 100, 1), UNLIMITED, 0).amount()).isEqualTo(100);
    assertThat(exchange.fill(order(Side.SELL, 100, 3), UNLIMITED, 0).amount()).isZero();
    assertThat(exchange.isSuspended(STOCK, 120, 179)).isTrue();
    assertThat(exchange.isTradable(STOCK, null, 180, 239)).isFalse();
  }

  @Test
  void keepsToTheSmallestVolumeLimit() {
    var current = new VolumeLimit(VolumeLimit.Kind.CURRENT, "$cap", null);
    var cumulative = new VolumeLimit(VolumeLimit.Kind.CUMULATIVE, "$volume", Side.BUY);
    Exchange exchange =
        exchange(ExchangeConfig.DEFAULT.withVolumeLimits(List.of(current, cumulative)));

    assertThat(exchange.fill(order(Side.SELL, 5000, 0), UNLIMITED, 990).amount()).isEqualTo(100);
    assertThat(exchange.fill(order(Side.BUY, 5000, 0), UNLIMITED, 990).amount()).isEqualTo(10);
    assertThat(exchange.fill(order(Side.BUY, 5000, 0), UNLIMITED, 2000).amount()).isZero();
    assertThat(
            exchange
                .fill(ExchangeOrder.market(STOCK, Side.SELL, 5000, 0, 119), UNLIMITED, 0)
                .amount())
        .isEqualTo(400);
  }

  @Test
  void roundsToUnitsOfUnadjustedShares() {
    ExchangeConfig config = ExchangeConfig.DEFAULT;
    Exchange down = exchange(config.withTradeUnit(100, Rounding.DOWN));
    Exchange qlib = exchange(config.withTradeUnit(100, Rounding.TENTH_SHARE_UP));

    assertThat(down.tradeUnit(STOCK, 0, 59)).isEqualTo(200);
    assertThat(down.fill(order(Side.BUY, 399.9, 0), UNLIMITED, 0).amount()).isEqualTo(200);
    assertThat(qlib.fill(order(Side.BUY, 399.9, 0), UNLIMITED, 0).amount()).isEqualTo(400);
    assertThat(down.fill(order(Side.SELL, 199, 0), UNLIMITED, 0).amount()).isZero();
  }

  @Test
  void chargesFeesImpactAndAtLeastTheMinimum() {
    ExchangeConfig config =
        ExchangeConfig.DEFAULT.withCosts(new ExchangeCosts(0.001, 0.002, 5), 0.1);
    Exchange exchange = exchange(config);

    assertThat(exchange.fill(order(Side.BUY, 1, 0), UNLIMITED, 0).cost()).isEqualTo(5);
    assertThat(exchange.fill(order(Side.SELL, 500, 0), UNLIMITED, 0).cost())
        .isCloseTo(5000 * (0.002 + 0.1 * 0.25), within(1e-9));
    assertThat(exchange.fill(order(Side.BUY, 0, 0), UNLIMITED, 0).cost()).isZero();
  }

  @Test
  void spendsNoMoreThanThereIs() {
    Exchange exchange =
        exchange(ExchangeConfig.DEFAULT.withCosts(new ExchangeCosts(0.001, 0.002, 5), 0));
    var account = new Account.Limited(1005, Map.of(), false);

    ExchangeFill bought = exchange.fill(order(Side.BUY, 500, 0), account, 0);

    assertThat(bought.amount()).isCloseTo(100, within(1e-9));
    assertThat(account.cash()).isCloseTo(0, within(1e-9));
    assertThat(exchange.fill(order(Side.BUY, 500, 0), account, 0).amount()).isZero();
  }

  @Test
  void sellsNoMoreThanIsHeld() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT);
    var account = new Account.Limited(0, Map.of(STOCK, 70.0), false);

    assertThat(exchange.fill(order(Side.SELL, 100, 0), account, 0).amount()).isEqualTo(70);
    assertThat(account.holding(STOCK)).isZero();
    assertThat(account.cash()).isEqualTo(700);
    assertThat(exchange.fill(order(Side.SELL, 100, 0), account, 0).amount()).isZero();
  }

  @Test
  void locksPurchasesUntilTheNextDay() {
    Exchange exchange = exchange(ExchangeConfig.DEFAULT);
    var account = new Account.Limited(10_000, Map.of(STOCK, 30.0), true);
    exchange.fill(order(Side.BUY, 100, 0), account, 0);

    assertThat(exchange.fill(order(Side.SELL, 100, 1), account, 0).amount()).isEqualTo(30);
    assertThat(account.sellable(STOCK, 86_400)).isEqualTo(100);
  }
}
