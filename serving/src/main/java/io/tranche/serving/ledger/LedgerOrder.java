package io.tranche.serving.ledger;

import io.tranche.backtest.ParentOrder;
import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Event;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The state of one order, independent of any model. Guarded by the lock of its [InstrumentState].
public final class LedgerOrder {

  private final LedgerDay day;
  private final Request.OpenOrder request;
  private final String model;
  private final Event.OrderOpened opened;
  private final OrderWindow window;
  private final double negligible;
  private final ParentOrder parent;
  private final Map<Integer, Answer.Child> children = new HashMap<>();
  private final Map<String, Request.Fill> fills = new HashMap<>();
  private final Map<Integer, Double> filledOf =
      new HashMap<>(); // filled volume per child order, by step
  private int nextStep;
  private double traded;
  private double value;
  private float reference = Float.NaN;
  private @Nullable PendingDecision pending;
  private long sequence;

  LedgerOrder(LedgerDay day, Event.OrderOpened opened) {
    this.day = day;
    this.request = opened.request();
    this.model = opened.model();
    this.opened = opened;
    this.window = day.window(opened.request(), opened.ticksPerStep());
    this.negligible = OrderRules.negligible(opened.isQlib(), request.amount());
    this.parent = new ParentOrder(request.amount(), negligible);
    this.reference = day.referenceClose();
  }

  public String id() {
    return request.id();
  }

  public LedgerDay day() {
    return day;
  }

  public Request.OpenOrder request() {
    return request;
  }

  public String model() {
    return model;
  }

  /// Returns how it began.
  public Event.OrderOpened opened() {
    return opened;
  }

  public OrderWindow window() {
    return window;
  }

  public double remaining() {
    return parent.remaining();
  }

  /// Whether it is over. It expires with its day, or one tick after its window, so that fills of
  /// the last tick can still be reported.
  public boolean isOver() {
    if (!parent.status().isFinal() && (day.ticks() > window.endTick() || day.hasEnded())) {
      parent.expire();
    }
    return parent.status().isFinal();
  }

  /// Returns its status as a word for messages.
  public String statusWord() {
    return state().status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  public boolean isCancelled() {
    return parent.status() == ParentOrder.Status.CANCELLED;
  }

  /// Returns the current step, at least 0.
  public int presentStep() {
    return window.stepAt(Math.max(day.ticks(), window.firstTick()));
  }

  boolean isDue() {
    return !isOver()
        && day.ticks() >= window.firstTick()
        && day.ticks() < window.endTick()
        && presentStep() >= nextStep;
  }

  /// Returns the child order that was given for a step, or null.
  public Answer.@Nullable Child child(int step) {
    return children.get(step);
  }

  public Request.@Nullable Fill fill(String fillId) {
    return fills.get(fillId);
  }

  public @Nullable PendingDecision pending() {
    return pending;
  }

  public void setPending(@Nullable PendingDecision decision) {
    pending = decision;
  }

  /// Returns the sequence number of the order's newest event.
  public long sequence() {
    return sequence;
  }

  public void setSequence(long number) {
    sequence = number;
  }

  /// Returns the price that closes are compared with, fixed when the order first saw one; NaN for
  /// none.
  public float reference() {
    return reference;
  }

  void sawReference(float price) {
    if (Float.isNaN(reference)) {
      reference = price;
    }
  }

  /// Whether a child order is working.
  public boolean isWorking() {
    return !isOver() && parent.working() > 0;
  }

  double working() {
    return parent.working();
  }

  void withdraw() {
    parent.withdraw();
  }

  /// Returns the volume of `step` if what remains is spread evenly over the steps left.
  public double twap(int step) {
    return parent.remaining() / (window.steps() - step);
  }

  /// @return whether the fill is late: its child order was withdrawn before, or the order is over
  /// @throws IllegalArgumentException if it exceeds what its child order can have filled, or volume
  ///   or price is not positive
  public boolean requireFill(Request.Fill fill) {
    Integer step = fill.step();
    boolean isOver = isOver();
    if (step == null && isOver) {
      throw new IllegalArgumentException(
          "order %s must be open to fill without a step, was %s".formatted(id(), statusWord()));
    }
    double most = step == null ? parent.working() : unfilled(step);
    if (!(fill.volume() > 0 && fill.volume() <= most + negligible)) {
      throw new IllegalArgumentException(
          "volume of a fill of order %s must be in (0, %s], what %s, was %s"
              .formatted(
                  id(),
                  most,
                  step == null ? "is working" : "child %d has not filled".formatted(step),
                  fill.volume()));
    }
    if (!(fill.price() > 0 && fill.price() < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "price of order %s must be finite and positive, was %s".formatted(id(), fill.price()));
    }
    return step != null
        && (isOver || step != nextStep - 1 || fill.volume() > parent.working() + negligible);
  }

  private double unfilled(int step) {
    Answer.Child child = children.get(step);
    if (child == null) {
      throw new IllegalArgumentException(
          "step of a fill of order %s must be one that was decided, was %d".formatted(id(), step));
    }
    return child.volume() - filledOf.getOrDefault(step, 0.0);
  }

  void apply(Event.Filled event) {
    Request.Fill fill = event.fill();
    if (requireFill(fill) != event.isLate()) {
      throw new IllegalArgumentException(
          "fill must be %s, was not: %s".formatted(event.isLate() ? "late" : "in time", fill));
    }
    if (event.isLate()) {
      parent.fillLate(fill.volume());
    } else {
      parent.fill(fill.volume());
    }
    traded += fill.volume();
    value += fill.volume() * fill.price();
    fills.put(fill.fillId(), fill);
    Integer step = fill.step();
    filledOf.merge(step == null ? nextStep - 1 : step, fill.volume(), Double::sum);
  }

  void apply(Event.Decided event) {
    Answer.Child child = event.child();
    if (isOver() || child.step() < nextStep || child.step() >= window.steps()) {
      throw new IllegalArgumentException(
          "decision must be for an open order at step %d or later, was %s"
              .formatted(nextStep, child));
    }
    parent.withdraw();
    parent.submit(child.volume());
    children.put(child.step(), child);
    nextStep = child.step() + 1;
  }

  void cancel() {
    parent.cancel();
  }

  public Answer.OrderState state() {
    boolean isOver = isOver();
    return new Answer.OrderState(
        id(),
        model,
        parent.status(),
        parent.amount(),
        parent.remaining(),
        parent.working(),
        value / traded,
        isOver ? nextStep : Math.clamp(presentStep(), nextStep, window.steps()),
        isDue(),
        traded);
  }
}
