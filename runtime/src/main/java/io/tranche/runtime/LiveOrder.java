package io.tranche.runtime;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.execution.Dialect;
import io.tranche.execution.OrderProgress;
import io.tranche.execution.interpreter.DiscreteActions;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.policy.network.LiveNetwork;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDateTime;
import java.util.List;

/// A parent order on a day that is under way: asks its model for child orders, hears of their
/// fills, and never lets more out than remains.
///
/// Decisions lie where the simulator has them: the first at the order's first tick, the others at
/// the boundaries of steps, which are counted from the day's first tick. One is due when all bars
/// before its tick have come, and what it sees is the day up to its present end. Taken late, it
/// belongs to its step all the same; one that nobody takes before the next is due counts as one
/// that asked for nothing. A child order lives until the next decision: what it has not filled by
/// then is withdrawn. The last decision asks for all that remains, unless the model was trained
/// under Qlib's names.
///
/// For the thread of its [DecisionRuntime]. Hot path: nothing here allocates.
public final class LiveOrder implements OrderProgress {

  private static final int LONGEST_ID = 200;

  private final LiveDay day;
  private final ModelSpec spec;
  private final String id;
  private final Order order;
  private final ParentOrder parent;
  private final int firstTick;
  private final int endTick;
  private final List<LiveNetwork.Day> streams;
  private final List<LiveNetwork.Episode> episodes;

  /// What remained before each decision.
  private final double[] before;

  private int tick; // of the next decision
  private int step;
  private int choice = -1;
  private double volume;
  private Kind kind = Kind.MARKET;
  private double traded;
  private double value;

  private LiveOrder(
      LiveDay day, String id, Order order, int firstTick, int endTick, ParentOrder parent) {
    this.day = day;
    this.spec = day.runtime().model().spec();
    this.id = id;
    this.order = order;
    this.parent = parent;
    this.firstTick = firstTick;
    this.endTick = endTick;
    this.tick = firstTick;
    this.before = new double[steps(spec, firstTick, endTick)];
    this.streams = day.streams(order.side());
    // A mirrored day shows every order as a sell.
    this.episodes = day.runtime().ensemble().newEpisodes(spec.mirrors() ? Side.SELL : order.side());
  }

  private static double negligible(LiveDay day, double amount) {
    Dialect dialect = day.runtime().model().spec().isQlib() ? Dialect.QLIB : Dialect.NATIVE;
    return dialect.remainder().of(amount);
  }

  static LiveOrder open(
      LiveDay day, String id, Side side, double amount, LocalDateTime start, LocalDateTime end) {
    requireSound(id, amount);
    if (end.toLocalDate().isAfter(day.date())
        || start.toLocalDate().isBefore(BarTime.date(day.time(0)))) {
      throw new IllegalArgumentException(
          "window of order %s must be on the trading day %s, was %s .. %s"
              .formatted(id, day.date(), start, end));
    }
    int firstTick = Math.max(day.ceiling(BarTime.of(start)), day.ticks());
    int endTick = day.ceiling(BarTime.of(end));
    if (firstTick >= endTick) {
      throw new IllegalArgumentException(
          "window of order %s must have a tick of %s after the %d that have passed, was %s .. %s"
              .formatted(id, day, day.ticks(), start, end));
    }
    ModelSpec spec = day.runtime().model().spec();
    int steps = steps(spec, firstTick, endTick);
    if (steps > spec.maxSteps()) {
      throw new IllegalArgumentException(
          "window of order %s must take at most %d decisions, the model's, was %d"
              .formatted(id, spec.maxSteps(), steps));
    }
    var order = new Order(day.instrument(), side, amount, start, end);
    return new LiveOrder(
        day, id, order, firstTick, endTick, new ParentOrder(amount, negligible(day, amount)));
  }

