package io.tranche.backtest.exchange;

import io.tranche.market.Side;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Fills orders by the rules of [ExchangeConfig]. Immutable, shared by threads. Qlib: `Exchange`.
///
/// An order over several bars fills at the last price among them. It is refused if the instrument
/// is suspended, that is, has no close, or if the price limit blocks every bar.
public final class Exchange {

  /// Prices up to this count as missing.
  static final double NO_PRICE = 1e-8;

  /// Fills worth up to this count as none.
  private static final double NO_VALUE = 1e-5;

  private final ExchangeConfig config;
  private final Map<String, Quotes> quotes;
  private final boolean rounds;

  public Exchange(ExchangeConfig config, Collection<Quotes> quotes) {
    this.config = config;
    this.quotes =
        quotes.stream()
            .collect(Collectors.toUnmodifiableMap(Quotes::instrument, Function.identity()));
    // One instrument without a factor switches rounding off for all.
    this.rounds = config.tradeUnit() > 0 && quotes.stream().noneMatch(Quotes::isAdjusted);
  }

  public ExchangeConfig config() {
    return config;
  }

  /// Returns the quotes of `instrument`, null if there are none.
  public @Nullable Quotes quotes(String instrument) {
    return quotes.get(instrument);
  }

  /// Whether there is no close of `instrument` between `start` and `end`.
  public boolean isSuspended(String instrument, long start, long end) {
    Quotes known = quotes.get(instrument);
    return known == null || known.isSuspended(known.from(start), known.to(end));
  }

  /// Whether an order of either side, or of `side` if given, could be filled between `start` and
  /// `end`.
  public boolean isTradable(String instrument, @Nullable Side side, long start, long end) {
    Quotes known = quotes.get(instrument);
    if (known == null) {
      return false;
    }
    int from = known.from(start);
    int to = known.to(end);
    if (known.isSuspended(from, to)) {
      return false;
    }
    return side == null
        ? !known.isBlocked(Side.BUY, from, to) && !known.isBlocked(Side.SELL, from, to)
        : !known.isBlocked(side, from, to);
  }

  /// Returns the amount of one trade unit between `start` and `end`, 0 if there is none.
  public double tradeUnit(String instrument, long start, long end) {
    Quotes known = quotes.get(instrument);
    if (!rounds || known == null) {
      return 0;
    }
    double factor = known.lastFactor(known.from(start), known.to(end));
    return Double.isNaN(factor) ? 0 : config.tradeUnit() / factor;
  }

  /// Returns `amount` as a whole number of the trade units between `start` and `end`.
  public double rounded(String instrument, double amount, long start, long end) {
    Quotes known = quotes.get(instrument);
    return known == null
        ? amount
        : rounded(amount, known.lastFactor(known.from(start), known.to(end)));
  }

  private double rounded(double amount, double factor) {
    if (!rounds) {
      return amount;
    }
    double unit = config.tradeUnit();
    return config.rounding().units(amount * factor, unit) * unit / factor;
  }

  /// Fills an order and books the fill.
  ///
  /// @param filledToday how much of the instrument was filled earlier that day
  public ExchangeFill fill(ExchangeOrder order, Account account, double filledToday) {
    Quotes known = quotes.get(order.instrument());
    if (known == null) {
      return ExchangeFill.refused(order);
    }
    int from = known.from(order.start());
    int to = known.to(order.end());
    if (known.isSuspended(from, to) || known.isBlocked(order.side(), from, to)) {
      return ExchangeFill.refused(order);
    }
    double price = known.dealPrice(order.side(), from, to);
    double factor = known.lastFactor(from, to);
    double allowed = withinVolume(known, order, from, to, filledToday);
    double turnover = known.totalVolume(from, to) * price;
    double rate = costRate(order.side(), allowed * price, turnover);
    double amount =
        switch (order.side()) {
          case SELL -> sold(order, account, allowed, price, rate, factor);
          case BUY -> bought(account, allowed, price, rate, factor);
        };
    double value = amount * price;
    double cost = value <= NO_VALUE ? 0 : Math.max(value * rate, config.costs().minimum());
    var fill = new ExchangeFill(order, order.start(), amount, price, value, cost, factor);
    if (value > NO_VALUE) {
      account.book(fill);
    }
    return fill;
  }

  private double withinVolume(
      Quotes known, ExchangeOrder order, int from, int to, double filledToday) {
    List<VolumeLimit> limits = config.volumeLimits();
    double allowed = order.amount();
    for (int i = 0; i < limits.size(); i++) {
      VolumeLimit limit = limits.get(i);
      if (limit.binds(order.side())) {
        double most = known.volumeLimit(i, limit.kind(), from, to);
        if (limit.kind() == VolumeLimit.Kind.CUMULATIVE) {
          most -= filledToday;
        }
        allowed = most < allowed ? most : Double.isNaN(most) ? 0 : allowed;
      }
    }
    return Math.max(allowed, 0);
  }

  private double costRate(Side side, double value, double turnover) {
    ExchangeCosts costs = config.costs();
    double share = turnover > 0 ? value / turnover : 1;
    double impact = config.impactCost() * (share * share);
    return (side == Side.BUY ? costs.buyRate() : costs.sellRate()) + impact;
  }

  private double sold(
      ExchangeOrder order,
      Account account,
      double allowed,
      double price,
      double rate,
      double factor) {
    double held = account.sellable(order.instrument(), order.start());
    // The last shares may be an odd lot.
    double amount = isClose(allowed, held) ? allowed : rounded(Math.min(held, allowed), factor);
    double value = amount * price;
    double fee = Math.max(value * rate, config.costs().minimum());
    return account.cash() + value < fee ? 0 : amount;
  }

  private double bought(Account account, double allowed, double price, double rate, double factor) {
    double cash = account.cash();
    double value = allowed * price;
    double fee = Math.max(value * rate, config.costs().minimum());
    if (cash < fee) {
      return 0;
    }
    return cash < value + fee
        ? rounded(Math.min(affordable(cash, price, rate), allowed), factor)
        : rounded(allowed, factor);
  }

  /// Returns the amount that `cash` buys, fees included.
  private double affordable(double cash, double price, double rate) {
    double minimum = config.costs().minimum();
    if (cash < minimum) {
      return 0;
    }
    return cash >= minimum / rate + minimum ? cash / (1 + rate) / price : (cash - minimum) / price;
  }

  /// Whether two amounts are equal except for rounding. numpy: `isclose`.
  static boolean isClose(double one, double other) {
    return Double.isInfinite(other)
        ? one == other
        : Math.abs(one - other) <= 1e-8 + 1e-5 * Math.abs(other);
  }
}
