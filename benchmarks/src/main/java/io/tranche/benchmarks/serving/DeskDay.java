package io.tranche.benchmarks.serving;

import io.tranche.benchmarks.runtime.LiveModel;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.serving.Request;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What a desk asks about one instrument in one day: it opens ten orders, then has in every half
/// hour ten decisions, thirty bars, and a fill of each child order. Every request changes
/// something, so every one must become durable.
///
/// All days have the same bars, and the runtime in this process tells what the model must decide.
final class DeskDay {

  static final int ORDERS = 10;
  private static final int TICKS_PER_FILL = LiveModel.TICKS_PER_STEP / ORDERS;

  /// Fills are so small that they fit into every decision, including TWAP's.
  private static final double FILL = 10;

  static final double PRICE = 10;
  private static final float VOLUME = 1e8f;

  /// A request.
  ///
  /// @param volume what must be decided; NaN if this is no decision
  record Asked(Request request, double volume) {}

  private final ServedBundle model;
  private final boolean isPriced;
  private final List<String> fields;
  private final int firstTick;
  private final double[][] decided;

  /// @param isPriced whether every kind of limit can be checked: bars have a close and a volume,
  ///   orders have an account, a reference price comes ahead of each day, and orders begin after
  ///   the first half hour, when there are prices
  DeskDay(ServedBundle model, boolean isPriced) {
    this.model = model;
    this.isPriced = isPriced;
    this.fields =
        isPriced
            ? Stream.concat(model.fields.stream(), Stream.of(Request.Bar.CLOSE, Request.Bar.VOLUME))
                .toList()
            : model.fields;
    this.firstTick = isPriced ? LiveModel.TICKS_PER_STEP : 0;
    this.decided = decided();
  }

  /// Returns the runtime's decision for each order at each step.
  private double[][] decided() {
    double[][] volumes = new double[ORDERS][steps()];
    var runtime = new DecisionRuntime(model.loaded);
    var day = runtime.openDay("A", LiveModel.DATE, List.of());
    for (int i = 0; i < ORDERS; i++) {
      Request.OpenOrder order = order("A", 0, i);
      day.openOrder(order.id(), order.side(), order.amount(), order.start(), order.end());
    }
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      for (int i = 0; i < ORDERS && isDecided(tick); i++) {
        volumes[i][step(tick)] = runtime.orders().get(i).decide();
      }
      day.bar(day.time(tick), model.bars[tick]);
      int order = fillAfter(tick);
      if (order >= 0 && volumes[order][step(tick)] > 0) {
        runtime.orders().get(order).fill(FILL, PRICE);
      }
    }
    day.close();
    return volumes;
  }

  /// Returns how many decisions an order has.
  int steps() {
    return step(LiveModel.TICKS);
  }

  private int step(int tick) {
    return (tick - firstTick) / LiveModel.TICKS_PER_STEP;
  }

  private boolean isDecided(int tick) {
    return tick >= firstTick && (tick - firstTick) % LiveModel.TICKS_PER_STEP == 0;
  }

  /// Returns the order that has a fill after the bar of a tick, or -1.
  private int fillAfter(int tick) {
    int at = tick % LiveModel.TICKS_PER_STEP;
    boolean isOne = tick >= firstTick && at % TICKS_PER_FILL == TICKS_PER_FILL - 1;
    return isOne ? at / TICKS_PER_FILL : -1;
  }

  /// Returns the requests of a day, in order.
  List<Asked> requests(String instrument, int number) {
    LocalDate date = LiveModel.DATE.plusDays(number);
    var times = new DecisionRuntime(model.loaded).openDay("A", date, List.of());
    var asked = new ArrayList<Asked>();
    if (isPriced) {
      asked.add(plain(new Request.Reference(instrument, date, PRICE)));
    }
    for (int i = 0; i < ORDERS; i++) {
      asked.add(plain(order(instrument, number, i)));
    }
    for (int tick = 0; tick < LiveModel.TICKS; tick++) {
      int step = step(tick);
      for (int i = 0; i < ORDERS && isDecided(tick); i++) {
        var decide = new Request.Decide(id(instrument, number, i), step, null);
        asked.add(new Asked(decide, decided[i][step]));
      }
      var time = BarTime.dateTime(times.time(tick));
      asked.add(plain(new Request.Bar(instrument, date, time, fields, values(tick))));
      int order = fillAfter(tick);
      if (order >= 0 && decided[order][step] > 0) {
        asked.add(plain(new Request.Fill(id(instrument, number, order), "f" + step, FILL, PRICE)));
      }
    }
    return asked;
  }

  private static Asked plain(Request request) {
    return new Asked(request, Double.NaN);
  }

  private Request.OpenOrder order(String instrument, int number, int order) {
    LocalDate date = LiveModel.DATE.plusDays(number);
    return new Request.OpenOrder(
        id(instrument, number, order),
        instrument,
        date,
        order % 2 == 0 ? Side.BUY : Side.SELL,
        LiveModel.amount(order),
        date.atTime(LiveModel.START.toLocalTime()).plusMinutes(firstTick),
        date.atTime(LiveModel.END.toLocalTime()),
        null,
        isPriced ? "desk" + order : null);
  }

  private static String id(String instrument, int day, int order) {
    return "%s-%d-%d".formatted(instrument, day, order);
  }

  /// Returns the same request about another instrument.
  static Request about(String instrument, Request request) {
    return switch (request) {
      case Request.Reference of -> new Request.Reference(instrument, of.date(), of.price());
      case Request.Bar of ->
          new Request.Bar(instrument, of.date(), of.time(), of.fields(), of.values());
      case Request.Decide(var id, var step, var deadline) ->
          new Request.Decide(id(instrument, id), step, deadline);
      case Request.Fill of ->
          new Request.Fill(id(instrument, of.id()), of.fillId(), of.volume(), of.price());
      case Request.OpenOrder of ->
          new Request.OpenOrder(
              id(instrument, of.id()),
              instrument,
              of.date(),
              of.side(),
              of.amount(),
              of.start(),
              of.end(),
              of.model(),
              of.account());
      default -> throw new IllegalArgumentException("no desk sends " + request);
    };
  }

  private static String id(String instrument, String other) {
    return instrument + other.substring(other.indexOf('-'));
  }

  /// Returns the number of an order within its day.
  static int orderOf(String id) {
    return Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
  }

  private List<Float> values(int tick) {
    var values = new ArrayList<Float>();
    for (float value : model.bars[tick]) {
      values.add(value);
    }
    if (isPriced) {
      values.add((float) PRICE + tick % 7 * 0.01f);
      values.add(VOLUME);
    }
    return values;
  }
}
