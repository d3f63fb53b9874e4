package io.tranche.env.space;

/// The action of a policy. Sealed, so that the compiler checks that every interpreter handles every
/// kind.
public sealed interface Action {

  /// Returns the choice or the quantity as a number.
  double number();

  /// One of finitely many choices.
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
