package io.tranche.runtime;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.StepProgress;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderWindow;
import io.tranche.policy.network.LiveNetwork;
import java.io.IOException;
import java.time.LocalDateTime;
import java.util.List;

/// A parent order on a live day: asks its model for child orders, records their fills, and never
/// sends out more than remains.
///
/// Decisions are at the same ticks as in the simulator: the first at the order's first tick, the
/// others at step boundaries, which are counted from the day's first tick. A decision is due when
/// all bars before its tick have arrived; it sees every bar that has arrived when it is taken. A
/// decision taken late still belongs to its step. A decision that is not taken before the next one
/// is due counts as a request for nothing. A child order lives until the next decision: what it has
/// not filled by then is withdrawn. The last decision asks for all that remains, whatever the model
/// chose, unless the model was trained under Qlib's names; if it is a limit order, what it has not
/// filled is to be traded at the end of the window.
///
/// Belongs to the thread of its [DecisionRuntime]. Hot path: nothing here allocates.
public final class LiveOrder implements StepProgress {

  private final LiveDay day;
  private final ModelSpec spec;
  private final String id;
  private final Order order;
  private final ParentOrder parent;
  private final OrderWindow window;
  private final List<LiveNetwork.Day> streams;
  private final List<LiveNetwork.Episode> episodes;

  /// What remained before each decision.
  private final double[] before;

  private int step;
  private int choice = LiveActions.NONE;
  private final float[] numbers;
  private double volume;
  private double unguarded;
  private Kind kind = Kind.MARKET;
  private double filled;
  private double value;
  private int advised = -1; // the step that the network has seen already

  LiveOrder(LiveDay day, String id, Order order, OrderWindow window, ParentOrder parent) {
    this.day = day;
    this.spec = day.runtime().model().spec();
    this.id = id;
    this.order = order;
    this.parent = parent;
    this.window = window;
    this.before = new double[window.steps()];
    this.numbers = new float[day.runtime().model().actions().numbers()];
    this.streams = day.streams(order.side());
    // A mirrored day shows every order as a sell.
    this.episodes = day.runtime().ensemble().newEpisodes(spec.mirrors() ? Side.SELL : order.side());
  }

  static LiveOrder open(
      LiveDay day, String id, Side side, double amount, LocalDateTime start, LocalDateTime end) {
    OrderRules.requireSound(id, amount);
    ModelSpec spec = day.runtime().model().spec();
    OrderWindow window = day.window(id, start, end);
    window.requireSteps(id, spec.maxSteps());
    var order = new Order(day.instrument(), side, amount, start, end, day.date());
    double negligible = OrderRules.negligible(spec.isQlib(), amount);
    return new LiveOrder(day, id, order, window, new ParentOrder(amount, negligible));
  }

  public String id() {
    return id;
  }

  public LiveDay day() {
    return day;
  }

  @Override
  public Order order() {
    return order;
  }

  /// Returns the order's status. An order expires one tick after the end of its window, so that the
  /// fills of its last tick can still be reported, or when its day is closed.
  public Status status() {
    if (!parent.status().isFinal() && day.ticks() > window.endTick()) {
      parent.expire();
    }
    return parent.status();
  }

  @Override
  public int tick() {
    return window.tickOf(step);
  }

  @Override
  public int stepEnd() {
    return window.tickOf(step + 1);
  }

  @Override
  public int endTick() {
    return window.endTick();
  }

  @Override
  public int ticksForOrder() {
    return window.endTick() - window.firstTick();
  }

  @Override
  public int ticksPerStep() {
    return window.ticksPerStep();
  }

  /// Returns what is not filled.
  @Override
  public double remaining() {
    return parent.remaining();
  }

  /// Returns what the newest child order may still fill.
  public double working() {
    status();
    return parent.working();
  }

  /// Returns how much was filled.
  public double filled() {
    return filled;
  }

  /// Returns the average price of the fills, NaN if there are none.
  public double averagePrice() {
    return value / filled;
  }

  @Override
  public int step() {
    return step;
  }

  @Override
  public double remainingAfter(int past) {
    if (past < 0 || past >= step) {
      throw new IndexOutOfBoundsException("step must be in [0, %d), was %d".formatted(step, past));
    }
    return past + 1 < step ? before[past + 1] : parent.remaining();
  }

