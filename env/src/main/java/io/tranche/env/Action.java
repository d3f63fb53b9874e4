package io.tranche.env;

/// What a policy may say. Closed on purpose: every interpreter handles every kind, and the compiler
/// checks it.
public sealed interface Action {

  /// One choice out of a finite menu.
  record Discrete(int index) implements Action {}

  /// One real number, such as a multiple of the TWAP rate.
  record Continuous(double value) implements Action {}
}
