package io.tranche.experiment.decide;

import io.tranche.execution.ExecutionMetrics;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.order.NamedOrder;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LoadedModel;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// Works orders day by day on bars that come in the order of time: each decision is taken as soon
/// as the bars before it have come.
///
/// A bar says that none will come any more for earlier ticks, of any instrument. So decisions lie
/// where the simulator has them also for instruments that do not trade every minute.
final class OrderDesk {

  /// Remembers days that are over, or does not.
  interface DayKeeper {
    void keep(DeskDay day);
  }

  private final DecisionRuntime runtime;
  private final BarFields fields;
  private final EarlierDays earlier;
  private final DayKeeper keeper;
  private final Fills fills;
  private final DeskListener listener;

  /// Orders whose day has not begun.
  private final NavigableMap<LocalDate, List<NamedOrder>> waiting;

  private final Map<String, DeskDay> open = new LinkedHashMap<>();
  private final Set<BarAnswer> warned = EnumSet.noneOf(BarAnswer.class);

  private long clock = Long.MIN_VALUE;
  private int orders;
  private int over;
  private long decisions;
  private double fillRates;
  private double advantages;
  private long setAside;

  /// @param orders by trading day
  /// @param keeper hears of days that are over
  OrderDesk(
      LoadedModel model,
      BarFields fields,
      NavigableMap<LocalDate, List<NamedOrder>> orders,
      EarlierDays earlier,
      DayKeeper keeper,
      Fills fills,
      DeskListener listener) {
    this.runtime = new DecisionRuntime(model);
    this.fields = fields;
    this.waiting = new TreeMap<>(orders);
    this.earlier = earlier;
    this.keeper = keeper;
    this.fills = fills;
    this.listener = listener;
    orders.values().forEach(each -> this.orders += each.size());
    openNext();
  }

  /// Whether there is nothing left to do.
  boolean isOver() {
    return open.isEmpty() && waiting.isEmpty();
  }

  /// Returns the day whose bars are wanted.
  LocalDate date() {
    return open.values().iterator().next().frame().date();
  }

  /// Returns the instruments whose bars are wanted.
  List<String> instruments() {
    return List.copyOf(open.keySet());
  }

  /// Takes a bar.
  ///
  /// @param place for errors and warnings
  /// @param values one a field
  void bar(String place, String instrument, long time, float[] values) {
    if (isOfNextDay(time)) {
      finish();
    }
    DeskDay day = open.get(instrument);
    if (day == null || time < day.firstTime() || time >= day.endTime()) {
      setAside(BarAnswer.OUTSIDE, place, instrument, time);
      return;
    }
    if (time > clock) {
      clock = time;
      advance();
    }
    BarAnswer answer = day.bar(place, time, values);
    if (answer == BarAnswer.TAKEN) {
      decide(day);
      if (open.values().stream().allMatch(DeskDay::isOver)) {
        finish();
      }
    } else {
      setAside(answer, place, instrument, time);
    }
  }

  /// Whether `time` is after the days that are open, and not after the next that orders name.
  private boolean isOfNextDay(long time) {
    return !waiting.isEmpty()
        && time < BarTime.of(waiting.firstKey().plusDays(1))
        && open.values().stream().allMatch(day -> time >= day.endTime());
  }

  private void setAside(BarAnswer answer, String place, String instrument, long time) {
    setAside++;
    if (warned.add(answer)) {
      String why =
          switch (answer) {
            case REPEATED -> "had come before";
            case CONTRADICTING -> "had come before with other values";
            case LATE -> "is late: decisions may rest on its being missing";
            case OUTSIDE -> "is not of a tick and day that orders want";
            case TAKEN -> throw new IllegalArgumentException("answer must be no, was " + answer);
          };
      listener.warned(
          "%s: the bar of %s at %s %s; left out, as will be others"
              .formatted(place, instrument, BarTime.format(time), why));
    }
  }

  /// Lets all ticks before the clock pass.
  private void advance() {
    for (DeskDay day : open.values()) {
      while (day.nextTime() < clock) {
        day.skip();
        decide(day);
      }
    }
  }

  private void decide(DeskDay day) {
    for (DeskOrder order : day.orders()) {
      fills.settle(order, day);
      if (order.isDue()) {
        decisions++;
        listener.decided(order.decide(day.tick()));
      }
    }
  }

  /// Ends the days that are open with the tick of the last bar, since no more will come.
  void end() {
    if (!open.isEmpty()) {
      endAt(clock);
    }
  }

  /// Ends the days that are open with the tick at `last`, and begins those of the next date.
  void endDay(long last) {
    endAt(Math.max(clock, last));
    openNext();
  }

  private void endAt(long last) {
    clock = last == Long.MIN_VALUE ? last : last + 1;
    advance();
    close();
  }

  /// Ends the days that are open, all their ticks having passed, and begins those of the next date.
  private void finish() {
    endDay(Long.MAX_VALUE - 1);
  }

  private void close() {
    for (DeskDay day : open.values()) {
      for (DeskOrder order : day.orders()) {
        fills.settle(order, day);
        conclude(day, order);
      }
      keeper.keep(day);
      day.close();
    }
    open.clear();
    clock = Long.MIN_VALUE;
  }

  private void conclude(DeskDay day, DeskOrder order) {
    fillRates += order.fillRate();
    if (day.tick() < order.endTick() && !order.isDone()) {
      return;
    }
    over++;
    if (fills.areAssumed()) {
      Order parent = order.named().order();
      var ticks = day.ticks(parent.side());
      double twap = ticks.meanPrice(ticks.ceiling(BarTime.of(parent.start())), order.endTick());
      advantages += ExecutionMetrics.advantageBps(parent.side(), order.averagePrice(), twap);
    }
  }

  private void openNext() {
    var next = waiting.pollFirstEntry();
    if (next == null) {
      return;
    }
    for (NamedOrder named : next.getValue()) {
      String instrument = named.order().instrument();
      DeskDay day = open.get(instrument);
      if (day == null) {
        day =
            new DeskDay(
                runtime.openDay(
                    instrument, next.getKey(), earlier.before(instrument, next.getKey())),
                runtime.model().spec().frequency(),
                fields);
        open.put(instrument, day);
      }
      day.open(named);
    }
    for (DeskDay day : new ArrayList<>(open.values())) {
      decide(day); // of orders that begin with the day
    }
  }

  /// Returns what has become of the orders, those of days under way left out.
  DeskSummary summary() {
    return new DeskSummary(
        orders,
        orders - over,
        decisions,
        fillRates / orders,
        fills.areAssumed() ? advantages / Math.max(over, 1) : Double.NaN,
        setAside);
  }
}
