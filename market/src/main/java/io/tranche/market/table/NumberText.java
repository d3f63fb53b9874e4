package io.tranche.market.table;

import java.nio.charset.StandardCharsets;

/// Reads one number from bytes, to the last bit as `Double.parseDouble` does but without a string.
///
/// Hot path: nothing is allocated unless a number has more digits than a double can hold.
final class NumberText {

  private static final long EXACT = 1L << 53;
  private static final double[] POWERS = new double[23]; // all exact

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private double value;

  /// Returns the number read by the last successful [#parse]; NaN if the text means "missing".
  double value() {
    return value;
  }

  /// Whether the bytes are a number, infinity or a word for "missing", with optional blanks around
  /// it.
  ///
  /// A leading zero before another digit makes it a text: `000001` is a stock, not the number one.
  boolean parse(byte[] bytes, int from, int to) {
    int at = from;
    int end = to;
    while (at < end && isBlank(bytes[at])) {
      at++;
    }
    while (end > at && isBlank(bytes[end - 1])) {
      end--;
    }
    if (at == end) {
      value = Double.NaN;
      return true;
    }
    int begin = at;
    boolean negative = bytes[at] == '-';
    if (negative || bytes[at] == '+') {
      at++;
    }
    long mantissa = 0;
    int digits = 0; // significant ones
    int whole = at;
    for (; at < end && isDigit(bytes[at]); at++) {
      digits += mantissa == 0 && bytes[at] == '0' ? 0 : 1;
      mantissa = digits <= 18 ? mantissa * 10 + (bytes[at] - '0') : mantissa;
    }
    int wholeDigits = at - whole;
    if (wholeDigits > 1 && bytes[whole] == '0') {
      return false;
    }
    int fraction = at;
    int scale = 0;
    if (at < end && bytes[at] == '.') {
      at++;
      fraction = at;
      for (; at < end && isDigit(bytes[at]); at++) {
        digits += mantissa == 0 && bytes[at] == '0' ? 0 : 1;
        mantissa = digits <= 18 ? mantissa * 10 + (bytes[at] - '0') : mantissa;
      }
      scale = at - fraction;
    }
    if (wholeDigits + scale == 0) {
      return word(bytes, begin, end, negative);
    }
    int exponent = 0;
    if (at < end && (bytes[at] | 0x20) == 'e') {
      at++;
      boolean down = at < end && bytes[at] == '-';
      if (at < end && (down || bytes[at] == '+')) {
        at++;
      }
      int first = at;
      for (; at < end && isDigit(bytes[at]); at++) {
        exponent = Math.min(exponent * 10 + (bytes[at] - '0'), 100_000);
      }
      if (at == first) {
        return false;
      }
      exponent = down ? -exponent : exponent;
    }
    if (at != end) {
      return false;
    }
    exponent -= scale;
    if (digits <= 18 && mantissa <= EXACT && Math.abs(exponent) < POWERS.length) {
      // Both operands are exact, so the one rounding is the right one (Clinger 1990).
      double magnitude =
          exponent < 0 ? mantissa / POWERS[-exponent] : (double) mantissa * POWERS[exponent];
      value = negative ? -magnitude : magnitude;
    } else {
      value = Double.parseDouble(new String(bytes, begin, end - begin, StandardCharsets.US_ASCII));
    }
    return true;
  }

  /// Reads `inf`, `Infinity` and the words pandas, R and databases write for a missing number.
  private boolean word(byte[] bytes, int from, int to, boolean negative) {
    boolean signed = bytes[from] == '-' || bytes[from] == '+';
    int start = signed ? from + 1 : from;
    if (is(bytes, start, to, "inf") || is(bytes, start, to, "infinity")) {
      value = negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return true;
    }
    value = Double.NaN;
    if (is(bytes, start, to, "nan")) {
      return true;
    }
    return !signed
        && (is(bytes, start, to, "na")
            || is(bytes, start, to, "n/a")
            || is(bytes, start, to, "null")
            || is(bytes, start, to, "none"));
  }

  /// Whether the bytes are `word` in upper or lower case; `word` itself is in lower case.
  static boolean is(byte[] bytes, int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int i = 0; i < word.length(); i++) {
      int letter = bytes[from + i];
      if (letter >= 'A' && letter <= 'Z') {
        letter |= 0x20;
      }
      if (letter != word.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBlank(byte letter) {
    return letter == ' ' || letter == '\t';
  }

  private static boolean isDigit(byte letter) {
    return letter >= '0' && letter <= '9';
  }
}
