package io.tranche.market.expression;

import io.tranche.config.ConfigException;
import java.util.List;

/// A formula over the fields of one instrument, such as `Ref($close, 1)/$close-1`.
///
/// Two expressions are equal when they are the same tree with the same arguments. The text form
/// reads back as an equal expression.
public sealed interface Expression {

  /// Reads Qlib's text form: fields with a dollar sign, Python's operators, functions by name.
  ///
  /// @throws ConfigException if `text` is not an expression or could never be evaluated
  static Expression parse(String text) {
    return new ExpressionParser(text).parse();
  }

  /// Returns how many bars before and after a range an evaluation of that range needs.
  default Extension extension() {
    return Extension.of(this);
  }

  /// Returns the names of the fields it reads, each once.
  default List<String> fields() {
    return this instanceof Field(var name)
        ? List.of(name)
        : operands().stream().flatMap(child -> child.fields().stream()).distinct().toList();
  }

  /// Returns the expressions it is computed from, without constants: they have no column.
  default List<Expression> operands() {
    List<Expression> operands =
        switch (this) {
          case Field _, Constant _ -> List.of();
          case Unary(_, var operand) -> List.of(operand);
          case Binary(_, var left, var right) -> List.of(left, right);
          case If(var condition, var left, var right) -> List.of(condition, left, right);
          case Ref(var operand, _) -> List.of(operand);
          case Delta(var operand, _) -> List.of(operand);
          case Rolling(_, var operand, _) -> List.of(operand);
          case Quantile(var operand, _, _) -> List.of(operand);
          case PairRolling(_, var left, var right, _) -> List.of(left, right);
          case DayCumsum(var operand, _, _, _) -> List.of(operand);
          case Cut(var operand, _, _) -> List.of(operand);
          case Select(var condition, var operand) -> List.of(condition, operand);
        };
    return operands.stream().filter(operand -> !(operand instanceof Constant)).toList();
  }

  /// Returns the type of the values that an evaluation gives.
  default ColumnType type() {
    return ColumnTypes.of(this);
  }

  /// A stored field, without its dollar sign.
  record Field(String name) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// A number.
  ///
  /// @param whole whether it was written without a fraction or exponent: Python's `int`
  record Constant(double value, boolean whole) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// A function of the value at each bar, or of neighbouring values without a window.
  record Unary(UnaryOperator operator, Expression operand) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// `left` where the condition is not zero (NaN is not zero), `right` elsewhere.
  record If(Expression condition, Expression left, Expression right) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// The value `bars` earlier; 0 means the first value of the window, a negative number looks
  /// ahead.
  record Ref(Expression operand, int bars) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// The value minus the value `bars` earlier; 0 subtracts the first value of the window.
  record Delta(Expression operand, int bars) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// A statistic over the last bars.
  ///
  /// @param window how many bars; 0 means all since the window's beginning; a fraction below 1 is
  ///   the weight of the newest value in an exponential mean
  record Rolling(RollingOperator operator, Expression operand, double window)
      implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// The quantile of the last `window` bars, interpolated linearly; 0 bars as in [Rolling].
  record Quantile(Expression operand, int window, double probability) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// A statistic over the last bars of two expressions.
  record PairRolling(PairOperator operator, Expression left, Expression right, int window)
      implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// The sum since `start` of the day, zero outside `start` to `end`; for days of 240 minutes.
  ///
  /// @param start the first minute summed, as minutes since midnight
  /// @param end the last minute summed, as minutes since midnight
  /// @param granularity minutes per bar
  record DayCumsum(Expression operand, int start, int end, int granularity) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// Everything but the first `head` and the last `tail` rows that were loaded.
  record Cut(Expression operand, int head, int tail) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }

  /// The rows at which the condition holds.
  record Select(Expression condition, Expression operand) implements Expression {
    @Override
    public String toString() {
      return ExpressionText.of(this);
    }
  }
}
