package io.tranche.market.expression;

import io.tranche.config.ConfigException;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads one expression with Python's rules of precedence.
///
/// Length and depth are limited, so that no text can exhaust the stack of whoever walks the tree.
final class ExpressionParser {

  static final int LONGEST_TEXT = 20_000;
  static final int DEEPEST_TREE = 200;

  /// What may stand between brackets or commas.
  ///
  /// @param value an [Expression], a [String], or null for `None`
  record Argument(@Nullable Object value, int height, int position) {}

  private static final int LOWEST = BinaryOperator.GT.precedence();
  private static final int UNARY = BinaryOperator.POWER.precedence();
  private static final String FIELD_PUNCTUATION = "_\u3001\uff1a\uff08\uff09"; // as Qlib allows

  // Longer symbols first, so that ">=" is not read as ">".
  private static final List<BinaryOperator> SYMBOLS =
      List.of(
          BinaryOperator.POWER,
          BinaryOperator.GE,
          BinaryOperator.LE,
          BinaryOperator.EQ,
          BinaryOperator.NE,
          BinaryOperator.GT,
          BinaryOperator.LT,
          BinaryOperator.ADD,
          BinaryOperator.SUBTRACT,
          BinaryOperator.MULTIPLY,
          BinaryOperator.DIVIDE,
          BinaryOperator.AND,
          BinaryOperator.OR);

  private final String text;
  private int at;
  private int nesting;

  ExpressionParser(String text) {
    this.text = text;
  }

  Expression parse() {
    if (text.length() > LONGEST_TEXT) {
      throw new ConfigException(
          "expression '" + text.substring(0, 40) + "...'",
          "at most %d characters".formatted(LONGEST_TEXT),
          text.length());
    }
    Argument whole = binary(LOWEST);
    if (peek() != 0) {
      throw error(at, "an operator or the end");
    }
    if (!(whole.value() instanceof Expression expression) || expression instanceof Constant) {
      throw new ConfigException(place(0), "a field, such as $close", quoted(text.strip()));
    }
    expression.type(); // refuses what numpy could not compute
    return expression;
  }

  /// Reads operands joined by symbols that bind at least as tightly as `lowest`.
  private Argument binary(int lowest) {
    Argument left = unary();
    boolean compared = false;
    while (true) {
      BinaryOperator operator = symbol();
      if (operator == null || operator.precedence() < lowest || operator.precedence() >= UNARY) {
        return left;
      }
      int position = at;
      if (operator.isComparison() && compared) {
        throw error(position, "brackets around one of two comparisons");
      }
      compared |= operator.isComparison();
      at += operator.symbol().length();
      Argument right = binary(operator.precedence() + 1);
      left = join(operator, left, right, position);
    }
  }

  private Argument unary() {
    char sign = peek();
    if (sign != '-' && sign != '+') {
      return power();
    }
    int position = at++;
    Argument operand = nested(this::unary);
    if (sign == '+') {
      expression(operand);
      return operand;
    }
    return join(
        BinaryOperator.MULTIPLY, operand, new Argument(new Constant(-1, true), 1, at), position);
  }

  private Argument power() {
    Argument base = atom();
    if (symbol() != BinaryOperator.POWER) {
      return base;
    }
    int position = at;
    at += BinaryOperator.POWER.symbol().length();
    return join(BinaryOperator.POWER, base, nested(this::unary), position);
  }

  private Argument atom() {
    char next = peek();
    int position = at;
    if (next == '(') {
      at++;
      Argument inner = nested(() -> binary(LOWEST));
      expect(')');
      return inner;
    }
    if (next == '$') {
      at++;
      return new Argument(new Field(fieldName(position)), 1, position);
    }
    if (next == '\'' || next == '"') {
      return new Argument(string(next), 1, position);
    }
    if (isDigit(next) || next == '.') {
      return new Argument(number(), 1, position);
    }
    if (Character.isLetter(next) || next == '_') {
      String name = name();
      if (name.equals("None")) {
        return new Argument(null, 1, position);
      }
      return call(name, position);
    }
    throw error(position, "a field, a number, a function or '('");
  }

