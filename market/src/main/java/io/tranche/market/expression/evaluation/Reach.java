package io.tranche.market.expression.evaluation;

import io.tranche.market.expression.Expression;
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
import io.tranche.market.expression.UnaryOperator;

/// Which bars expressions read on a day in progress: earlier days, the bars so far, or later bars.
///
/// A shift says how many bars before each bar of the day a value is needed.
///
/// @param ticks bars of the day
record Reach(int ticks) {

  /// Whether earlier days determine the values at all ticks of the day.
  boolean isKnown(Expression expression) {
    return isKnown(expression, 0);
  }

  /// What is known at a shift is known at every larger one.
  private boolean isKnown(Expression expression, long shift) {
    return switch (expression) {
      case Field _ -> shift >= ticks;
      case Constant _ -> true;
      case Unary(var operator, var operand) ->
          switch (operator) {
            case DATE -> true;
            case BACKWARD_FILL -> false;
            case DAY_LAST -> isKnown(operand, shift >= ticks ? ticks : 0);
            default -> isKnown(operand, shift);
          };
      case Binary(_, var left, var right) -> isKnown(left, shift) && isKnown(right, shift);
      case If(var condition, var left, var right) ->
          isKnown(condition, shift) && isKnown(left, shift) && isKnown(right, shift);
      case Ref(var operand, int bars) -> isKnownBefore(operand, bars, shift);
      case Delta(var operand, int bars) ->
          isKnown(operand, shift) && isKnownBefore(operand, bars, shift);
      case Rolling(_, var operand, _) -> isKnown(operand, shift);
      case Quantile(var operand, _, _) -> isKnown(operand, shift);
      case PairRolling(_, var left, var right, _) -> isKnown(left, shift) && isKnown(right, shift);
      case DayCumsum(var operand, _, _, _) -> isKnown(operand, shift);
      case Cut(var operand, _, int tail) -> tail == 0 && isKnown(operand, shift);
      case Select(var condition, var operand) ->
          isKnown(condition, shift) && isKnown(operand, shift);
    };
  }

  /// 0 bars mean the first value there is. A negative number looks ahead from the last bar, where
  /// there is no bar yet.
  private boolean isKnownBefore(Expression operand, int bars, long shift) {
    return bars >= 0 && isKnown(operand, bars == 0 ? ticks : shift + bars);
  }

  /// Whether the value at some tick needs a bar that comes after it.
  boolean looksAhead(Expression expression) {
    return looksAhead(expression, 0);
  }

  private boolean looksAhead(Expression expression, long shift) {
    if (isKnown(expression, shift)) {
      return false;
    }
    return switch (expression) {
      case Field _, Constant _ -> false;
      case Unary(var operator, var operand) ->
          operator == UnaryOperator.DAY_LAST
              || operator == UnaryOperator.BACKWARD_FILL
              || looksAhead(operand, shift);
      case Binary(_, var left, var right) -> looksAhead(left, shift) || looksAhead(right, shift);
      case If(var condition, var left, var right) ->
          looksAhead(condition, shift) || looksAhead(left, shift) || looksAhead(right, shift);
      case Ref(var operand, int bars) -> bars < 0 || looksAhead(operand, shift + bars);
      case Delta(var operand, int bars) ->
          bars < 0 || looksAhead(operand, shift) || looksAhead(operand, shift + bars);
      case Rolling(_, var operand, _) -> looksAhead(operand, shift);
      case Quantile(var operand, _, _) -> looksAhead(operand, shift);
      case PairRolling(_, var left, var right, _) ->
          looksAhead(left, shift) || looksAhead(right, shift);
      case DayCumsum(var operand, _, _, _) -> looksAhead(operand, shift);
      case Cut(var operand, _, int tail) -> tail > 0 || looksAhead(operand, shift);
      case Select(var condition, var operand) ->
          looksAhead(condition, shift) || looksAhead(operand, shift);
    };
  }
}
