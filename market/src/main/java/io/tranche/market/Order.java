package io.tranche.market;

import java.time.LocalDate;
import java.time.LocalDateTime;

/// A parent order to be executed within one trading day, from `start` to `end`.
///
/// Qlib: `qlib.backtest.decision.Order`; as there, an amount of zero is an order with nothing to
/// do.
public record Order(
    String instrument, Side side, double amount, LocalDateTime start, LocalDateTime end) {

  public Order {
    if (!(amount >= 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("amount must be finite and not negative, was " + amount);
    }
    if (end.isBefore(start)) {
      throw new IllegalArgumentException(
          "end must not be before start, was %s .. %s".formatted(start, end));
    }
  }

  public LocalDate date() {
    return start.toLocalDate();
  }

  /// Returns the amount with the sign of its side: the wanted change of the holding.
  public double signedAmount() {
    return side.sign() * amount;
  }
}
