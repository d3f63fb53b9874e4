package io.tranche.backtest.exchange;

/// What became of an order at the exchange.
///
/// @param time when it was dealt: the start of its bar
/// @param amount how much was dealt
/// @param price what it was dealt at; NaN if the exchange did not accept the order
/// @param value amount times price
/// @param cost fees
/// @param factor what turns the amount into unadjusted shares; NaN where that is not known
public record ExchangeFill(
    ExchangeOrder order,
    long time,
    double amount,
    double price,
    double value,
    double cost,
    double factor) {

  static ExchangeFill refused(ExchangeOrder order) {
    return new ExchangeFill(order, order.start(), 0, Double.NaN, 0, 0, Double.NaN);
  }

  /// Returns the dealt amount with the sign of its side.
  public double signedAmount() {
    return order.side().sign() * amount;
  }

  /// Returns the value with the sign of its side.
  public double signedValue() {
    return order.side().sign() * value;
  }
}
