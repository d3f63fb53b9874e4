package io.tranche.market.expression;

import io.tranche.config.ConfigException;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Field;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Reads one expression with Python's rules of precedence.
///
/// Length and depth are limited, so that no text can exhaust the stack of code that walks the tree.
final class ExpressionParser {

  static final int LONGEST_TEXT = 20_000;
  static final int DEEPEST_TREE = 200;

  /// What may stand between brackets or commas.
  ///
  /// @param value an [Expression], a [String], or null for `None`
  /// @param height of the tree
  record Argument(@Nullable Object value, int height, int position) {}

  private static final int LOWEST = BinaryOperator.GT.precedence();

  private final String text;
  private final ExpressionReader reader;
  private int nesting;

  ExpressionParser(String text) {
    this.text = text;
    this.reader = new ExpressionReader(text);
  }

  Expression parse() {
    if (text.length() > LONGEST_TEXT) {
      throw new ConfigException(
          "expression '" + text.substring(0, 40) + "...'",
          "at most %d characters".formatted(LONGEST_TEXT),
          text.length());
    }
    Argument whole = binary(LOWEST);
    if (!reader.isAtEnd()) {
      throw reader.error(reader.position(), "an operator or the end");
    }
    if (!(whole.value() instanceof Expression expression) || expression instanceof Constant) {
      throw reader.error(0, "a field, such as $close", "'" + text.strip() + "'");
    }
    expression.type(); // refuses what numpy could not compute
    return expression;
  }

  /// Reads operands joined by symbols that bind at least as tightly as `lowest`.
  private Argument binary(int lowest) {
    Argument left = unary();
    boolean compared = false;
    while (true) {
      BinaryOperator operator = reader.peekSymbol();
      if (operator == null || operator.precedence() < lowest) {
        return left;
      }
      int position = reader.position();
      if (operator.isComparison() && compared) {
        throw reader.error(position, "brackets around one of two comparisons");
      }
      compared |= operator.isComparison();
      reader.skip(operator.symbol().length());
      Argument right = binary(operator.precedence() + 1);
      left = join(operator, left, right, position);
    }
  }

  /// A sign binds more loosely than a power and more tightly than a product.
  private Argument unary() {
    char sign = reader.peek();
    if (sign != '-' && sign != '+') {
      return power();
    }
    int position = reader.position();
    reader.skip(1);
    Argument operand = nested(this::unary);
    if (sign == '+') {
      expression(operand);
      return operand;
    }
    Argument minusOne = new Argument(new Constant(-1, true), 1, position);
    return join(BinaryOperator.MULTIPLY, operand, minusOne, position);
  }

  private Argument power() {
    Argument base = atom();
    if (reader.peekSymbol() != BinaryOperator.POWER) {
      return base;
    }
    int position = reader.position();
    reader.skip(BinaryOperator.POWER.symbol().length());
    return join(BinaryOperator.POWER, base, nested(this::unary), position);
  }

  private Argument atom() {
    char next = reader.peek();
    int position = reader.position();
    if (next == '(') {
      reader.skip(1);
      Argument inner = nested(() -> binary(LOWEST));
      reader.expect(')');
      return inner;
    }
    if (next == '$') {
      return new Argument(new Field(reader.field()), 1, position);
    }
    if (next == '\'' || next == '"') {
      return new Argument(reader.quoted(), 1, position);
    }
    if (ExpressionReader.isDigit(next) || next == '.') {
      return new Argument(reader.number(), 1, position);
    }
    if (ExpressionReader.isNamePart(next)) {
      String name = reader.name();
      return name.equals("None") ? new Argument(null, 1, position) : call(name, position);
    }
    throw reader.error(position, "a field, a number, a function or '('");
  }

  private Argument call(String name, int position) {
    var arguments = new ArrayList<Argument>();
    reader.expect('(');
    if (reader.peek() != ')') {
      arguments.add(nested(() -> binary(LOWEST)));
      while (reader.peek() == ',') {
        reader.skip(1);
        arguments.add(nested(() -> binary(LOWEST)));
      }
    }
    reader.expect(')');
    int height = 0;
    for (Argument argument : arguments) {
      height = Math.max(height, argument.height());
    }
    Expression expression = new ExpressionFunction(reader, name, position, arguments).build();
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

  private Constant fold(BinaryOperator operator, Constant left, Constant right, int position) {
    double a = left.value();
    double b = right.value();
    double value =
        switch (operator) {
          case ADD -> a + b;
          case SUBTRACT -> a - b;
          case MULTIPLY -> a * b;
          case DIVIDE -> a / b;
          case POWER -> Math.pow(a, b);
          default -> throw reader.error(position, "a field on one side");
        };
    if (!Double.isFinite(value)) {
      throw reader.error(position, "finite numbers");
    }
    boolean whole =
        left.whole()
            && right.whole()
            && operator != BinaryOperator.DIVIDE
            && ExpressionReader.isWhole(value);
    return new Constant(whole ? value + 0.0 : value, whole); // Python's int has no negative zero
  }

  private Argument tree(Expression expression, int height, int position) {
    if (height > DEEPEST_TREE) {
      throw tooDeep(position);
    }
    return new Argument(expression, height, position);
  }

  private Argument nested(Supplier<Argument> rule) {
    if (++nesting > DEEPEST_TREE) {
      throw tooDeep(reader.position());
    }
    Argument argument = rule.get();
    nesting--;
    return argument;
  }

  private ConfigException tooDeep(int position) {
    return reader.error(position, "at most %d levels".formatted(DEEPEST_TREE), "more");
  }

  private Expression expression(Argument argument) {
    if (argument.value() instanceof Expression expression) {
      return expression;
    }
    String found = argument.value() == null ? "None" : "a text in quotes";
    throw reader.error(argument.position(), "an expression", found);
  }
}
