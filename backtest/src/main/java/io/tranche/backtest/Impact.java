package io.tranche.backtest;

/// How trading moves the price against the order, as a fraction f of the price: a purchase pays 1 +
/// f times the price, a sale gets the price divided by 1 + f, which stays positive.
///
/// Participation is what the order fills at a tick as a fraction of the market's volume there, at
/// most 1: a tick without volume counts as the order's alone.
public sealed interface Impact {

  /// A fill pays `coefficient` times its participation; gone at the next tick. (Almgren and Chriss
  /// 2000, temporary impact.)
  record Linear(double coefficient) implements Impact {
    public Linear {
      Costs.requireNotNegative("coefficient", coefficient);
    }
  }

  /// A fill pays `coefficient` times the square root of its participation; gone at the next tick.
  record SquareRoot(double coefficient) implements Impact {
    public SquareRoot {
      Costs.requireNotNegative("coefficient", coefficient);
    }
  }

  /// A fill pushes the price by `coefficient` times its participation and pays the push; later
  /// fills pay what is left of it. (Obizhaeva and Wang 2013.)
  ///
  /// @param decay what is left of a push one tick later, in [0, 1]; 1 never fades
  record Transient(double coefficient, double decay) implements Impact {
    public Transient {
      Costs.requireNotNegative("coefficient", coefficient);
      if (!(decay >= 0 && decay <= 1)) {
        throw new IllegalArgumentException("decay must be in [0, 1], was " + decay);
      }
    }
  }
}