  /// Returns the tick of the next decision; the end of the window if there is none.
  public int nextTick() {
    return window.tickOf(step);
  }

  /// Whether the next decision can be taken and [#advise] was not called for it.
  public boolean isDue() {
    int present = day.ticks();
    return nextTick() <= present
        && present < window.endTick()
        && !isAdvised()
        && !parent.status().isFinal()
        && !day.isBroken()
        && !day.isClosed();
  }

  /// Takes the next decision.
  ///
  /// @return how much the next child order is to trade, often 0; [#kind] says how
  /// @throws IllegalStateException if it is not due
  public double decide() {
    requireDue();
    day.runtime().decide(this);
    return volume;
  }

  private void requireDue() {
    if (!isDue()) {
      throw new IllegalStateException("a decision must be due, was not: " + this);
    }
  }

  /// Returns the volume that [#decide] would ask for, without taking the decision: for callers that
  /// may override the model. They report what they did with [#decideAs], for the same step.
  /// [#choice] and [#kind] are those of the advice.
  ///
  /// @throws IllegalStateException if no decision is due
  public double advise() {
    requireDue();
    return wanted(day.runtime().advise(this));
  }

  /// Whether [#advise] was called for the next step: then [#decideAs] must follow.
  public boolean isAdvised() {
    return advised == step;
  }

  /// Returns what remained when [#advise] was called for the next step.
  ///
  /// @throws IllegalStateException if it was not
  public double seen() {
    if (!isAdvised()) {
      throw new IllegalStateException("the next step must be advised, was not: " + this);
    }
    return before[step];
  }

  /// Records a decision that was made elsewhere. The network processes it like its own, so later
  /// decisions do not depend on who decided.
  ///
  /// @param number of the decision, at least [#step]; those skipped count as not taken
  /// @param seen what remained when it was made
  /// @param asked how much the child order is to trade; cut to what remains
  /// @throws IllegalArgumentException if there is no such step, or `asked` is negative
  /// @throws IllegalStateException if the order is over, or advice was given for another step
  public void decideAs(int number, double seen, double asked) {
    if (number < step || number >= before.length || !(asked >= 0)) {
      throw new IllegalArgumentException(
          "decision of order %s must be one of [%d, %d) for 0 or more, was %d for %s"
              .formatted(id, step, before.length, number, asked));
    }
    if (parent.status().isFinal() || (isAdvised() && number != step)) {
      throw new IllegalStateException("order must be open and not advised, was " + this);
    }
    Ensemble ensemble = day.runtime().ensemble();
    while (step < number) {
      pass(seen, ensemble);
    }
    if (!isAdvised()) {
      put(0, seen, ensemble);
      ensemble.decide(1);
    }
    submit(Math.min(asked, parent.remaining()));
  }

  /// Returns the volume of the newest child order.
  public double volume() {
    return volume;
  }

  /// Returns the volume that the model wanted at the newest decision or advice, before its guard.
  public double unguarded() {
    return unguarded;
  }

  /// Returns how the newest child order trades.
  public Kind kind() {
    return kind;
  }

  /// Returns the choice of the newest decision, -1 if there was none or actions are numbers.
  public int choice() {
    return choice;
  }

  /// Returns a number of the newest decision's action, such as a multiple of the TWAP rate; 0 if
  /// there was none.
  public double number(int index) {
    return numbers[index];
  }

  /// Returns the kind of the newest decision's action, as [ReferenceStatistics#actions] counts it.
  public int actionKind() {
    return day.runtime().model().actions().kindOf(choice, numbers);
  }

  /// Reports a fill of the newest child order.
  ///
  /// @throws IllegalArgumentException if `volume` is negative or more than is working, or `price`
  ///   is not finite and positive
  /// @throws IllegalStateException if the order is over
  public void fill(double volume, double price) {
    status();
    requireFill(volume, price);
    parent.fill(volume);
    count(volume, price);
  }

  /// Reports a fill of an earlier child order, or of an order that is over: the market filled it
  /// before the child order was withdrawn. May be more than remains.
  ///
  /// @throws IllegalArgumentException if `volume` or `price` is not finite and positive
  public void fillLate(double volume, double price) {
    status();
    requireFill(volume, price);
    parent.fillLate(volume);
    count(volume, price);
  }

