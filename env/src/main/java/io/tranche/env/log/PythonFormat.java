package io.tranche.env.log;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A format specification of Python's `str.format`, such as `:.4f`, `:06d` or `:>10.2e`.
///
/// Supports the types `d` for counts and `f`, `e`, `g` and `%` for numbers; without a type, a
/// number prints with its shortest digits. Rounds the exact binary value, half to even.
public final class PythonFormat {

  private static final int MAX_WIDTH = 1_000;
  private static final Pattern SPECIFICATION =
      Pattern.compile(
          ":?(?:(?<fill>.)?(?<align>[<>=^]))?(?<sign>[-+ ])?(?<zero>0)?(?<width>\\d{1,4})?"
              + "(?<comma>,)?(?:\\.(?<precision>\\d{1,4}))?(?<type>[dfeg%])?");

  private final char fill;
  private final char align;
  private final String plus;
  private final int width;
  private final boolean isGrouped;
  private final int precision;
  private final char type;

  /// @throws IllegalArgumentException if the specification is invalid in Python or not supported
  ///   here
  public PythonFormat(String specification) {
    Matcher found = SPECIFICATION.matcher(specification);
    if (!found.matches()) {
      throw wrong("of the form :[align][width][.precision][d|f|e|g|%]", specification);
    }
    boolean isZeroPadded = found.group("zero") != null;
    align = first(found.group("align"), isZeroPadded ? '=' : '>');
    fill = first(found.group("fill"), isZeroPadded ? '0' : ' ');
    String sign = found.group("sign");
    plus = sign == null || sign.equals("-") ? "" : sign;
    width = number(found.group("width"), 0);
    isGrouped = found.group("comma") != null;
    type = first(found.group("type"), 'r');
    precision = number(found.group("precision"), 6);
    if (width > MAX_WIDTH || precision > MAX_WIDTH) {
      throw wrong("no wider than " + MAX_WIDTH, specification);
    }
    if ((type == 'd' || type == 'r') && found.group("precision") != null) {
      throw wrong("of type f, e, g or % to have a precision", specification);
    }
    if (isGrouped && (type == 'e' || isZeroPadded)) {
      throw wrong("either grouped or padded with zeros", specification);
    }
  }

  public String format(long count) {
    if (type != 'd' && type != 'r') {
      return format((double) count);
    }
    return padded(count < 0, grouped(BigDecimal.valueOf(count).abs().toPlainString()));
  }

  /// @throws IllegalArgumentException if this is a format of counts
  public String format(double number) {
    if (type == 'd') {
      throw new IllegalArgumentException("format must be one for numbers, was :d");
    }
    // Python multiplies the double, not its exact value.
    double shown = Math.abs(type == '%' ? number * 100 : number);
    String digits = Double.isFinite(shown) ? digits(shown) : PythonFloat.special(shown);
    return padded(PythonFloat.isNegative(number), type == '%' ? digits + "%" : digits);
  }

  private String digits(double number) {
    return switch (type) {
      case 'f', '%' -> grouped(fixed(new BigDecimal(number), precision));
      case 'e' -> scientific(new BigDecimal(number), precision);
      case 'g' -> grouped(general(new BigDecimal(number), Math.max(precision, 1)));
      default -> grouped(PythonFloat.repr(number));
    };
  }

  private static String fixed(BigDecimal number, int decimals) {
    return number.setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
  }

  private static String scientific(BigDecimal number, int decimals) {
    BigDecimal rounded = rounded(number, decimals + 1);
    String digits = rounded.unscaledValue().toString();
    return PythonFloat.scientific(
        digits + "0".repeat(decimals + 1 - digits.length()), exponent(rounded));
  }

  private static String general(BigDecimal number, int digits) {
    BigDecimal rounded = rounded(number, digits);
    int exponent = exponent(rounded);
    return exponent < -4 || exponent >= digits
        ? PythonFloat.scientific(rounded.unscaledValue().toString(), exponent)
        : rounded.toPlainString();
  }

  /// Rounds to at most `digits` digits, without trailing zeros.
  private static BigDecimal rounded(BigDecimal number, int digits) {
    return number.round(new MathContext(digits, RoundingMode.HALF_EVEN)).stripTrailingZeros();
  }

  private static int exponent(BigDecimal number) {
    return number.signum() == 0 ? 0 : number.precision() - number.scale() - 1;
  }

  private String grouped(String digits) {
    if (!isGrouped) {
      return digits;
    }
    int end = 0;
    while (end < digits.length() && Character.isDigit(digits.charAt(end))) {
      end++;
    }
    var text = new StringBuilder(digits);
    for (int at = end - 3; at > 0; at -= 3) {
      text.insert(at, ',');
    }
    return text.toString();
  }

  private String padded(boolean isNegative, String digits) {
    String sign = isNegative ? "-" : plus;
    int missing = Math.max(0, width - sign.length() - digits.length());
    String pad = String.valueOf(fill).repeat(missing);
    return switch (align) {
      case '<' -> sign + digits + pad;
      case '=' -> sign + pad + digits;
      case '^' -> pad.substring(0, missing / 2) + sign + digits + pad.substring(missing / 2);
      default -> pad + sign + digits;
    };
  }

  private static char first(@Nullable String text, char fallback) {
    return text == null || text.isEmpty() ? fallback : text.charAt(0);
  }

  private static int number(@Nullable String digits, int fallback) {
    return digits == null ? fallback : Integer.parseInt(digits);
  }

  private static IllegalArgumentException wrong(String rule, String specification) {
    return new IllegalArgumentException("format must be %s, was %s".formatted(rule, specification));
  }
}
