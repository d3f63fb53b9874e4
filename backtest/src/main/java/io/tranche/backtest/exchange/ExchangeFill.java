package io.tranche.backtest.exchange;

/// The part of an order that the exchange filled.
///
/// @param time of the fill: the start of its bar
/// @param amount how much was filled
/// @param price of the fill; NaN if the exchange did not accept the order
/// @param value amount times price
/// @param cost fees
/// @param factor converts the amount to unadjusted shares; NaN if unknown
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

  /// Returns the filled amount with the sign of its side.
  public double signedAmount() {
    return order.side().sign() * amount;
  }

  /// Returns the value with the sign of its side.
  public double signedValue() {
    return order.side().sign() * value;
  }
}
