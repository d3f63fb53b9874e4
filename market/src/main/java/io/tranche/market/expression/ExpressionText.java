package io.tranche.market.expression;

import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Cut;
import io.tranche.market.expression.Expression.DayCumsum;
import io.tranche.market.expression.Expression.Delta;
import io.tranche.market.expression.Expression.Field;
import io.tranche.market.expression.Expression.If;
import io.tranche.market.expression.Expression.PairRolling;
import io.tranche.market.expression.Expression.Quantile;
import io.tranche.market.expression.Expression.Ref;
import io.tranche.market.expression.Expression.Rolling;
import io.tranche.market.expression.Expression.Select;
import io.tranche.market.expression.Expression.Unary;

/// Writes expressions as Qlib's high-frequency handlers do: symbols without blanks, arguments with
/// a blank after the comma.
final class ExpressionText {

  private static final int ATOM = 10;

  private final StringBuilder text = new StringBuilder();

  private ExpressionText() {}

  static String of(Expression expression) {
    var writer = new ExpressionText();
    writer.write(expression);
    return writer.text.toString();
  }

  private void write(Expression expression) {
    switch (expression) {
      case Field(var name) -> text.append('$').append(name);
      case Constant(double value, boolean whole) -> text.append(number(value, whole));
      case Unary(var operator, var operand) -> call(operator, operand);
      case Binary(var operator, var left, var right) when operator.symbol().isEmpty() ->
          call(operator, left, right);
      case Binary binary -> writeSymbol(binary);
      case If(var condition, var left, var right) -> call("If", condition, left, right);
      case Ref(var operand, int bars) -> call("Ref", operand, bars);
      case Delta(var operand, int bars) -> call("Delta", operand, bars);
      case Rolling(var operator, var operand, double window) ->
          call(operator, operand, number(window, window == Math.rint(window)));
      case Quantile(var operand, int window, double probability) ->
          call("Quantile", operand, window, probability);
      case PairRolling(var operator, var left, var right, int window) ->
          call(operator, left, right, window);
      case DayCumsum(var operand, int start, int end, int granularity) ->
          call("DayCumsum", operand, time(start), time(end), granularity);
      case Cut(var operand, int head, int tail) ->
          call("Cut", operand, head == 0 ? "None" : head, tail == 0 ? "None" : -tail);
      case Select(var condition, var operand) -> call("Select", condition, operand);
    }
  }

  private void call(Object name, Object... arguments) {
    text.append(name).append('(');
    for (int i = 0; i < arguments.length; i++) {
      text.append(i == 0 ? "" : ", ");
      if (arguments[i] instanceof Expression expression) {
        write(expression);
      } else {
        text.append(arguments[i]);
      }
    }
    text.append(')');
  }

  private void writeSymbol(Binary binary) {
    BinaryOperator operator = binary.operator();
    int precedence = operator.precedence();
    // Comparisons do not chain and powers bind to the right: there the left side needs brackets.
    boolean leftNeeds = operator.isComparison() || operator == BinaryOperator.POWER;
    boolean rightNeeds = operator != BinaryOperator.POWER;
    operand(binary.left(), leftNeeds ? precedence + 1 : precedence);
    text.append(operator.symbol());
    operand(binary.right(), rightNeeds ? precedence + 1 : precedence);
  }

  private void operand(Expression operand, int atLeast) {
    if (precedence(operand) >= atLeast) {
      write(operand);
    } else {
      text.append('(');
      write(operand);
      text.append(')');
    }
  }

  private static int precedence(Expression expression) {
    return switch (expression) {
      case Binary(var operator, _, _) when !operator.symbol().isEmpty() -> operator.precedence();
      case Constant(double value, _) when Math.copySign(1, value) < 0 -> 0;
      default -> ATOM;
    };
  }

  private static String number(double value, boolean whole) {
    return whole ? Long.toString((long) value) : Double.toString(value);
  }

  private static String time(int minuteOfDay) {
    return "'%d:%02d'".formatted(minuteOfDay / 60, minuteOfDay % 60);
  }
}