  private void requireFill(double volume, double price) {
    if (!(volume >= 0)) {
      throw new IllegalArgumentException(
          "fill of order %s must not be negative, was %s".formatted(id, volume));
    }
    if (!(price > 0 && price < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "price of order %s must be finite and positive, was %s".formatted(id, price));
    }
  }

  private void count(double volume, double price) {
    filled += volume;
    value += volume * price;
  }

  /// Ends the order. Report fills that arrive later with [#fillLate].
  ///
  /// @throws IllegalStateException if it is over
  public void cancel() {
    status();
    parent.cancel();
  }

  // ---- for the runtime ----

  /// Counts decisions that were not taken in time as requests for nothing.
  void catchUp(Ensemble ensemble) {
    int present = window.stepAt(day.ticks());
    while (step < present) {
      pass(parent.remaining(), ensemble);
    }
  }

  private void pass(double seen, Ensemble ensemble) {
    put(0, seen, ensemble);
    ensemble.decide(1);
    step++;
  }

  void put(int row, Ensemble ensemble) {
    put(row, parent.remaining(), ensemble);
  }

  private void put(int row, double remaining, Ensemble ensemble) {
    before[step] = remaining;
    float fraction = (float) remaining / (float) order.amount();
    ensemble.put(row, streams, episodes, fraction, (float) step / spec.maxSteps());
  }

  void decided(Ensemble ensemble, int row) {
    submit(wanted(advised(ensemble, row)));
  }

  /// @return whether the decision is the last
  boolean advised(Ensemble ensemble, int row) {
    boolean isLast = step == before.length - 1;
    advised = step;
    choice = ensemble.choice(row);
    ensemble.numbers(row, numbers);
    kind = kind(isLast);
    return isLast;
  }

  private double wanted(boolean isLast) {
    double left = parent.remaining();
    if (isLast && !spec.isQlib()) {
      unguarded = left;
      return left;
    }
    double asked = day.runtime().model().actions().volume(this, isLast, choice, numbers);
    unguarded = Math.clamp(asked, 0, left);
    DeviationGuard guard = spec.guard();
    return guard == null ? unguarded : Math.clamp(guard.volume(this, isLast, asked), 0, left);
  }

  private void submit(double asked) {
    parent.withdraw();
    volume = asked;
    parent.submit(asked);
    step++;
  }

  void expire() {
    if (!parent.status().isFinal()) {
      parent.expire();
    }
  }

  /// Continues a saved order after [#replay] of its decisions.
  ///
  /// @throws IOException if the saved state is impossible
  void resume(int choice, float[] taken, double volume, double filled, double value)
      throws IOException {
    boolean isChoice = choice >= -1 && choice < day.runtime().model().actions().choices();
    if (!isChoice || !(volume >= 0 && volume <= order.amount()) || !(filled >= 0)) {
      throw new IOException(
          "decision must be one of the model's, was %d, %s, %s".formatted(choice, volume, filled));
    }
    this.choice = choice;
    System.arraycopy(taken, 0, numbers, 0, numbers.length);
    this.volume = volume;
    this.filled = filled;
    this.value = value;
    if (choice >= 0 || (numbers.length > 0 && step > 0)) {
      kind = kind(step == before.length);
    }
  }

  /// Feeds the network a decision that was taken when `remaining` was left.
  void replay(double remaining) {
    pass(remaining, day.runtime().ensemble());
  }

  /// Returns what remained before a decision that has been taken.
  double remainingBefore(int past) {
    return before[past];
  }

  OrderWindow window() {
    return window;
  }

  ParentOrder parent() {
    return parent;
  }

  double value() {
    return value;
  }

  private Kind kind(boolean isLast) {
    Kind wanted = day.runtime().model().actions().kind(isLast, choice, numbers);
    DeviationGuard guard = spec.guard();
    Kind chosen = guard == null ? wanted : guard.kind(wanted);
    return isLast && !spec.isQlib() && chosen instanceof Kind.Cancel ? Kind.MARKET : chosen;
  }

  @Override
  public String toString() {
    return "order %s of %s, %s %s, next at tick %d: %s"
        .formatted(id, day, order.side(), order.amount(), nextTick(), parent);
  }
}
