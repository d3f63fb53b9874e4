package io.tranche.env.space;

import java.util.List;

/// The action of a policy. Sealed, so that the compiler checks that every interpreter handles every
/// kind.
public sealed interface Action {

  /// Returns the choice or the quantity as a number.
  ///
  /// @throws IllegalStateException if the action is several numbers
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

  /// Several real numbers together, such as a rate and a price offset.
  record Vector(List<Double> values) implements Action {
    public Vector {
      values = List.copyOf(values);
    }

    @Override
    public double number() {
      throw new IllegalStateException("action must be one number, was " + values);
    }
  }
}
