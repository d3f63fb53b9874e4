package io.tranche.backtest;

/// How trading moves the price against the order, as a fraction f of the price: a purchase pays 1 +
/// f times the price, a sale gets the price divided by 1 + f, which stays positive.
///
/// Participation is what the order fills at a tick as a fraction of the market's volume there. It
/// is at most 1; at a tick without volume it is 1.
public sealed interface Impact {

  /// A fill pays `coefficient` times its participation; the impact is gone at the next tick.
  /// (Almgren and Chriss 2000, temporary impact.)
  record Linear(double coefficient) implements Impact {
    public Linear {
      Costs.requireNotNegative("coefficient", coefficient);
    }
  }

  /// A fill pays `coefficient` times the square root of its participation; the impact is gone at
  /// the next tick.
  record SquareRoot(double coefficient) implements Impact {
    public SquareRoot {
      Costs.requireNotNegative("coefficient", coefficient);
    }
  }

  /// A fill moves the price by `coefficient` times its participation and pays that move; later
  /// fills pay what is left of it. (Obizhaeva and Wang 2013.)
  ///
  /// @param decay the fraction of the move that is left one tick later, in [0, 1]; 1 never fades
  record Transient(double coefficient, double decay) implements Impact {
    public Transient {
      Costs.requireNotNegative("coefficient", coefficient);
      if (!(decay >= 0 && decay <= 1)) {
        throw new IllegalArgumentException("decay must be in [0, 1], was " + decay);
      }
    }
  }
}
