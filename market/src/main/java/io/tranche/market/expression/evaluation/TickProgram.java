package io.tranche.market.expression.evaluation;

import io.tranche.market.expression.ColumnType;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Binary;
import io.tranche.market.expression.Expression.ColumnTypes;
import io.tranche.market.expression.Expression.Constant;
import io.tranche.market.expression.Expression.Cut;
import io.tranche.market.expression.Expression.Delta;
import io.tranche.market.expression.Expression.Field;
import io.tranche.market.expression.Expression.If;
import io.tranche.market.expression.Expression.Ref;
import io.tranche.market.expression.Expression.Select;
import io.tranche.market.expression.Expression.Unary;
import io.tranche.market.expression.UnaryOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The computation that remains at each tick of a day, once all values that depend only on earlier
/// days are known.
///
/// A register holds the value of a subexpression at the tick; the first ones are the fields. A fill
/// keeps its register from tick to tick, which is the only state of a day.
final class TickProgram {

  @FunctionalInterface
  interface Step {
    void run(double[] registers);
  }

  private final Reach reach;
  private final List<String> fields;
  private final Map<Expression, Integer> registers = new HashMap<>();
  private final List<Expression> known = new ArrayList<>();
  private final List<Integer> knownRegisters = new ArrayList<>();
  private final List<Expression> fills = new ArrayList<>();
  private final List<Integer> fillRegisters = new ArrayList<>();
  private final Map<Integer, Double> constants = new HashMap<>();
  private final List<Step> steps = new ArrayList<>();
  private final int[] roots;
  private final int[] heads;
  private int size;

  private TickProgram(List<Expression> expressions, List<String> fields, int[] heads, Reach reach) {
    this.reach = reach;
    this.fields = fields;
    this.heads = heads;
    this.size = fields.size();
    this.roots = expressions.stream().mapToInt(this::register).toArray();
  }

  /// Returns the program, or null if an expression has an operation that cannot be computed tick by
  /// tick.
  static @Nullable TickProgram of(List<Expression> expressions, List<String> fields, int ticks) {
    var reach = new Reach(ticks);
    var roots = new ArrayList<Expression>();
    int[] heads = new int[expressions.size()];
    for (int i = 0; i < heads.length; i++) {
      Expression root = expressions.get(i);
      while (root instanceof Cut(var operand, int head, int tail) && tail == 0) {
        heads[i] = (int) Math.min((long) heads[i] + head, Integer.MAX_VALUE);
        root = operand;
      }
      if (!hasEveryRow(root) || !goesByTicks(root, reach)) {
        return null;
      }
      roots.add(root);
    }
    return new TickProgram(roots, fields, heads, reach);
  }

  /// Whether no value depends on which rows are present.
  private static boolean hasEveryRow(Expression expression) {
    boolean itself =
        switch (expression) {
          case Cut _, Select _ -> false;
          case Ref(_, int bars) -> bars != 0;
          case Delta(_, int bars) -> bars != 0;
          default -> true;
        };
    return itself && expression.operands().stream().allMatch(TickProgram::hasEveryRow);
  }

  private static boolean goesByTicks(Expression expression, Reach reach) {
    if (reach.isKnown(expression)) {
      return true;
    }
    boolean itself =
        switch (expression) {
          case Field _, Binary _, If _ -> true;
          case Unary(var operator, _) ->
              operator != UnaryOperator.DAY_LAST && operator != UnaryOperator.BACKWARD_FILL;
          default -> false;
        };
    return itself && expression.operands().stream().allMatch(each -> goesByTicks(each, reach));
  }

  private int register(Expression expression) {
    Integer existing = registers.get(expression);
    if (existing != null) {
      return existing;
    }
    int register = add(expression);
    registers.put(expression, register);
    return register;
  }

  private int add(Expression expression) {
    if (!(expression instanceof Constant) && reach.isKnown(expression)) {
      known.add(expression);
      knownRegisters.add(size);
      return size++;
    }
    return switch (expression) {
      case Field(var name) -> fields.indexOf(name);
      case Unary(var operator, var operand) -> unary(expression, operator, operand);
      case Binary(var operator, var left, var right) -> {
        ColumnType common = ColumnTypes.common(left, right);
        ColumnType type = expression.type();
        int a = operand(left, common);
        int b = operand(right, common);
        int y = size++;
        steps.add(at -> at[y] = Elementwise.binary(operator, at[a], at[b], type));
        yield y;
      }
      case If(var condition, var left, var right) -> {
        int c = register(condition);
        int a = operand(left, expression.type());
        int b = operand(right, expression.type());
        int y = size++;
        steps.add(at -> at[y] = at[c] != 0 ? at[a] : at[b]);
        yield y;
      }
      default ->
          throw new IllegalArgumentException(
              "expression must go by ticks, was " + expression.text());
    };
  }

  private int unary(Expression expression, UnaryOperator operator, Expression operand) {
    int x = register(operand);
    int y = size++;
    if (operator == UnaryOperator.FORWARD_FILL) {
      fills.add(expression);
      fillRegisters.add(y);
      steps.add(at -> at[y] = Double.isNaN(at[x]) ? at[y] : at[x]);
    } else {
      ColumnType type = operand.type();
      steps.add(at -> at[y] = Elementwise.unary(operator, at[x], type));
    }
    return y;
  }

  /// Returns the register of an operand, which may be a constant in the type that it takes.
  private int operand(Expression operand, ColumnType type) {
    if (!(operand instanceof Constant constant)) {
      return register(operand);
    }
    constants.put(size, ColumnTypes.rounded(constant, type));
    return size++;
  }

  /// Returns the subexpressions that depend only on earlier days.
  List<Expression> known() {
    return known;
  }

  /// Returns the fills; their last values before the day initialise their registers.
  List<Expression> fills() {
    return fills;
  }

  int[] knownRegisters() {
    return knownRegisters.stream().mapToInt(Integer::intValue).toArray();
  }

  int[] fillRegisters() {
    return fillRegisters.stream().mapToInt(Integer::intValue).toArray();
  }

  Step[] steps() {
    return steps.toArray(Step[]::new);
  }

  int[] roots() {
    return roots;
  }

  /// Returns how many rows each expression cuts off at the beginning.
  int[] heads() {
    return heads;
  }

  /// Returns registers that hold the constants and nothing else yet.
  double[] newRegisters() {
    double[] values = new double[size];
    Arrays.fill(values, Double.NaN);
    constants.forEach((register, value) -> values[register] = value);
    return values;
  }
}
