package io.tranche.market.expression.evaluation;

import io.tranche.market.expression.BinaryOperator;
import io.tranche.market.expression.ColumnType;
import io.tranche.market.expression.UnaryOperator;

/// Functions of the values at one bar, and the two fills.
///
/// Single precision is double precision rounded once: for sums, products and quotients that is the
/// same number.
final class Elementwise {

  private Elementwise() {}

  /// @param y takes the results
  static void unary(UnaryOperator operator, double[] x, ColumnType type, double[] y) {
    switch (operator) {
      case IS_NULL -> { // without a branch within the loop: handlers use this most
        for (int i = 0; i < x.length; i++) {
          y[i] = Double.isNaN(x[i]) ? 1 : 0;
        }
      }
      case FORWARD_FILL -> {
        double last = Double.NaN;
        for (int i = 0; i < x.length; i++) {
          last = Double.isNaN(x[i]) ? last : x[i];
          y[i] = last;
        }
      }
      case BACKWARD_FILL -> {
        double next = Double.NaN;
        for (int i = x.length - 1; i >= 0; i--) {
          next = Double.isNaN(x[i]) ? next : x[i];
          y[i] = next;
        }
      }
      default -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = unary(operator, x[i], type);
        }
      }
    }
  }

  /// @param type the type of `x`
  static double unary(UnaryOperator operator, double x, ColumnType type) {
    return switch (operator) {
      case ABS -> Math.abs(x);
      case SIGN -> Math.signum((float) x);
      case LOG -> rounded(Math.log(x), type);
      case NOT -> type == ColumnType.BOOLEAN ? 1 - x : ~(long) x;
      case IS_NULL -> Double.isNaN(x) ? 1 : 0;
      case IS_INF -> Double.isInfinite(x) ? 1 : 0;
      case FORWARD_FILL, BACKWARD_FILL, DAY_LAST, DATE ->
          throw new IllegalArgumentException("operator must need one value, was " + operator);
    };
  }

  /// @param type the type of the result, to which it is rounded
  static double binary(BinaryOperator operator, double a, double b, ColumnType type) {
    return rounded(apply(operator, a, b), type);
  }

  /// @param type the type of the result, to which it is rounded
  /// @param y takes the results
  static void binary(BinaryOperator operator, double[] a, double[] b, ColumnType type, double[] y) {
    switch (operator) {
      case ADD -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = a[i] + b[i];
        }
      }
      case SUBTRACT -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = a[i] - b[i];
        }
      }
      case MULTIPLY -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = a[i] * b[i];
        }
      }
      case DIVIDE -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = a[i] / b[i];
        }
      }
      default -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = apply(operator, a[i], b[i]);
        }
      }
    }
    if (type != ColumnType.DOUBLE) {
      for (int i = 0; i < y.length; i++) {
        y[i] = rounded(y[i], type);
      }
    }
  }

  private static double apply(BinaryOperator operator, double a, double b) {
    return switch (operator) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> a / b;
      case POWER -> power(a, b);
      case GREATER -> Math.max(a, b);
      case LESS -> Math.min(a, b);
      case GT -> a > b ? 1 : 0;
      case GE -> a >= b ? 1 : 0;
      case LT -> a < b ? 1 : 0;
      case LE -> a <= b ? 1 : 0;
      case EQ -> a == b ? 1 : 0;
      case NE -> a != b ? 1 : 0;
      case AND -> (long) a & (long) b;
      case OR -> (long) a | (long) b;
    };
  }

  /// C's `pow`, which unlike Java's gives 1 for any power of 1 and any number to the power of 0.
  private static double power(double a, double b) {
    if (a == 1 || b == 0) {
      return 1;
    }
    if (b == 0.5) {
      return Math.sqrt(a); // as numpy does
    }
    return a == -1 && Double.isInfinite(b) ? 1 : Math.pow(a, b);
  }

  /// Two branches instead of a switch, because the compiler hoists them out of loops.
  private static double rounded(double y, ColumnType type) {
    if (type == ColumnType.SINGLE) {
      return (float) y;
    }
    return type == ColumnType.BOOLEAN ? Math.min(y, 1) : y; // true + true is true
  }
}
