package io.tranche.market.expression.evaluation;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.expression.BinaryOperator;
import io.tranche.market.expression.ColumnType;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.ColumnTypes;
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
import io.tranche.market.expression.PairOperator;
import io.tranche.market.expression.UnaryOperator;
import java.util.Arrays;

/// Computes one node of an expression from the columns of its operands.
final class ExpressionEvaluator {

  private final String instrument;
  private final Calendar calendar;
  private final Expression expression;
  private final Column[] operands; // without those that are constants
  private final Buffers buffers;

  ExpressionEvaluator(
      String instrument,
      Calendar calendar,
      Expression expression,
      Column[] operands,
      Buffers buffers) {
    this.instrument = instrument;
    this.calendar = calendar;
    this.expression = expression;
    this.operands = operands;
    this.buffers = buffers;
  }

  Column compute() {
    return switch (expression) {
      case Field _, Constant _ ->
          throw new IllegalStateException(
              "expression must have operands, was " + expression.text());
      case Unary(var operator, _) -> unary(operator, operands[0]);
      case Binary binary -> binary(binary);
      case If choice -> choose(choice);
      case Ref(_, int bars) -> operands[0].with(expression.type(), shifted(bars));
      case Delta(_, int bars) -> delta(bars);
      case Rolling(var operator, _, double window) ->
          rolling(RollingFunctions.of(operator, operands[0].values(), window));
      case Quantile(_, int window, double probability) ->
          rolling(RollingRanks.quantile(operands[0].values(), window, probability));
      case PairRolling pair -> pair(pair);
      case DayCumsum cumsum -> DayFunctions.cumsum(cumsum, instrument, calendar, operands[0]);
      case Cut(_, int head, int tail) -> cut(head, tail);
      case Select _ -> select();
    };
  }

  private Column rolling(double[] values) {
    return operands[0].with(ColumnType.DOUBLE, values);
  }

  private Column unary(UnaryOperator operator, Column operand) {
    return switch (operator) {
      case DAY_LAST -> DayFunctions.last(calendar, operand, buffers.take(operand.size()));
      case DATE -> DayFunctions.date(calendar, operand);
      default -> {
        double[] values = buffers.take(operand.size());
        Elementwise.unary(operator, operand.values(), operand.type(), values);
        yield operand.with(expression.type(), values);
      }
    };
  }

  private Column binary(Binary binary) {
    ColumnType common = ColumnTypes.common(binary.left(), binary.right());
    ColumnType type = expression.type();
    if (binary.left() instanceof Constant constant) {
      double[] left = filled(constant, common);
      double[] values = binary(binary.operator(), left, operands[0].values());
      buffers.give(left);
      return operands[0].with(type, values);
    }
    if (binary.right() instanceof Constant constant) {
      double[] right = filled(constant, common);
      double[] values = binary(binary.operator(), operands[0].values(), right);
      buffers.give(right);
      return operands[0].with(type, values);
    }
    Column left = operands[0];
    Column right = operands[1];
    if (!left.hasRowsOf(right)) {
      if (binary.operator().isComparison() || binary.operator().isLogical()) {
        throw differentRows(left, right);
      }
      Column both = Column.union(left, right);
      left = left.at(both);
      right = right.at(both);
    }
    return left.with(type, binary(binary.operator(), left.values(), right.values()));
  }

  private double[] binary(BinaryOperator operator, double[] left, double[] right) {
    double[] values = buffers.take(left.length);
    Elementwise.binary(operator, left, right, expression.type(), values);
    return values;
  }

  private Column choose(If choice) {
    Column condition = operands[0];
    ColumnType type = expression.type();
    boolean leftIsConstant = choice.left() instanceof Constant;
    double[] left =
        choice.left() instanceof Constant constant ? filled(constant, type) : operands[1].values();
    double[] right =
        choice.right() instanceof Constant constant
            ? filled(constant, type)
            : operands[leftIsConstant ? 1 : 2].values();
    // numpy chooses by position; the rows are those of the condition.
    if (left.length != condition.size() || right.length != condition.size()) {
      throw new DataException(
          where(),
          "as many rows on each side as in the condition, which has " + condition.size(),
          "%d and %d".formatted(left.length, right.length));
    }
    double[] values = buffers.take(condition.size());
    for (int i = 0; i < values.length; i++) {
      values[i] = condition.value(i) != 0 ? left[i] : right[i];
    }
    if (choice.left() instanceof Constant) {
      buffers.give(left);
    }
    if (choice.right() instanceof Constant) {
      buffers.give(right);
    }
    return condition.with(type, values);
  }

  private double[] filled(Constant constant, ColumnType type) {
    double[] values = buffers.take(operands[0].size());
    Arrays.fill(values, ColumnTypes.rounded(constant, type));
    return values;
  }

