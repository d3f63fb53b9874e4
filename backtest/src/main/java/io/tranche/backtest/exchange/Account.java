package io.tranche.backtest.exchange;

import io.tranche.backtest.Costs;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.util.HashMap;
import java.util.Map;

/// The cash and holdings of a backtest. One account serves all its levels.
public sealed interface Account {

  double cash();

  /// Returns how much of `instrument` can be sold at `time`.
  double sellable(String instrument, long time);

  /// Books a fill whose value is not negligible.
  void book(ExchangeFill fill);

  /// Unlimited cash and holdings. Qlib: `InfPosition`.
  record Unlimited() implements Account {

    @Override
    public double cash() {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public double sellable(String instrument, long time) {
      return Double.POSITIVE_INFINITY;
    }

    @Override
    public void book(ExchangeFill fill) {}
  }

  /// Real money: purchases need cash, sales need holdings. Used by one thread at a time. Qlib:
  /// `Position`.
  final class Limited implements Account {

    private final Map<String, Double> holdings;
    private final Map<String, Double> boughtToday = new HashMap<>();
    private final boolean locksPurchases;
    private double cash;
    private long today = Long.MIN_VALUE;

    /// @param locksPurchases whether purchases can only be sold on the next day (T+1)
    public Limited(double cash, Map<String, Double> holdings, boolean locksPurchases) {
      Costs.requireNotNegative("cash", cash);
      this.cash = cash;
      this.holdings = new HashMap<>(holdings);
      this.locksPurchases = locksPurchases;
    }

    @Override
    public double cash() {
      return cash;
    }

    /// Returns the holdings of `instrument`, including what cannot be sold yet.
    public double holding(String instrument) {
      return holdings.getOrDefault(instrument, 0.0);
    }

    @Override
    public double sellable(String instrument, long time) {
      double held = holding(instrument);
      if (!locksPurchases || held == 0) {
        return held;
      }
      turnTo(time);
      return Math.max(held - boughtToday.getOrDefault(instrument, 0.0), 0);
    }

    @Override
    public void book(ExchangeFill fill) {
      String instrument = fill.order().instrument();
      double shares = fill.value() / fill.price();
      double held = holding(instrument);
      if (fill.order().side() == Side.BUY) {
        turnTo(fill.time());
        holdings.put(instrument, held + shares);
        boughtToday.merge(instrument, shares, Double::sum);
        cash -= fill.value() + fill.cost();
      } else {
        if (Exchange.isClose(held, shares)) {
          holdings.remove(instrument);
        } else {
          holdings.put(instrument, held - shares);
        }
        cash += fill.value() - fill.cost();
      }
    }

    private void turnTo(long time) {
      long day = Math.floorDiv(time, BarTime.SECONDS_A_DAY);
      if (day != today) {
        today = day;
        boughtToday.clear();
      }
    }
  }
}
