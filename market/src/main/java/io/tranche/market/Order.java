package io.tranche.market;

import java.time.LocalDate;
import java.time.LocalDateTime;

/// A parent order to be executed within one trading day, from `start` to `end`.
///
/// Qlib: `qlib.backtest.decision.Order`; as there, an amount of zero is an order with nothing to
/// do.
///
/// @param end exclusive; midnight after the trading day if it lasts that long
/// @param date the trading day: an order that starts on Friday evening may be Monday's
public record Order(
    String instrument,
    Side side,
    double amount,
    LocalDateTime start,
    LocalDateTime end,
    LocalDate date) {

  public Order {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("amount must be finite and not negative, was " + amount);
    }
    if (end.isBefore(start)) {
      throw new IllegalArgumentException(
          "end must not be before start, was %s .. %s".formatted(start, end));
    }
  }

  /// Makes an order of the trading day on whose date it starts.
  public Order(
      String instrument, Side side, double amount, LocalDateTime start, LocalDateTime end) {
    this(instrument, side, amount, start, end, start.toLocalDate());
  }

  /// Returns the amount with the sign of its side: the wanted change of the holding.
  public double signedAmount() {
    return side.sign() * amount;
  }
}
