package io.tranche.market.expression;

import io.tranche.config.ConfigException;
import io.tranche.market.expression.Expression.Constant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tokens of an expression's text, one after another.
final class ExpressionReader {

  private static final String FIELD_PUNCTUATION = "_\u3001\uff1a\uff08\uff09"; // as Qlib allows

  // Longer symbols first, so that ">=" is not read as ">".
  private static final List<BinaryOperator> SYMBOLS =
      Arrays.stream(BinaryOperator.values())
          .filter(operator -> !operator.symbol().isEmpty())
          .sorted(Comparator.comparingInt(operator -> -operator.symbol().length()))
          .toList();

  private final String text;
  private int at;

  ExpressionReader(String text) {
    this.text = text;
  }

  int position() {
    return at;
  }

  /// Skips blanks and returns the next character, 0 at the end.
  char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  boolean isAtEnd() {
    peek();
    return at == text.length();
  }

  void skip(int characters) {
    at += characters;
  }

  void expect(char wanted) {
    if (peek() != wanted) {
      throw error(at, "'" + wanted + "'");
    }
    at++;
  }

  /// Returns the operator whose symbol comes next, without reading it; null if there is none.
  @Nullable BinaryOperator peekSymbol() {
    peek();
    for (BinaryOperator operator : SYMBOLS) {
      if (text.startsWith(operator.symbol(), at)) {
        return operator;
      }
    }
    return null;
  }

  String field() {
    int from = ++at;
    while (at < text.length() && isFieldPart(text.charAt(at))) {
      at++;
    }
    if (at == from) {
      throw error(from - 1, "a field name after '$'");
    }
    return text.substring(from, at);
  }

  String name() {
    int from = at;
    while (at < text.length() && isNamePart(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  String quoted() {
    char quote = text.charAt(at);
    int from = at + 1;
    int to = text.indexOf(quote, from);
    if (to < 0) {
      throw error(at, "a closing " + quote);
    }
    at = to + 1;
    return text.substring(from, to);
  }

  Constant number() {
    int from = at;
    digits();
    boolean whole = true;
    if (at < text.length() && text.charAt(at) == '.') {
      whole = false;
      at++;
      digits();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      whole = false;
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      digits();
    }
    double value;
    try {
      value = Double.parseDouble(text.substring(from, at));
    } catch (NumberFormatException _) {
      throw error(from, "a number");
    }
    if (!Double.isFinite(value) || (whole && !isWhole(value))) {
      throw error(from, "a number below 2^53 or with a fraction");
    }
    return new Constant(value, whole);
  }

  private void digits() {
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
  }

  ConfigException error(int position, String expected) {
    String found = position < text.length() ? "'" + text.charAt(position) + "'" : "the end";
    return error(position, expected, found);
  }

  /// Says `expression '...' at N: expected ..., was ...`; positions count from 0.
  ConfigException error(int position, String expected, Object found) {
    return new ConfigException("expression '%s' at %d".formatted(text, position), expected, found);
  }

  /// Whether `value` and its neighbours are whole numbers that a `double` holds exactly.
  static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) <= 1L << 53;
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean isNamePart(char c) {
    return Character.isLetterOrDigit(c) || c == '_';
  }

  private static boolean isFieldPart(char c) {
    return Character.isLetterOrDigit(c) || FIELD_PUNCTUATION.indexOf(c) >= 0;
  }
}
