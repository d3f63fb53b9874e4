package io.tranche.env.space;

/// What a policy may say. Closed on purpose: every interpreter handles every kind, and the compiler
/// checks it.
public sealed interface Action {

  /// Returns the choice or the quantity as a number.
  double number();

  /// One choice out of a finite menu.
  record Discrete(int index) implements Action {

    @Override
    public double number() {
      return index;
    }
  }

  /// One real number, such as a multiple of the TWAP rate.
  record Continuous(double value) implements Action {

    @Override
    public double number() {
      return value;
    }
  }
}
