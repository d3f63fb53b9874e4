package io.tranche.work.decide;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Fills;
import io.tranche.backtest.Matching;
import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.OrderRules;
import io.tranche.work.decide.DecisionMaker.Child;
import io.tranche.work.decide.DecisionMaker.Due;
import io.tranche.work.decide.DecisionMaker.Fill;
import io.tranche.work.decide.DecisionMaker.Source;
import io.tranche.work.decide.DecisionMaker.Terms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open order: its child order and its fills.
final class ReplayOrder {

  private final NamedOrder named;
  private final ReplayDay day;
  private final OrderWindow window;
  private final Terms terms;
  private final ParentOrder parent;

  /// Fills that have not been reported yet.
  private final List<Fill> unreported = new ArrayList<>();

  private Child child = new Child(0, Kind.MARKET, -1, Source.MODEL, null);
  private @Nullable Fills assumed;
  private int step;
  private int from; // the ticks of the child order
  private int until;
  private int fills;
  private double filled;
  private double value;

  ReplayOrder(NamedOrder named, ReplayDay day, OrderWindow window, Terms terms) {
    this.named = named;
    this.day = day;
    this.window = window;
    this.terms = terms;
    double amount = named.order().amount();
    this.parent = new ParentOrder(amount, OrderRules.negligible(terms.isQlib(), amount));
  }

  Terms terms() {
    return terms;
  }

  OrderWindow window() {
    return window;
  }

  /// Returns how many decisions were taken.
  int steps() {
    return step;
  }

  /// Returns the memory for assumed fills, on the ticks that are known by now.
  Fills fills(Matching matching, DayTicks ticks) {
    Fills memory = assumed;
    if (memory == null) {
      memory = matching.fills(ticks, named.order().side(), window.firstTick(), window.endTick());
      assumed = memory;
    }
    memory.follow(ticks);
    return memory;
  }

  NamedOrder named() {
    return named;
  }

  boolean isDue() {
    return window.tickOf(step) <= day.tick() && day.tick() < window.endTick() && !isFinal();
  }

  /// An order expires one tick after its window, so that fills of its last tick can be reported.
  private boolean isFinal() {
    if (!parent.status().isFinal() && day.tick() > window.endTick()) {
      parent.expire();
    }
    return parent.status().isFinal();
  }

  /// Returns the decision that is due.
  Due due() {
    return new Due(named.id(), step);
  }

  /// Takes the decision that was due.
  OrderDecision decided(Child taken) {
    double remaining = parent.remaining();
    parent.withdraw();
    parent.submit(taken.volume());
    child = taken;
    from = day.tick();
    until = window.tickOf(step + 1);
    return new OrderDecision(
        named.id(),
        named.order().instrument(),
        BarTime.dateTime(day.time(from)),
        step++,
        taken.volume(),
        taken.kind(),
        remaining,
        taken.choice(),
        taken.source(),
        taken.limited());
  }

  /// Whether a child order has had all its ticks.
  boolean isChildOver() {
    return from < until && until <= day.tick() && !isFinal();
  }

  void forgetChild() {
    from = until;
  }

  int from() {
    return from;
  }

  int until() {
    return until;
  }

  double volume() {
    return child.volume();
  }

  Kind kind() {
    return child.kind();
  }

  double remaining() {
    return parent.remaining();
  }

  /// Whether the child order is the last, which finishes the order unless it was limited.
  boolean isLast() {
    return until == window.endTick()
        && child.limited() == null
        && child.source() != Source.KILL_SWITCH;
  }

  /// Takes an assumed fill. The last child order of a model trained under Qlib's names fills more
  /// than its volume, because Qlib's simulator finishes every order.
  void assume(double amount, double price) {
    take(amount, price, isLast() ? Math.min(amount, parent.working()) : amount);
  }

  /// Takes a reported fill.
  ///
  /// @throws DataException if the fill is impossible
  void report(String place, double amount, double price) {
    if (!(amount >= 0 && price > 0 && price < Double.POSITIVE_INFINITY)) {
      throw new DataException(
          place,
          "a fill of what is working, at a price above 0",
          "%s at %s".formatted(amount, price));
    }
    try {
      var _ = isFinal();
      take(amount, price, amount);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new DataException(place, "a fill of what is working", e.getMessage());
    }
  }

  private void take(double amount, double price, double ofChild) {
    parent.fill(ofChild);
    filled += amount;
    value += amount * price;
    if (ofChild > 0) {
      unreported.add(new Fill(named.id(), ++fills, ofChild, price));
    }
  }

  /// Returns the fills that have not been reported yet.
  List<Fill> takeFills() {
    var fresh = List.copyOf(unreported);
    unreported.clear();
    return fresh;
  }

  boolean isDone() {
    return parent.status() == Status.DONE;
  }

  double filled() {
    return filled;
  }

  /// Returns the average price of the fills; NaN without fills.
  double averagePrice() {
    return value / filled;
  }
}
