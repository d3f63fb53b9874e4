package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.exchange.ExchangeFill;
import io.tranche.backtest.exchange.ExchangeOrder;
import io.tranche.backtest.executor.Level;
import io.tranche.backtest.executor.StepCalendar;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeDecision;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.execution.OrderTracker.TrackedOrders;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import java.time.LocalDate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lets a policy decide for every order of a step, in one batch. Qlib: `SAOEIntStrategy`.
///
/// As in Qlib, observations and actions are not validated here.
public final class PolicyStrategy<O extends Observation> implements Strategy {

  /// What a policy decided for one order in one step; a row of Qlib's decision details.
  ///
  /// @param time the [io.tranche.market.BarTime] at which the step started
  /// @param frequency of the level whose steps it decides at
  public record Detail(
      String instrument, long time, String frequency, Action action, double volume) {}

  /// The parts that strategies of one kind share.
  ///
  /// @param granularity minutes per bar of the exchange
  /// @param qlib whether histories have Qlib's quirks
  /// @param seed of the policy's random draws
  /// @param details receives every decision; called by the thread that runs the strategy
  public record Parts<O extends Observation>(
      Policy<O> policy,
      StateInterpreter<ExecutionState, O> states,
      ActionInterpreter<ExecutionState, ChildOrder> actions,
      int granularity,
      boolean qlib,
      long seed,
      Consumer<Detail> details)
      implements Strategy.Factory {

    /// Makes parts that do not report their decisions.
    public static <O extends Observation> Parts<O> of(
        Policy<O> policy,
        StateInterpreter<ExecutionState, O> states,
        ActionInterpreter<ExecutionState, ChildOrder> actions,
        int granularity,
        boolean qlib) {
      return new Parts<>(policy, states, actions, granularity, qlib, 0, _ -> {});
    }

    @Override
    public PolicyStrategy<O> create() {
      return new PolicyStrategy<>(this);
    }
  }

  /// How many days of coming orders the policy sees at once, so that a network can encode them
  /// together.
  private static final int DAYS_AHEAD = 16;

  private final Parts<O> parts;
  private final TrackedOrders orders;

  /// Orders that the policy has not been shown, by date.
  private final Deque<Order> coming = new ArrayDeque<>();

  private PolicyStrategy(Parts<O> parts) {
    this.parts = parts;
    this.orders = new TrackedOrders(parts.granularity(), parts.qlib());
  }

  @Override
  public void expect(List<Order> known) {
    coming.clear();
    coming.addAll(known);
  }

  @Override
  public void begin(Level level) {
    orders.begin(level);
    Order next = coming.peek();
    if (next != null
        && !orders.all().isEmpty()
        && BarTime.of(next.date()) <= level.outer().orders().getFirst().end()
        && parts.states() instanceof PreviewingInterpreter<O> states) {
      lookAhead(states);
    }
  }

  /// Shows the policy the orders of the coming days.
  private void lookAhead(PreviewingInterpreter<O> states) {
    var observations = new ArrayList<O>();
    LocalDate day = null;
    int days = 0;
    while (!coming.isEmpty()) {
      Order order = coming.element();
      if (!order.date().equals(day)) {
        if (days == DAYS_AHEAD) {
          break;
        }
        day = order.date();
        days++;
      }
      coming.remove();
      try {
        observations.add(states.preview(order));
      } catch (DataException _) {
        // The order's own decision will fail in the same way and report the error.
      }
    }
    parts.policy().expect(observations);
  }

  @Override
  public TradeDecision decide(Level level, @Nullable List<ExchangeFill> last) {
    orders.beginStep(level);
    List<OrderTracker> trackers = orders.all();
    var states = new ArrayList<ExecutionState>(trackers.size());
    var observations = new ArrayList<O>(trackers.size());
    long[] drawKeys = new long[trackers.size()];
    StepCalendar steps = level.steps();
    long start = steps.stepStart();
    for (int i = 0; i < drawKeys.length; i++) {
      ExecutionState state = trackers.get(i).state();
      states.add(state);
      observations.add(parts.states().interpret(state));
      drawKeys[i] = drawKey(state, start);
    }
    Action[] actions = parts.policy().act(observations, drawKeys, Policy.Mode.EVALUATE);
    var children = new ArrayList<ExchangeOrder>();
    for (int i = 0; i < drawKeys.length; i++) {
      ChildOrder decided = parts.actions().interpret(states.get(i), actions[i]);
      ExchangeOrder order = level.outer().orders().get(i);
      String name = order.instrument();
      parts
          .details()
          .accept(new Detail(name, start, level.frequency(), actions[i], decided.volume()));
      ChildOrder child =
          !parts.qlib() && steps.step() == level.lastStep()
              ? decided.withAll(states.get(i).remaining())
              : decided;
      trackers.get(i).request(child.volume());
      if (child.volume() != 0) {
        children.add(order.child(child.volume(), start, steps.stepEnd(), child.kind()));
      }
    }
    return TradeDecision.of(children);
  }

  /// Returns a key that depends only on the order and the time, so that neither batches nor threads
  /// change the draws.
  private long drawKey(ExecutionState state, long time) {
    long key = RandomTree.root(parts.seed(), state.order().instrument());
    return RandomTree.child(RandomTree.child(key, state.order().side().code()), time);
  }

  @Override
  public void filled(Level level, List<ExchangeFill> fills) {
    orders.endStep(fills, level);
  }

  @Override
  public void finished(Level level) {
    orders.finish();
  }

  /// A state interpreter that can show orders before they begin, so that a policy can compute what
  /// the observations of an order share, such as the encoding of its day, for many orders at once.
  ///
  /// @param <O> the observation
  public interface PreviewingInterpreter<O extends Observation>
      extends StateInterpreter<ExecutionState, O> {

    /// Returns what `order` looks like before its day begins.
    ///
    /// @throws DataException if the data of its day are damaged or missing
    O preview(Order order);
  }
}
