package io.tranche.env.log;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/// Doubles as Python prints them: the shortest digits that read back as the same number.
final class PythonFloat {

  private PythonFloat() {}

  /// Returns what `repr` gives: `0.1`, `100.0`, `1e-07`, `1e+16`, `inf`, `nan`.
  static String repr(double value) {
    if (!Double.isFinite(value)) {
      return special(value);
    }
    if (Math.abs(value) >= 1e-3 && Math.abs(value) < 1e7) {
      return Double.toString(value); // Java prints these as Python does
    }
    String sign = isNegative(value) ? "-" : "";
    if (value == 0) {
      return sign + "0.0";
    }
    BigDecimal shortest = shortest(Math.abs(value));
    int exponent = shortest.precision() - shortest.scale() - 1;
    if (exponent < -4 || exponent >= 16) {
      return sign + scientific(shortest.unscaledValue().toString(), exponent);
    }
    String plain = shortest.toPlainString();
    return sign + (plain.indexOf('.') < 0 ? plain + ".0" : plain);
  }

  /// Returns `nan`, `inf` or `-inf`.
  static String special(double value) {
    if (Double.isNaN(value)) {
      return "nan";
    }
    return value > 0 ? "inf" : "-inf";
  }

  /// Whether a minus sign is printed, including that of a negative zero.
  static boolean isNegative(double value) {
    return !Double.isNaN(value) && Math.copySign(1, value) < 0;
  }

  /// Returns digits and exponent such as `1.25e-07`.
  static String scientific(String digits, int exponent) {
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return "%c%se%c%02d"
        .formatted(digits.charAt(0), fraction, exponent < 0 ? '-' : '+', Math.abs(exponent));
  }

  /// Returns the fewest digits that identify a positive number, without trailing zeros.
  private static BigDecimal shortest(double value) {
    // Java never prints fewer than two digits: it prints 4.9E-324 where one digit would do.
    BigDecimal one = new BigDecimal(value).round(new MathContext(1, RoundingMode.HALF_EVEN));
    return one.doubleValue() == value
        ? one.stripTrailingZeros()
        : new BigDecimal(Double.toString(value)).stripTrailingZeros();
  }
}
