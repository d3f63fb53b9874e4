package io.tranche.market.expression.evaluation;

import io.tranche.config.ConfigException;
import io.tranche.market.Calendar;
import io.tranche.market.expression.Expression;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Expressions on a day in progress: takes a bar, returns the value of each expression at that bar.
///
/// Values that depend only on earlier days are evaluated once, when the day begins, by an
/// [ExpressionPlan]. The rest is computed tick by tick: fields, functions of one bar, conditions
/// and forward fills. Values are those of a plan over the whole day, to the last bit.
///
/// For one thread. Hot path: [#next] allocates nothing.
public final class ExpressionStream {

  private final int fields;
  private final TickProgram.Step[] steps;
  private final int[] roots;
  private final int[] knownRegisters;
  private final int[] fillRegisters;
  private final double[] registers;
  private final double[][] known; // one value per tick
  private final int[] hidden; // how many ticks of the day each expression cuts off
  private final int ticks;
  private int tick;

  private ExpressionStream(TickProgram program, int fields, int ticks) {
    this.fields = fields;
    this.steps = program.steps();
    this.roots = program.roots();
    this.knownRegisters = program.knownRegisters();
    this.fillRegisters = program.fillRegisters();
    this.registers = program.newRegisters();
    this.known = new double[knownRegisters.length][];
    this.hidden = new int[roots.length];
    this.ticks = ticks;
  }

  /// Refuses an expression that needs later bars.
  ///
  /// @param ticks bars of the day
  public static void requireCausal(Expression expression, int ticks) {
    if (new Reach(ticks).looksAhead(expression)) {
      throw new ConfigException(
          "expression '" + expression.text() + "'",
          "bars up to the tick only, on a day of %d bars".formatted(ticks),
          "bars to come");
    }
  }

  /// Refuses an expression whose values are not known before the day begins.
  ///
  /// @param ticks bars of the day
  public static void requireKnown(Expression expression, int ticks) {
    if (!new Reach(ticks).isKnown(expression)) {
      throw new ConfigException(
          "expression '" + expression.text() + "'",
          "bars of earlier days only, on a day of %d bars".formatted(ticks),
          "bars of the day itself");
    }
  }

  /// Begins the last day of `calendar`.
  ///
  /// @param fields the fields of a bar, including all that the expressions read
  /// @param source all bars of the calendar from `firstBar` on, the last day's missing
  /// @param firstBar where the instrument begins; the calendar's size if it has no bar yet
  /// @return null if an expression can only be evaluated over whole windows
  public static @Nullable ExpressionStream open(
      List<Expression> expressions,
      List<String> fields,
      String instrument,
      Calendar calendar,
      FieldSource source,
      int firstBar) {
    int begin = calendar.dayStart(calendar.days() - 1);
    int ticks = calendar.size() - begin;
    TickProgram program = TickProgram.of(expressions, fields, ticks);
    if (program == null) {
      return null;
    }
    var stream = new ExpressionStream(program, fields.size(), ticks);
    for (int i = 0; i < stream.hidden.length; i++) {
      int head = program.heads()[i];
      if (firstBar >= begin && head < ticks) {
        return null; // rows begin with the first bar, which is still to come
      }
      stream.hidden[i] = Math.clamp((long) firstBar + head - begin, 0, ticks);
    }
    var wanted = new ArrayList<>(program.known());
    wanted.addAll(program.fills());
    if (!wanted.isEmpty()) {
      List<Column> columns =
          new ExpressionPlan(calendar, wanted, 0, calendar.size() - 1).evaluate(instrument, source);
      for (int i = 0; i < stream.known.length; i++) {
        stream.known[i] = values(columns.get(i), begin, ticks);
      }
      for (int i = 0; i < stream.fillRegisters.length; i++) {
        Column filled = columns.get(stream.known.length + i);
        stream.registers[stream.fillRegisters[i]] = values(filled, begin - 1, 1)[0];
      }
    }
    return stream;
  }

  private static double[] values(Column column, int from, int count) {
    double[] values = new double[count];
    Arrays.fill(values, Double.NaN);
    Column wanted = column.between(from, from + count - 1, new Buffers());
    for (int row = 0; row < wanted.size(); row++) {
      values[wanted.index(row) - from] = wanted.value(row);
    }
    return values;
  }

  /// Takes the bar of the next tick.
  ///
  /// @param target receives one value per expression, NaN where there is none
  /// @throws IllegalStateException if the day is over
  public void next(float[] bar, int barAt, float[] target, int targetAt) {
    if (tick == ticks) {
      throw new IllegalStateException("day must not be over, was at tick " + tick);
    }
    for (int i = 0; i < fields; i++) {
      registers[i] = bar[barAt + i];
    }
    for (int i = 0; i < known.length; i++) {
      registers[knownRegisters[i]] = known[i][tick];
    }
    for (TickProgram.Step step : steps) {
      step.run(registers);
    }
    for (int i = 0; i < roots.length; i++) {
      target[targetAt + i] = tick < hidden[i] ? Float.NaN : (float) registers[roots[i]];
    }
    tick++;
  }

  /// Returns how many bars were appended.
  public int tick() {
    return tick;
  }

  public int ticks() {
    return ticks;
  }

  /// Writes all state that the rest of the day depends on.
  public void save(DataOutput out) throws IOException {
    out.writeInt(tick);
    for (int count : hidden) {
      out.writeInt(count);
    }
    for (int register : fillRegisters) {
      out.writeDouble(registers[register]);
    }
    for (double[] values : known) {
      for (double value : values) {
        out.writeDouble(value);
      }
    }
  }

  /// Continues a day of `ticks` bars that [#save] wrote.
  ///
  /// @throws IOException if the input is something else or too short
  public static ExpressionStream restore(
      List<Expression> expressions, List<String> fields, int ticks, DataInput in)
      throws IOException {
    TickProgram program = TickProgram.of(expressions, fields, ticks);
    if (program == null) {
      throw new IOException(
          "expressions must go tick by tick, was "
              + expressions.stream().map(Expression::text).toList());
    }
    var stream = new ExpressionStream(program, fields.size(), ticks);
    stream.tick = count("tick", in.readInt(), ticks);
    for (int i = 0; i < stream.hidden.length; i++) {
      stream.hidden[i] = count("hidden ticks", in.readInt(), ticks);
    }
    for (int register : stream.fillRegisters) {
      stream.registers[register] = in.readDouble();
    }
    for (int i = 0; i < stream.known.length; i++) {
      double[] values = new double[ticks];
      for (int row = 0; row < ticks; row++) {
        values[row] = in.readDouble();
      }
      stream.known[i] = values;
    }
    return stream;
  }

  private static int count(String name, int value, int most) throws IOException {
    if (value < 0 || value > most) {
      throw new IOException("%s must be in [0, %d], was %d".formatted(name, most, value));
    }
    return value;
  }
}