  private static void requireSound(String id, double amount) {
    if (id.isEmpty() || id.length() > LONGEST_ID) {
      throw new IllegalArgumentException(
          "id must have 1 to %d characters, was '%s'".formatted(LONGEST_ID, id));
    }
    if (!(amount > 0 && amount < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "amount of order %s must be finite and positive, was %s".formatted(id, amount));
    }
  }

  private static int steps(ModelSpec spec, int firstTick, int endTick) {
    return (endTick - 1) / spec.ticksPerStep() - firstTick / spec.ticksPerStep() + 1;
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

  /// Returns where the order is in its life. It expires one tick after the end of its window, so
  /// that the fills of its last tick can still be told, or when its day is closed.
  public Status status() {
    if (!parent.status().isFinal() && day.ticks() > endTick) {
      parent.expire();
    }
    return parent.status();
  }

  /// Returns what is not filled.
  @Override
  public double position() {
    return parent.remaining();
  }

  /// Returns what the newest child order may still fill.
  public double working() {
    status();
    return parent.working();
  }

  /// Returns how much was filled.
  public double filled() {
    return traded;
  }

  /// Returns the average price of what was filled, NaN if nothing was.
  public double averagePrice() {
    return value / traded;
  }

  @Override
  public int step() {
    return step;
  }

  @Override
  public double positionAfter(int past) {
    if (past < 0 || past >= step) {
      throw new IndexOutOfBoundsException("step must be in [0, %d), was %d".formatted(step, past));
    }
    return past + 1 < step ? before[past + 1] : parent.remaining();
  }

  /// Returns the tick of the day at which the next decision lies; where the window ends if none
  /// follows.
  public int nextTick() {
    return tick;
  }

  /// Whether the next decision can be taken.
  public boolean isDue() {
    int present = day.ticks();
    return tick <= present
        && tick < endTick
        && present < endTick
        && !parent.status().isFinal()
        && !day.isBroken()
        && !day.isClosed();
  }

  /// Takes the next decision.
  ///
  /// @return how much the next child order is to trade, often 0; [#kind] says how
  /// @throws IllegalStateException if it is not due
  public double decide() {
    if (!isDue()) {
      throw new IllegalStateException("a decision must be due, was not: " + this);
    }
    day.runtime().decide(this);
    return volume;
  }

  /// Returns how much the newest child order was to trade.
  public double volume() {
    return volume;
  }

  /// Returns how the newest child order trades.
  public Kind kind() {
    return kind;
  }

  /// Returns which choice the newest decision took, -1 if there was none.
  public int choice() {
    return choice;
  }

  /// Tells of a fill of the newest child order.
  ///
  /// @throws IllegalArgumentException if `volume` is negative or more than is working, or `price`
  ///   is not finite and positive
  /// @throws IllegalStateException if the order is over
  public void fill(double volume, double price) {
    status();
    if (!(volume >= 0)) {
      throw new IllegalArgumentException(
          "fill of order %s must not be negative, was %s".formatted(id, volume));
    }
    if (!(price > 0 && price < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "price of order %s must be finite and positive, was %s".formatted(id, price));
    }
    parent.fill(volume);
    traded += volume;
    value += volume * price;
  }

  /// Ends the order. Fills that are still under way are not heard of any more.
  ///
  /// @throws IllegalStateException if it is over
  public void cancel() {
    status();
    parent.cancel();
  }

  // ---- for the runtime ----

  /// Counts decisions that nobody took before the next was due as ones that asked for nothing.
  void catchUp(Ensemble ensemble) {
    for (int next = boundary(); next <= day.ticks() && next < endTick; next = boundary()) {
      put(0, ensemble);
      ensemble.choose(1);
      step++;
      tick = next;
    }
  }

  void put(int row, Ensemble ensemble) {
    put(row, parent.remaining(), ensemble);
  }

  private void put(int row, double remaining, Ensemble ensemble) {
    before[step] = remaining;
    float fraction = (float) remaining / (float) order.amount();
    ensemble.put(row, streams, episodes, fraction, (float) step / spec.maxSteps());
  }

  void decided(int taken) {
    boolean isLast = boundary() >= endTick;
    parent.withdraw();
    double left = parent.available();
    choice = taken;
    volume =
        isLast && !spec.isQlib()
            ? left
            : Math.clamp(day.runtime().model().actions().volume(this, isLast, taken), 0, left);
    kind = kind(isLast);
    parent.submit(volume);
    step++;
    tick = Math.min(boundary(), endTick);
  }

  void expire() {
    if (!parent.status().isFinal()) {
      parent.expire();
    }
  }

  void save(DataOutput out) throws IOException {
    out.writeUTF(id);
    out.writeByte(order.side().code());
    out.writeDouble(order.amount());
    out.writeUTF(order.start().toString());
    out.writeUTF(order.end().toString());
    out.writeInt(firstTick);
    out.writeInt(endTick);
    out.writeUTF(parent.status().name());
    out.writeDouble(parent.remaining());
    out.writeDouble(parent.working());
    out.writeInt(step);
    for (int i = 0; i < step; i++) {
      out.writeDouble(before[i]);
    }
    out.writeInt(choice);
    out.writeDouble(volume);
    out.writeDouble(traded);
    out.writeDouble(value);
  }

  static LiveOrder restore(LiveDay day, DataInput in) throws IOException {
    String id = in.readUTF();
    Side side = Side.ofCode(in.readUnsignedByte());
    double amount = in.readDouble();
    requireSound(id, amount);
    LocalDateTime start = LocalDateTime.parse(in.readUTF());
    LocalDateTime end = LocalDateTime.parse(in.readUTF());
    var order = new Order(day.instrument(), side, amount, start, end);
    int firstTick = in.readInt();
    int endTick = in.readInt();
    if (firstTick < 0 || firstTick >= endTick || endTick > day.allTicks()) {
      throw new IOException(
          "window must be on the day's %d ticks, was %d .. %d"
              .formatted(day.allTicks(), firstTick, endTick));
    }
    Status status = Status.valueOf(in.readUTF());
    var parent =
        ParentOrder.restored(
            amount, negligible(day, amount), in.readDouble(), in.readDouble(), status);
    var restored = new LiveOrder(day, id, order, firstTick, endTick, parent);
    restored.restore(in);
    return restored;
  }

  private void restore(DataInput in) throws IOException {
    int steps = in.readInt();
    if (steps < 0 || steps > before.length || before.length > spec.maxSteps()) {
      throw new IOException("decisions must be at most %d, was %d".formatted(before.length, steps));
    }
    Ensemble ensemble = day.runtime().ensemble();
    while (step < steps) {
      double remaining = in.readDouble();
      if (!(remaining >= 0 && remaining <= order.amount())) {
        throw new IOException("what remained must be part of the order, was " + remaining);
      }
      put(0, remaining, ensemble);
      ensemble.choose(1);
      step++;
      tick = Math.min(boundary(), endTick);
    }
    choice = in.readInt();
    volume = in.readDouble();
    traded = in.readDouble();
    value = in.readDouble();
    DiscreteActions actions = day.runtime().model().actions();
    boolean isOne = choice >= -1 && choice < actions.choices();
    if (!isOne || !(volume >= 0 && volume <= order.amount()) || !(traded >= 0)) {
      throw new IOException(
          "decision must be one, was %d, %s, %s".formatted(choice, volume, traded));
    }
    if (choice >= 0) {
      kind = kind(tick == endTick);
    }
  }

  private Kind kind(boolean isLast) {
    return isLast && !spec.isQlib()
        ? Kind.MARKET
        : day.runtime().model().actions().kind(isLast, choice);
  }

  private int boundary() {
    return tick + spec.ticksPerStep() - tick % spec.ticksPerStep();
  }

  @Override
  public String toString() {
    return "order %s of %s, %s %s, next at tick %d: %s"
        .formatted(id, day, order.side(), order.amount(), tick, parent);
  }
}
