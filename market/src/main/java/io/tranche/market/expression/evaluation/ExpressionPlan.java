package io.tranche.market.expression.evaluation;

import io.tranche.market.Calendar;
import io.tranche.market.expression.Expression;
import io.tranche.market.expression.Expression.Extension;
import io.tranche.market.expression.Expression.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Expressions over one range of a calendar, in the order in which they can be computed.
///
/// A subexpression that several expressions share is computed once, provided that they see the same
/// window: fills and rolling sums depend on where their window begins. Immutable and safe to use
/// from several threads.
public final class ExpressionPlan {

  /// A subexpression and the calendar indices it sees, both inclusive.
  private record Step(Expression expression, int from, int to) {}

  private final Calendar calendar;
  private final int start;
  private final int end;
  private final List<Step> steps = new ArrayList<>();
  private final List<int[]> operands = new ArrayList<>(); // steps that a step reads
  private final int[] roots;
  private final int[] lastUse;

  /// @param start the first calendar index wanted
  /// @param end the last calendar index wanted
  public ExpressionPlan(Calendar calendar, List<Expression> expressions, int start, int end) {
    if (start < 0 || start > end || end >= calendar.size()) {
      throw new IllegalArgumentException(
          "range must lie within [0, %d), was %d .. %d".formatted(calendar.size(), start, end));
    }
    this.calendar = calendar;
    this.start = start;
    this.end = end;
    this.roots = new int[expressions.size()];
    Map<Step, Integer> known = new HashMap<>();
    for (int i = 0; i < roots.length; i++) {
      Extension extension = expressions.get(i).extension();
      int from = (int) Math.max(0, start - extension.left());
      int to = (int) Math.min(calendar.size() - 1, end + extension.right());
      roots[i] = add(new Step(expressions.get(i), from, to), known);
    }
    this.lastUse = new int[steps.size()];
    for (int step = 0; step < lastUse.length; step++) {
      lastUse[step] = step;
      for (int operand : operands.get(step)) {
        lastUse[operand] = step;
      }
    }
  }

  private int add(Step step, Map<Step, Integer> known) {
    Integer existing = known.get(step);
    if (existing != null) {
      return existing;
    }
    List<Expression> children = step.expression().operands();
    int[] numbers = new int[children.size()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = add(new Step(children.get(i), step.from(), step.to()), known);
    }
    int number = steps.size();
    steps.add(step);
    operands.add(numbers);
    known.put(step, number);
    return number;
  }

  /// Takes the results of an evaluation.
  @FunctionalInterface
  public interface Results {

    /// @param expression its number
    /// @param column may be used only during the call: its memory is used again
    void take(int expression, Column column);
  }

  /// Returns one column per expression, cut to the wanted range.
  ///
  /// @param instrument for messages
  /// @throws io.tranche.market.DataException if the instrument's rows do not allow an operation
  public List<Column> evaluate(String instrument, FieldSource source) {
    Column[] answers = new Column[roots.length];
    evaluate(instrument, source, (expression, column) -> answers[expression] = column.copy());
    return List.of(answers);
  }

  /// Computes one column per expression, cut to the wanted range, in no particular order.
  ///
  /// @param instrument for messages
  /// @throws io.tranche.market.DataException if the instrument's rows do not allow an operation
  public void evaluate(String instrument, FieldSource source, Results taking) {
    @Nullable Column[] results = new Column[steps.size()];
    var buffers = new Buffers();
    for (int number = 0; number < results.length; number++) {
      Step step = steps.get(number);
      int[] inputs = operands.get(number);
      Column[] columns = new Column[inputs.length];
      for (int i = 0; i < inputs.length; i++) {
        columns[i] = result(results, inputs[i]);
      }
      Column column =
          step.expression() instanceof Field(var name)
              ? source.load(name, step.from(), step.to())
              : new ExpressionEvaluator(instrument, calendar, step.expression(), columns, buffers)
                  .compute();
      results[number] = column;
      for (int root = 0; root < roots.length; root++) {
        if (roots[root] == number) {
          Column wanted = column.between(start, end, buffers);
          taking.take(root, wanted);
          if (!wanted.sharesValuesOf(column)) {
            buffers.give(wanted.values());
          }
        }
      }
      for (int input : inputs) {
        release(input, number, results, buffers);
      }
      release(number, number, results, buffers);
    }
  }

  /// Lets the memory of a result be used again if the step `now` was the last that needs it: a
  /// query of many expressions need not keep all columns.
  private void release(int number, int now, @Nullable Column[] results, Buffers buffers) {
    Column column = results[number];
    if (column == null || lastUse[number] > now) {
      return;
    }
    results[number] = null;
    for (Column other : results) {
      if (other != null && other.sharesValuesOf(column)) {
        return; // a cut that keeps all rows
      }
    }
    buffers.give(column.values());
  }

  private static Column result(@Nullable Column[] results, int number) {
    Column column = results[number];
    if (column == null) {
      throw new IllegalStateException("step %d must have a result".formatted(number));
    }
    return column;
  }
}
