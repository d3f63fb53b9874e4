package io.tranche.runtime;

import io.tranche.execution.Dialect;

/// Rules for every live order, in the runtime and in the service.
public final class OrderRules {

  /// The maximal length of an id.
  public static final int LONGEST_ID = 200;

  private OrderRules() {}

  /// @throws IllegalArgumentException if `id` is empty or too long, or `amount` is not finite and
  ///   positive
  public static void requireSound(String id, double amount) {
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw new IllegalArgumentException(
          "id must have 1 to %d characters, was '%s'".formatted(LONGEST_ID, id));
    }
    if (!(amount > 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "amount of order %s must be finite and positive, was %s".formatted(id, amount));
    }
  }

  /// Returns the remainder below which an order of `amount` counts as filled.
  ///
  /// @param isQlib as [ModelSpec#isQlib]
  public static double negligible(boolean isQlib, double amount) {
    return (isQlib ? Dialect.QLIB : Dialect.NATIVE).remainder().of(amount);
  }
}
