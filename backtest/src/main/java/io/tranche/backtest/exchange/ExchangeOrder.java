package io.tranche.backtest.exchange;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.market.BarTime;
import io.tranche.market.Side;

/// A child order within a decision: how much to trade until the decision's step is over. What is
/// not filled by then is withdrawn. Qlib: the `Order` of a `TradeDecisionWO`.
///
/// @param start the [BarTime] at which it begins
/// @param end the last second that belongs to it
/// @param kind how it trades; strategies only split market orders
public record ExchangeOrder(
    String instrument, Side side, double amount, long start, long end, Kind kind) {

  public static ExchangeOrder market(
      String instrument, Side side, double amount, long start, long end) {
    return new ExchangeOrder(instrument, side, amount, start, end, Kind.MARKET);
  }

  /// Returns a market order for part of this one.
  public ExchangeOrder child(double part, long from, long to) {
    return child(part, from, to, Kind.MARKET);
  }

  public ExchangeOrder child(double part, long from, long to, Kind how) {
    return new ExchangeOrder(instrument, side, part, from, to, how);
  }

  /// Returns the amount with the sign of its side.
  public double signedAmount() {
    return side.sign() * amount;
  }

  /// Returns the order's name in errors.
  @Override
  public String toString() {
    return "%s %s %s, %s .. %s"
        .formatted(side, amount, instrument, BarTime.format(start), BarTime.format(end));
  }
}