  private double[] shifted(int bars) {
    double[] values = operands[0].values();
    double[] moved = buffers.take(values.length);
    if (values.length == 0) {
      return moved;
    }
    if (bars == 0) {
      Arrays.fill(moved, values[0]);
      return moved;
    }
    Arrays.fill(moved, Double.NaN);
    int kept = values.length - Math.min(Math.abs(bars), values.length);
    System.arraycopy(
        values,
        bars > 0 ? 0 : values.length - kept,
        moved,
        bars > 0 ? values.length - kept : 0,
        kept);
    return moved;
  }

  private Column delta(int bars) {
    ColumnType type = expression.type();
    double[] before = shifted(bars);
    double[] values = binary(BinaryOperator.SUBTRACT, operands[0].values(), before);
    buffers.give(before);
    return operands[0].with(type, values);
  }

  private Column pair(PairRolling pair) {
    Column left = operands[0];
    Column right = operands[1];
    if (!left.hasRowsOf(right)) {
      if (pair.operator() == PairOperator.CORR) {
        throw differentRows(left, right);
      }
      Column both = Column.union(left, right);
      left = left.at(both);
      right = right.at(both);
    }
    double[] values =
        RollingPairs.of(pair.operator(), left.values(), right.values(), pair.window());
    return left.with(ColumnType.DOUBLE, values);
  }

  private Column cut(int head, int tail) {
    int size = operands[0].size();
    int from = Math.min(head, size);
    return operands[0].rows(from, Math.max(from, size - Math.min(tail, size)), buffers);
  }

  private Column select() {
    Column condition = operands[0];
    Column operand = operands[1];
    Column keep = condition.hasRowsOf(operand) ? condition : condition.at(operand);
    for (int row = 0; row < keep.size(); row++) {
      if (Double.isNaN(keep.value(row))) { // a condition itself is 1 or 0
        throw differentRows(condition, operand);
      }
    }
    return operand.where(keep.values());
  }

  private DataException differentRows(Column left, Column right) {
    return new DataException(
        where(),
        "both sides to have the same bars",
        "%d and %d rows of different bars".formatted(left.size(), right.size()));
  }

  private String where() {
    return "instrument %s, expression '%s'".formatted(instrument, expression.text());
  }

  /// Functions of all bars of a day that the window covers.
  private static final class DayFunctions {

    private static final int MINUTES_A_DAY = 240;

    private DayFunctions() {}

    static Column last(Calendar calendar, Column operand, double[] values) {
      for (int from = 0, to; from < values.length; from = to) {
        to = dayEnd(calendar, operand, from);
        double last = Double.NaN;
        for (int row = to - 1; row >= from && Double.isNaN(last); row--) {
          last = operand.value(row);
        }
        Arrays.fill(values, from, to, last);
      }
      return operand.with(operand.type(), values);
    }

    static Column date(Calendar calendar, Column operand) {
      double[] values = new double[operand.size()];
      for (int row = 0; row < values.length; row++) {
        values[row] = BarTime.date(calendar.time(operand.index(row))).toEpochDay();
      }
      return operand.with(ColumnType.INTEGER, values);
    }

    static Column cumsum(DayCumsum cumsum, String instrument, Calendar calendar, Column operand) {
      int bars = MINUTES_A_DAY / cumsum.granularity();
      int start = minute(cumsum.start()) / cumsum.granularity();
      int end = minute(cumsum.end()) / cumsum.granularity();
      boolean single = operand.type() == ColumnType.SINGLE;
      double[] values = new double[operand.size()];
      for (int from = 0, to; from < values.length; from = to) {
        to = dayEnd(calendar, operand, from);
        if (to - from != bars) {
          throw new DataException(
              "instrument %s, %s, expression '%s'"
                  .formatted(
                      instrument, BarTime.date(calendar.time(operand.index(from))), cumsum.text()),
              "%d bars of that day".formatted(bars),
              to - from);
        }
        double sum = 0;
        for (int bar = start; bar <= end; bar++) {
          double value = operand.value(from + bar);
          if (Double.isNaN(value)) {
            values[from + bar] = Double.NaN;
          } else {
            sum = single ? (float) (sum + value) : sum + value;
            values[from + bar] = sum;
          }
        }
      }
      return operand.with(cumsum.type(), values);
    }

    /// Returns the row after the last one of the day that `from` belongs to.
    private static int dayEnd(Calendar calendar, Column column, int from) {
      int end = calendar.dayEnd(calendar.dayOfBar(column.index(from)));
      if (column.isContiguous()) {
        return Math.min(column.size(), from + end - column.index(from));
      }
      int to = from;
      while (to < column.size() && column.index(to) < end) {
        to++;
      }
      return to;
    }

    /// Minutes traded since the opening, without the break from 11:30 to 13:00.
    private static int minute(int minuteOfDay) {
      return minuteOfDay < 12 * 60 ? minuteOfDay - (9 * 60 + 30) : minuteOfDay - 13 * 60 + 120;
    }
  }
}
