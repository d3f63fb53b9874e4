package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.env.space.Value;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.Order;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;

/// Checks on data that the parts of a problem do not look ahead: it changes all bars that are still
/// to come at a step, plays the same actions again, and everything up to that step must stay the
/// same. Works for any interpreter and reward, users' own included.
///
/// A state interpreter or an action interpreter that looks ahead is wrong: live there is nothing to
/// see. A reward may, because only training sees it, as long as nobody shows it to the policy; the
/// check says which do.
public final class LookAheadCheck {

  /// What depends on bars to come.
  public enum Part {
    STATE_INTERPRETER,
    ACTION_INTERPRETER,
    REWARD
  }

  /// What happened at each step.
  private record Trace(
      List<Integer> ticks, List<String> seen, List<String> done, List<Double> paid) {}

  private LookAheadCheck() {}

  /// Plays one order and returns the parts that look ahead.
  ///
  /// @param problem makes the problem over bars, with features of the same bars
  /// @param action is taken at every step
  public static <O extends Observation> Set<Part> find(
      Function<BarSource, Problem<Order, ExecutionState, ChildOrder, O>> problem,
      BarSource bars,
      Order order,
      Action action) {
    Trace expected = play(problem.apply(bars), order, action);
    Set<Part> leaks = EnumSet.noneOf(Part.class);
    for (int step = 0; step < expected.ticks.size(); step++) {
      BarSource changed = changedFrom(bars, order, expected.ticks.get(step));
      Trace actual = play(problem.apply(changed), order, action);
      // What is seen and done at a step, and what the steps before it paid, is known there.
      for (int i = 0; i <= step; i++) {
        if (!expected.seen.get(i).equals(actual.seen.get(i))) {
          leaks.add(Part.STATE_INTERPRETER);
        }
        if (i < expected.done.size() && !expected.done.get(i).equals(actual.done.get(i))) {
          leaks.add(Part.ACTION_INTERPRETER);
        }
        if (i < step && !expected.paid.get(i).equals(actual.paid.get(i))) {
          leaks.add(Part.REWARD);
        }
      }
    }
    return leaks;
  }

  private static <O extends Observation> Trace play(
      Problem<Order, ExecutionState, ChildOrder, O> problem, Order order, Action action) {
    var trace =
        new Trace(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    EnvContext context = EnvContext.SILENT;
    Simulator<ExecutionState, ChildOrder> simulator = problem.simulators().create(order, context);
    while (true) {
      ExecutionState state = simulator.state();
      trace.ticks.add(state.tick());
      trace.seen.add(text(problem.stateInterpreter().interpret(state).toValue()));
      if (simulator.isDone()) {
        return trace;
      }
      ChildOrder child = problem.actionInterpreter().interpret(state, action);
      trace.done.add(child.toString());
      simulator.step(child);
      trace.paid.add(
          problem.reward() == null ? 0 : problem.reward().reward(simulator.state(), context));
    }
  }

  private static String text(Value value) {
    return switch (value) {
      case Value.Dict(var entries) -> {
        var text = new StringBuilder();
        entries.forEach((key, each) -> text.append(key).append('=').append(text(each)).append(';'));
        yield text.toString();
      }
      case Value.Tuple(var items) -> items.stream().map(LookAheadCheck::text).toList().toString();
      case Value.Plain(var plain) -> String.valueOf(plain);
      case Value.Floats floats -> {
        var text = new StringBuilder();
        for (int i = 0; i < floats.size(); i++) {
          text.append(floats.at(i)).append(' ');
        }
        yield text.toString();
      }
      case Value.Integers integers -> {
        var text = new StringBuilder();
        for (int i = 0; i < integers.size(); i++) {
          text.append(integers.at(i)).append(' ');
        }
        yield text.toString();
      }
    };
  }

  /// Returns bars of which those of the order's day from `tick` on are others.
  private static BarSource changedFrom(BarSource bars, Order order, int tick) {
    BarSeries series = bars.series(order.instrument());
    Calendar calendar = series.calendar();
    int day = calendar.dayOf(order.date());
    float[][] columns = new float[series.fields().size()][series.size()];
    var random = new SplittableRandom(tick);
    int first = calendar.dayStart(day) - series.firstBar() + tick;
    for (int field = 0; field < columns.length; field++) {
      series.copy(field, 0, columns[field], 0, series.size());
      for (int row = first; row < series.size(); row++) {
        columns[field][row] *= (float) random.nextDouble(0.5, 2);
      }
    }
    BarSeries changed =
        BarSeries.wrap(series.instrument(), calendar, series.firstDay(), series.fields(), columns);
    return new BarSource() {
      @Override
      public Calendar calendar() {
        return bars.calendar();
      }

      @Override
      public Calendar calendar(String instrument) {
        return bars.calendar(instrument);
      }

      @Override
      public List<String> instruments() {
        return bars.instruments();
      }

      @Override
      public List<String> fields() {
        return bars.fields();
      }

      @Override
      public BarSeries series(String instrument) {
        return instrument.equals(order.instrument()) ? changed : bars.series(instrument);
      }
    };
  }
}
