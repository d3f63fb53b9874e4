package io.tranche.market.expression;

/// Functions of the values at one bar, and the two fills.
///
/// Single precision is double precision rounded once: for sums, products and quotients that is the
/// same number.
final class Elementwise {

  private Elementwise() {}

  static double[] unary(UnaryOperator operator, double[] x, ElementType type) {
    double[] y = new double[x.length];
    switch (operator) {
      case ABS -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = Math.abs(x[i]);
        }
      }
      case SIGN -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = Math.signum((float) x[i]);
        }
      }
      case LOG -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = Math.log(x[i]);
        }
        round(y, type);
      }
      case NOT -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = type == ElementType.BOOLEAN ? 1 - x[i] : ~(long) x[i];
        }
      }
      case IS_NULL -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = Double.isNaN(x[i]) ? 1 : 0;
        }
      }
      case IS_INF -> {
        for (int i = 0; i < x.length; i++) {
          y[i] = Double.isInfinite(x[i]) ? 1 : 0;
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
      case DAY_LAST, DATE ->
          throw new IllegalArgumentException("operator must not need a calendar, was " + operator);
    }
    return y;
  }

  /// @param type the type of the result, to which it is rounded
  static double[] binary(BinaryOperator operator, double[] a, double[] b, ElementType type) {
    double[] y = new double[a.length];
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
    round(y, type);
    return y;
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

  private static void round(double[] y, ElementType type) {
    switch (type) {
      case SINGLE -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = (float) y[i];
        }
      }
      case BOOLEAN -> {
        for (int i = 0; i < y.length; i++) {
          y[i] = Math.min(y[i], 1); // true + true is true
        }
      }
      case INTEGER, DOUBLE -> {}
    }
  }
}
