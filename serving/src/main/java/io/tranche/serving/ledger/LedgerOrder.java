package io.tranche.serving.ledger;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Event;
import io.tranche.serving.risk.Exposure;
import java.time.LocalDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The state of one order, independent of any model. Guarded by the lock of its [InstrumentState].
///
/// What may still fill in the market is reserved: a child order is never larger than what remains
/// less what is out.
public final class LedgerOrder {

  private final LedgerDay day;
  private final Request.OpenOrder request;
  private final String model;
  private final Event.OrderOpened opened;
  private final @Nullable LedgerOrder replaced;
  private final double negligible;
  private final int openedAt;
  private final LedgerChildren children;
  private final LedgerFills fills;
  private final OrderMarket market;
  private OrderWindow window;
  private LocalDateTime end;
  private @Nullable Status ended; // cancelled or expired
  private int nextStep;
  private Exposure exposure = Exposure.NONE;
  private boolean isListed; // as working, with its instrument
  private @Nullable PendingDecision pending;
  private long sequence;

  /// @param replaced the order that it replaces; null for none
  LedgerOrder(LedgerDay day, Event.OrderOpened opened, @Nullable LedgerOrder replaced) {
    this.day = day;
    this.replaced = replaced;
    this.request = opened.request();
    this.model = opened.model();
    this.opened = opened;
    this.children = new LedgerChildren(opened.awaitsCancels());
    this.negligible = OrderRules.negligible(opened.isQlib(), request.amount());
    this.fills = new LedgerFills(request.id(), request.amount());
    this.openedAt = day.ticks();
    this.end = request.end();
    this.window = day.window(request, end, openedAt, opened.ticksPerStep());
    this.market = new OrderMarket(day, opened.awaitsCancels() ? null : this);
    day.book().open(request.instrument(), request.account());
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

  public @Nullable String account() {
    return request.account();
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

  public double amount() {
    return fills.amount();
  }

  public LocalDateTime end() {
    return end;
  }

  public double remaining() {
    return fills.remaining();
  }

  /// Returns what limits compare it with.
  public OrderMarket market() {
    return market;
  }

  /// Returns what a decision may ask for: what remains less what is out after it, also of orders
  /// that it replaces.
  public double available() {
    double held = 0;
    for (LedgerOrder each = this; each != null; each = each.replaced) {
      held += each.out();
    }
    return Math.max(remaining() - (opened.awaitsCancels() ? held : 0), 0);
  }

  /// Returns what all child orders may still fill in the market.
  public double out() {
    return children.out();
  }

  /// Returns the value of what the next decision withdraws at once.
  public double replacedValue() {
    return opened.awaitsCancels() ? 0 : children.outValue();
  }

  /// Whether it is over. It expires with its day, or one tick after its window, so that fills of
  /// the last tick can still be reported.
  public boolean isOver() {
    if (ended == null && remaining() > 0 && (day.ticks() > window.endTick() || day.hasEnded())) {
      end(Status.EXPIRED);
    }
    return ended != null || remaining() == 0;
  }

  private void end(Status last) {
    ended = last;
    withdraw();
  }

  private Status status() {
    if (ended != null) {
      return ended;
    }
    if (remaining() == 0) {
      return Status.DONE;
    }
    return fills.filled() > 0 ? Status.PARTLY_FILLED : Status.WORKING;
  }

  private Phase phase() {
    if (isOver()) {
      return out() > 0 ? Phase.PENDING_CANCEL : Phase.DONE;
    }
    return children.isEmpty() ? Phase.PENDING_NEW : Phase.WORKING;
  }

  /// Returns its status as a word for messages.
  public String statusWord() {
    isOver();
    return status().name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  public boolean isCancelled() {
    return ended == Status.CANCELLED;
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
    LedgerChild child = children.at(step);
    return child == null ? null : child.child;
  }

  /// Returns a fill as it was reported, or null.
  public Request.@Nullable Fill fill(String fillId) {
    return fills.reported(fillId);
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

  /// Whether a child order is out that is not to be withdrawn.
  public boolean isWorking() {
    return !isOver() && children.isWorking();
  }

  /// Returns what the newest child order may still fill.
  private double working() {
    return Math.min(children.working(), remaining());
  }

  void withdraw() {
    children.withdraw();
    sync();
  }

  /// Adds up what is out, and tells the book what the order contributes now. Every change of a
  /// child order ends here.
  private void sync() {
    children.sync();
    if (isListed != children.isWorking()) {
      isListed = children.isWorking();
      day.instrument().setWorking(this, isListed);
    }
    Exposure now =
        Exposure.of(request.side(), fills.value(), children.outValue(), children.executions());
    if (!now.equals(exposure)) {
      day.book().change(request.instrument(), request.account(), exposure, now);
      exposure = now;
    }
  }

  /// Takes it out of the book, with its day.
  void close() {
    isOver(); // it expires now, and not when somebody asks later, after it has left the book
    day.book().close(request.instrument(), request.account(), exposure);
    exposure = Exposure.NONE;
  }

  /// Returns the volume of `step` if what remains is spread evenly over the steps left.
  public double twap(int step) {
    return remaining() / (window.steps() - step);
  }

  /// Whether a fill is late: its child order is not the newest or was withdrawn, or the order is
  /// over.
  public boolean isLate(Request.Fill fill) {
    Integer step = fill.step();
    return isOver()
        || (step != null && step != nextStep - 1)
        || fill.volume() > working() + negligible;
  }

  /// Whether a fill is more than its child order or its order can have filled.
  public boolean isExcess(Request.Fill fill) {
    Integer step = fill.step();
    LedgerChild child = children.at(step == null ? nextStep - 1 : step);
    return child == null
        || fill.volume() > child.unfilled() + negligible
        || fill.volume() > remaining() + negligible;
  }

  void apply(Event.Filled event) {
    Request.Fill fill = event.fill();
    Integer named = fill.step();
    // A fill without a step belongs to the child order that is the newest when it comes.
    int step = named == null ? nextStep - 1 : named;
    fills.book(fill, step);
    children.fill(step, fill.volume(), negligible);
    finish();
  }

  private void finish() {
    if (ended == null) {
      fills.forget(negligible);
    }
    if (remaining() == 0) {
      withdraw(); // what is out would fill too much
    } else {
      sync();
    }
  }

  /// Counts all fills again.
  private void recount() {
    children.unfill();
    fills.all().forEach(each -> children.fill(each.step(), each.volume(), negligible));
    finish();
  }

  /// @throws IllegalArgumentException if there is no such fill, or its values are impossible
  public void requireCorrectable(Request.CorrectFill correction) {
    fills.requireCorrectable(correction);
  }

  /// Whether a fill already is as a correction says.
  public boolean isCorrected(Request.CorrectFill correction) {
    return fills.isCorrected(correction);
  }

  /// @return by how much the filled volume changes
  double apply(Request.CorrectFill correction) {
    double change = fills.correct(correction);
    recount();
    return change;
  }

  /// Returns the window up to another end.
  ///
  /// @throws IllegalArgumentException if the order is over, the amount is less than what is filled
  ///   and out, or the window has passed
  public OrderWindow requireAmendable(double changed, LocalDateTime until) {
    if (isOver()) {
      throw new IllegalArgumentException(
          "order %s must be open to amend, was %s".formatted(id(), statusWord()));
    }
    double least = fills.filled() + out();
    if (!(changed >= least && changed > 0 && changed < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "amount of order %s must be at least %s, what is filled and out, was %s"
              .formatted(id(), least, changed));
    }
    OrderWindow other = day.window(request, until, openedAt, opened.ticksPerStep());
    if (other.endTick() <= day.ticks() || other.steps() < nextStep) {
      throw new IllegalArgumentException(
          "end of order %s must be after the %d ticks that have passed, was %s"
              .formatted(id(), day.ticks(), until));
    }
    return other;
  }

  void apply(Event.Amended event) {
    window = requireAmendable(event.amount(), event.end());
    fills.amend(event.amount());
    end = event.end();
    recount();
  }

  /// Whether a report changes something.
  ///
  /// @throws IllegalArgumentException if there is no such child order
  public boolean isChangedBy(Request.Report report) {
    return children.require(report).isChangedBy(report.phase());
  }

  void apply(Request.Report report) {
    children.require(report).report(report.phase());
    sync();
  }

  void apply(Event.Decided event) {
    Answer.Child child = event.child();
    if (isOver() || child.step() < nextStep || child.step() >= window.steps()) {
      throw new IllegalArgumentException(
          "decision must be for an open order at step %d or later, was %s"
              .formatted(nextStep, child));
    }
    children.add(child, event.price());
    nextStep = child.step() + 1;
    sync();
  }

  void cancel() {
    if (isOver()) {
      throw new IllegalArgumentException(
          "order %s must be open to cancel, was %s".formatted(id(), statusWord()));
    }
    end(Status.CANCELLED);
  }

  public Answer.OrderState state() {
    boolean isOver = isOver();
    return new Answer.OrderState(
        id(),
        model,
        status(),
        amount(),
        remaining(),
        isOver ? 0 : working(),
        fills.value() / fills.filled(),
        isOver ? nextStep : Math.clamp(presentStep(), nextStep, window.steps()),
        isDue(),
        fills.filled(),
        phase(),
        out(),
        request.instrument(),
        request.side(),
        request.date(),
        request.start(),
        end,
        request.account());
  }

  /// Returns the order with its child orders and fills.
  public Answer.Details details() {
    return new Answer.Details(state(), children.states(), fills.asTheyCount());
  }
}
