package io.tranche.experiment.decide;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.order.NamedOrder;
import io.tranche.runtime.LiveOrder;

/// An order under way: its child order, and what was filled.
final class DeskOrder {

  private final NamedOrder named;
  private final LiveOrder live;
  private final int endTick;

  private int from; // the ticks of the child order
  private int until;
  private double filled;
  private double value;

  DeskOrder(NamedOrder named, LiveOrder live, int endTick) {
    this.named = named;
    this.live = live;
    this.endTick = endTick;
  }

  NamedOrder named() {
    return named;
  }

  int endTick() {
    return endTick;
  }

  boolean isDue() {
    return live.isDue();
  }

  /// Takes the decision that is due.
  Decision decide(int tick) {
    double remaining = live.position();
    long time = live.day().time(tick);
    double volume = live.decide();
    from = tick;
    until = live.nextTick();
    return new Decision(
        named.id(),
        named.order().instrument(),
        BarTime.dateTime(time),
        live.step() - 1,
        volume,
        live.kind(),
        remaining,
        live.choice());
  }

  /// Whether a child order has had all its ticks.
  boolean isChildOver(int tick) {
    return from < until && until <= tick && !live.status().isFinal();
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
    return live.volume();
  }

  Kind kind() {
    return live.kind();
  }

  double remaining() {
    return live.position();
  }

  /// Whether the child order is the last, which is to finish the order.
  boolean isLast() {
    return until == endTick;
  }

  /// Takes a fill that was assumed. The last child order of a model trained under Qlib's names
  /// trades more than it was told to: its simulator finishes every order.
  void assume(double amount, double price) {
    filled += amount;
    value += amount * price;
    live.fill(isLast() ? Math.min(amount, live.working()) : amount, price);
  }

  /// Takes a fill that somebody reports.
  ///
  /// @throws DataException if it cannot be
  void report(String place, double amount, double price) {
    try {
      live.fill(amount, price);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new DataException(place, "a fill of what is working", e.getMessage());
    }
    filled += amount;
    value += amount * price;
  }

  boolean isDone() {
    return live.status() == Status.DONE;
  }

  double fillRate() {
    return filled / named.order().amount();
  }

  /// Returns the average price of what was filled, NaN if nothing was.
  double averagePrice() {
    return value / filled;
  }
}
