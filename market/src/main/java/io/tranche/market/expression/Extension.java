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

/// How many bars an evaluation needs beyond the range it computes.
///
/// Qlib: `get_extended_window_size`. Fills and day operators add nothing, so they see only the bars
/// that the rest of the expression needs.
public record Extension(long left, long right) {

  private static final Extension NONE = new Extension(0, 0);

  static Extension of(Expression expression) {
    return switch (expression) {
      case Field _, Constant _ -> NONE;
      case Unary(_, var operand) -> of(operand);
      case Binary(_, var left, var right) -> of(left).max(of(right));
      case If(var condition, var left, var right) -> of(condition).max(of(left)).max(of(right));
      case Ref(var operand, int bars) -> of(operand).plus(Math.max(bars, 0), -Math.min(bars, 0));
      case Delta(var operand, int bars) -> of(operand).plus(Math.max(bars - 1, 0), 0);
      case Rolling(_, var operand, double window) -> of(operand).plus(bars(window), 0);
      case Quantile(var operand, int window, _) -> of(operand).plus(bars(window), 0);
      case PairRolling(_, var left, var right, int window) ->
          of(left).max(of(right)).plus(bars(window), 0);
      case DayCumsum(var operand, _, _, _) -> of(operand);
      case Cut(var operand, int head, int tail) -> of(operand).plus(head, tail);
      case Select(var condition, var operand) -> of(condition).max(of(operand));
    };
  }

  /// For a fraction, the tail is included until its weight falls below a millionth.
  private static long bars(double window) {
    if (window > 0 && window < 1) {
      return Math.max((long) (Math.log(1e-6) / Math.log(1 - window)) - 1, 0);
    }
    return Math.max((long) window - 1, 0);
  }

  private Extension plus(long moreLeft, long moreRight) {
    return new Extension(left + moreLeft, right + moreRight);
  }

  private Extension max(Extension other) {
    return new Extension(Math.max(left, other.left), Math.max(right, other.right));
  }
}
