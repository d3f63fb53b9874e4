package io.tranche.market.expression;

import static io.tranche.market.expression.ColumnType.BOOLEAN;
import static io.tranche.market.expression.ColumnType.DOUBLE;
import static io.tranche.market.expression.ColumnType.INTEGER;
import static io.tranche.market.expression.ColumnType.SINGLE;

import io.tranche.config.ConfigException;
import java.util.List;

/// A formula over the fields of one instrument, such as `Ref($close, 1)/$close-1`.
///
/// Two expressions are equal when they are the same tree with the same arguments.
public sealed interface Expression {

  /// Reads Qlib's text form: fields with a dollar sign, Python's operators, functions by name.
  ///
  /// @throws ConfigException if `text` is not an expression or could never be evaluated
  static Expression parse(String text) {
    return new ExpressionParser(text).parse();
  }

  /// Returns the text form, which [#parse] reads back as an equal expression.
  default String text() {
    return ExpressionText.of(this);
  }

  /// Returns how many bars before and after a range an evaluation of that range needs.
  default Extension extension() {
    return Extension.of(this);
  }

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

  default ColumnType type() {
    return ColumnTypes.of(this);
  }

  /// A stored field, without its dollar sign.
  record Field(String name) implements Expression {}

  /// A number.
  ///
  /// @param whole whether it was written without a fraction or exponent: Python's `int`
  record Constant(double value, boolean whole) implements Expression {}

  /// A function of the value at each bar, or of neighbouring values without a window.
  record Unary(UnaryOperator operator, Expression operand) implements Expression {}

  record Binary(BinaryOperator operator, Expression left, Expression right) implements Expression {}

  /// `left` where the condition is not zero (NaN is not zero), `right` elsewhere.
  record If(Expression condition, Expression left, Expression right) implements Expression {}

  /// The value `bars` earlier; 0 means the first value of the window, a negative number looks
  /// ahead.
  record Ref(Expression operand, int bars) implements Expression {}

  /// The value minus the value `bars` earlier; 0 subtracts the first value of the window.
  record Delta(Expression operand, int bars) implements Expression {}

  /// A statistic over the last bars.
  ///
  /// @param window how many bars; 0 means all since the window's beginning; a fraction below 1 is
  ///   the weight of the newest value in an exponential mean
  record Rolling(RollingOperator operator, Expression operand, double window)
      implements Expression {}

  /// The quantile of the last `window` bars, interpolated linearly; 0 bars as in [Rolling].
  record Quantile(Expression operand, int window, double probability) implements Expression {}

  /// A statistic over the last bars of two expressions.
  record PairRolling(PairOperator operator, Expression left, Expression right, int window)
      implements Expression {}

  /// The sum since `start` of the day, zero outside `start` to `end`; for days of 240 minutes.
  ///
  /// @param start the first minute summed, as minutes since midnight
  /// @param end the last minute summed, as minutes since midnight
  /// @param granularity minutes per bar
  record DayCumsum(Expression operand, int start, int end, int granularity) implements Expression {}

  /// Everything but the first `head` and the last `tail` rows that were loaded.
  record Cut(Expression operand, int head, int tail) implements Expression {}

  /// The rows at which the condition holds.
  record Select(Expression condition, Expression operand) implements Expression {}

  /// How many bars an evaluation needs beyond the range it computes.
  ///
  /// Qlib: `get_extended_window_size`. Fills and day operators add nothing, so they see only the
  /// bars that the rest of the expression needs.
  record Extension(long left, long right) {

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

  /// The type that numpy would give the result of an expression, and what it would refuse.
  final class ColumnTypes {

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
      return new ConfigException("expression '" + where.text() + "'", expected, kind);
    }
  }

  /// Writes expressions as Qlib's high-frequency handlers do: symbols without blanks, arguments
  /// with a blank after the comma.
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
}
