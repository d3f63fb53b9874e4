package io.tranche.runtime.example;

import io.tranche.backtest.ChildOrder;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/// A desk with one thread: bars in, child orders out, fills back.
final class Desk {

  /// Where child orders go.
  interface Market {
    void send(String order, double volume, ChildOrder.Kind kind);
  }

  private final DecisionRuntime runtime;
  private final Market market;

  Desk(LoadedModel model, Market market) {
    this.runtime = new DecisionRuntime(model);
    this.market = market;
  }

  void beginDay(String instrument, LocalDate date, List<DayFrame> earlier) {
    runtime.openDay(instrument, date, earlier);
  }

  void beginOrder(
      String id,
      String instrument,
      Side side,
      double amount,
      LocalDateTime start,
      LocalDateTime end) {
    day(instrument, end.toLocalDate()).openOrder(id, side, amount, start, end);
    decide();
  }

  BarAnswer bar(String instrument, LocalDate date, long time, float[] values) {
    return day(instrument, date).bar(time, values);
  }

  /// Called once all bars of a minute are there.
  void decide() {
    runtime.decideAll(
        order -> {
          if (order.volume() > 0) {
            market.send(order.id(), order.volume(), order.kind());
          }
        });
  }

  void filled(String id, double volume, double price) {
    LiveOrder order = runtime.order(id);
    if (order != null && !order.status().isFinal()) {
      order.fill(volume, price);
    }
  }

  double filledSoFar(String id) {
    LiveOrder order = runtime.order(id);
    return order == null ? 0 : order.filled();
  }

  void endDay(String instrument, LocalDate date) {
    day(instrument, date).close();
  }

  /// What to keep in a file, so that a restart goes on where it stood.
  byte[] snapshot() {
    return runtime.snapshot();
  }

  private LiveDay day(String instrument, LocalDate date) {
    LiveDay day = runtime.day(instrument, date);
    if (day == null) {
      throw new IllegalArgumentException("day must be open, was not: " + instrument + " " + date);
    }
    return day;
  }
}