  private Argument call(String name, int position) {
    expect('(');
    var arguments = new ArrayList<Argument>();
    if (peek() != ')') {
      arguments.add(nested(() -> binary(LOWEST)));
      while (peek() == ',') {
        at++;
        arguments.add(nested(() -> binary(LOWEST)));
      }
    }
    expect(')');
    int height = 0;
    for (Argument argument : arguments) {
      height = Math.max(height, argument.height());
    }
    Expression expression = new ExpressionFunction(text, name, position, arguments).build();
    return tree(expression, height + 1, position);
  }

  private Argument join(BinaryOperator operator, Argument left, Argument right, int position) {
    Expression one = expression(left);
    Expression two = expression(right);
    Expression joined =
        one instanceof Constant a && two instanceof Constant b
            ? fold(operator, a, b, position)
            : new Binary(operator, one, two);
    return tree(joined, Math.max(left.height(), right.height()) + 1, position);
  }

  private Expression fold(BinaryOperator operator, Constant left, Constant right, int position) {
    double a = left.value();
    double b = right.value();
    double value =
        switch (operator) {
          case ADD -> a + b;
          case SUBTRACT -> a - b;
          case MULTIPLY -> a * b;
          case DIVIDE -> a / b;
          case POWER -> Math.pow(a, b);
          default -> throw error(position, "a field on one side");
        };
    boolean whole =
        left.whole() && right.whole() && operator != BinaryOperator.DIVIDE && isWhole(value);
    if (!Double.isFinite(value)) {
      throw error(position, "finite numbers");
    }
    return new Constant(value, whole);
  }

  private Argument tree(Expression expression, int height, int position) {
    if (height > DEEPEST_TREE) {
      throw new ConfigException(
          place(position), "at most %d levels".formatted(DEEPEST_TREE), "more");
    }
    return new Argument(expression, height, position);
  }

  private Argument nested(java.util.function.Supplier<Argument> rule) {
    if (++nesting > DEEPEST_TREE) {
      throw new ConfigException(place(at), "at most %d levels".formatted(DEEPEST_TREE), "more");
    }
    Argument argument = rule.get();
    nesting--;
    return argument;
  }

  private Expression expression(Argument argument) {
    if (argument.value() instanceof Expression expression) {
      return expression;
    }
    throw new ConfigException(
        place(argument.position()),
        "an expression",
        argument.value() == null ? "None" : "a text in quotes");
  }

  private @Nullable BinaryOperator symbol() {
    peek();
    for (BinaryOperator operator : SYMBOLS) {
      if (text.startsWith(operator.symbol(), at)) {
        return operator;
      }
    }
    return null;
  }

  private String fieldName(int position) {
    int from = at;
    while (at < text.length() && isFieldPart(text.charAt(at))) {
      at++;
    }
    if (at == from) {
      throw error(position, "a field name after '$'");
    }
    return text.substring(from, at);
  }

  private String name() {
    int from = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    return text.substring(from, at);
  }

  private String string(char quote) {
    int from = ++at;
    int to = text.indexOf(quote, from);
    if (to < 0) {
      throw error(from - 1, "a closing " + quote);
    }
    at = to + 1;
    return text.substring(from, to);
  }

  private Constant number() {
    int from = at;
    digits();
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      digits();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      digits();
    }
    String digits = text.substring(from, at);
    double value;
    try {
      value = Double.parseDouble(digits);
    } catch (NumberFormatException _) {
      throw error(from, "a number");
    }
    boolean whole = digits.chars().allMatch(Character::isDigit);
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

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw error(at, "'" + wanted + "'");
    }
    at++;
  }

  /// Skips blanks and returns the next character, 0 at the end.
  private char peek() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  private ConfigException error(int position, String expected) {
    Object found =
        position < text.length() ? quoted(text.substring(position, position + 1)) : "the end";
    return new ConfigException(place(position), expected, Objects.requireNonNull(found));
  }

  private String place(int position) {
    return place(text, position);
  }

  /// Returns `expression '...' at N`; positions count from 0.
  static String place(String text, int position) {
    return "expression '%s' at %d".formatted(text, position);
  }

  private static String quoted(String found) {
    return "'" + found + "'";
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) <= 1L << 53;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isFieldPart(char c) {
    return Character.isLetterOrDigit(c) || FIELD_PUNCTUATION.indexOf(c) >= 0;
  }
}
