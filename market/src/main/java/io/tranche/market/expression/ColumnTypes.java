package io.tranche.market.expression;

import static io.tranche.market.expression.ColumnType.BOOLEAN;
import static io.tranche.market.expression.ColumnType.DOUBLE;
import static io.tranche.market.expression.ColumnType.INTEGER;
import static io.tranche.market.expression.ColumnType.SINGLE;

import io.tranche.config.ConfigException;
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

/// Which type numpy would give the result of an expression, and which it would refuse.
public final class ColumnTypes {

  // Beyond these, numpy no longer treats a constant as a single precision number.
  private static final double LARGEST_SINGLE = 3.4e38;
  private static final int SMALLEST_SHORT = -32_768;
  private static final int LARGEST_SHORT = 65_535;

  private ColumnTypes() {}

  static ColumnType of(Expression expression) {
    return switch (expression) {
      case Field _ -> SINGLE;
      case Constant constant -> constant.whole() ? INTEGER : DOUBLE;
      case Unary unary -> ofUnary(unary);
      case Binary binary -> ofBinary(binary);
      case If(_, var left, var right) -> common(left, right);
      case Ref(var operand, int bars) -> bars == 0 ? of(operand) : withGaps(of(operand));
      case Delta delta -> ofDelta(delta);
      case Rolling _, Quantile _, PairRolling _ -> DOUBLE;
      case DayCumsum(var operand, _, _, _) -> of(operand) == BOOLEAN ? INTEGER : of(operand);
      case Cut(var operand, _, _) -> of(operand);
      case Select select -> ofSelect(select);
    };
  }

  /// Returns the type in which numpy combines both; a constant takes the type of the other.
  public static ColumnType common(Expression left, Expression right) {
    if (left instanceof Constant constant && !(right instanceof Constant)) {
      return common(of(right), constant);
    }
    if (right instanceof Constant constant && !(left instanceof Constant)) {
      return common(of(left), constant);
    }
    ColumnType one = of(left);
    ColumnType two = of(right);
    if ((one == INTEGER && two == SINGLE) || (one == SINGLE && two == INTEGER)) {
      return DOUBLE;
    }
    return one.compareTo(two) >= 0 ? one : two;
  }

  private static ColumnType common(ColumnType type, Constant constant) {
    return switch (type) {
      case BOOLEAN, INTEGER -> constant.whole() ? INTEGER : DOUBLE;
      case SINGLE -> {
        double value = constant.value();
        boolean fits =
            constant.whole()
                ? value >= SMALLEST_SHORT && value <= LARGEST_SHORT
                : Math.abs(value) < LARGEST_SINGLE;
        yield fits ? SINGLE : DOUBLE;
      }
      case DOUBLE -> DOUBLE;
    };
  }

  /// Returns the value of a constant that takes the type `type`.
  public static double rounded(Constant constant, ColumnType type) {
    return type == SINGLE ? (float) constant.value() : constant.value();
  }

  private static ColumnType ofUnary(Unary unary) {
    ColumnType operand = of(unary.operand());
    return switch (unary.operator()) {
      case ABS, FORWARD_FILL, BACKWARD_FILL, DAY_LAST -> operand;
      case SIGN -> SINGLE;
      case LOG -> operand == INTEGER ? DOUBLE : operand == BOOLEAN ? SINGLE : operand;
      case NOT -> requireBits(unary, operand);
      case IS_NULL, IS_INF -> BOOLEAN;
      case DATE -> INTEGER;
    };
  }

  private static ColumnType ofBinary(Binary binary) {
    ColumnType common = common(binary.left(), binary.right());
    return switch (binary.operator()) {
      case ADD, MULTIPLY, GREATER, LESS -> common;
      case SUBTRACT -> requireNumbers(binary, common);
      case POWER -> requireNumbers(binary, common);
      case DIVIDE -> requireNumbers(binary, common) == INTEGER ? DOUBLE : common;
      case GT, GE, LT, LE, EQ, NE -> BOOLEAN;
      case AND, OR -> requireBits(binary, common);
    };
  }

  private static ColumnType ofDelta(Delta delta) {
    ColumnType operand = of(delta.operand());
    return delta.bars() == 0 ? requireNumbers(delta, operand) : withGaps(operand);
  }

  private static ColumnType ofSelect(Select select) {
    ColumnType condition = of(select.condition());
    if (condition != BOOLEAN) {
      throw refuse(select, "a condition, such as a comparison, as first argument", condition);
    }
    return of(select.operand());
  }

  /// Only floating point numbers can be missing.
  private static ColumnType withGaps(ColumnType type) {
    return type == BOOLEAN || type == INTEGER ? DOUBLE : type;
  }

  private static ColumnType requireBits(Expression expression, ColumnType type) {
    if (type == SINGLE || type == DOUBLE) {
      throw refuse(expression, "conditions, such as comparisons, as arguments", type);
    }
    return type;
  }

  private static ColumnType requireNumbers(Expression expression, ColumnType type) {
    if (type == BOOLEAN) {
      throw refuse(expression, "a number among the arguments", type);
    }
    return type;
  }

  private static ConfigException refuse(Expression where, String expected, ColumnType found) {
    String kind =
        switch (found) {
          case BOOLEAN -> "conditions only";
          case INTEGER, SINGLE, DOUBLE -> "numbers";
        };
    return new ConfigException("expression '" + where + "'", expected, kind);
  }
}
