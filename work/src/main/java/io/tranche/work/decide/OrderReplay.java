package io.tranche.work.decide;

import io.tranche.market.BarTime;
import io.tranche.market.DayFrame;
import io.tranche.market.order.NamedOrder;
import io.tranche.run.play.OrderResult;
import io.tranche.runtime.BarAnswer;
import io.tranche.work.decide.DecisionMaker.Bar;
import io.tranche.work.decide.DecisionMaker.Child;
import io.tranche.work.decide.DecisionMaker.Fill;
import io.tranche.work.decide.DecisionMaker.Wants;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Executes orders day by day on bars that arrive in the order of time. Each decision is taken as
/// soon as all bars before it have arrived.
///
/// A bar means that no more bars of earlier ticks will come, for any instrument. So decisions have
/// the same times as in the simulator, even for instruments that do not trade every minute.
final class OrderReplay {

  private final DecisionMaker maker;
  private final Wants wants;
  private final List<String> fields;
  private final EarlierDays earlier;
  private final DayTimes times;
  private final Consumer<ReplayDay> keeper;
  private final FillSource fills;
  private final OrderReplayListener listener;

  /// Orders whose day has not begun.
  private final NavigableMap<LocalDate, List<NamedOrder>> waiting;

  private final Map<String, ReplayDay> open = new LinkedHashMap<>();
  private final Set<BarAnswer> warned = EnumSet.noneOf(BarAnswer.class);

  private long clock = Long.MIN_VALUE;
  private int orders;
  private int over;
  private long decisions;
  private double completions;
  private int compared;
  private double advantages;
  private double costs;
  private long setAside;

  /// The ticks of days.
  interface DayTimes {

    /// Returns the [BarTime] of every tick of a day.
    ///
    /// @param earlier the days before that are known
    long[] of(String instrument, LocalDate date, List<DayFrame> earlier);
  }

  /// @param fields of bars
  /// @param orders by trading day
  /// @param keeper receives days that are over
  OrderReplay(
      DecisionMaker maker,
      List<String> fields,
      NavigableMap<LocalDate, List<NamedOrder>> orders,
      EarlierDays earlier,
      DayTimes times,
      Consumer<ReplayDay> keeper,
      FillSource fills,
      OrderReplayListener listener) {
    this.maker = maker;
    this.wants = maker.wants();
    this.fields = fields;
    this.waiting = new TreeMap<>(orders);
    this.earlier = earlier;
    this.times = times;
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

  /// Returns the day whose bars are expected.
  LocalDate date() {
    return open.values().iterator().next().date();
  }

  /// Returns the instruments whose bars are expected.
  List<String> instruments() {
    return List.copyOf(open.keySet());
  }

  /// Takes bars of one time.
  ///
  /// @param place for errors and warnings
  /// @param bars by instrument: one value per field
  void bars(String place, long time, Map<String, float[]> bars) {
    if (isOfNextDay(time)) {
      finish();
    }
    var days = new LinkedHashMap<ReplayDay, float[]>();
    bars.forEach(
        (instrument, values) -> {
          ReplayDay day = open.get(instrument);
          if (day == null || time < day.firstTime() || time >= day.endTime()) {
            setAside(BarAnswer.OUTSIDE, place, instrument, time);
          } else {
            days.put(day, values);
          }
        });
    if (!days.isEmpty()) {
      take(place, time, days);
    }
  }

  private void take(String place, long time, Map<ReplayDay, float[]> bars) {
    if (time > clock) {
      clock = time;
      advance();
    }
    var days = new ArrayList<ReplayDay>();
    var taken = new ArrayList<Bar>();
    bars.forEach(
        (day, values) -> {
          BarAnswer answer = day.judge(place, time, values);
          if (answer == BarAnswer.TAKEN) {
            days.add(day);
            taken.add(day.take(values));
          } else {
            setAside(answer, place, day.instrument(), time);
          }
        });
    if (!taken.isEmpty()) {
      maker.bars(taken);
      listener.took(taken.size());
      decide(days);
      if (open.values().stream().allMatch(ReplayDay::isOver)) {
        finish();
      }
    }
  }

  /// Whether `time` is after all open days, and not after the next day with orders.
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

  /// Passes all ticks before the clock, one after the other.
  private void advance() {
    List<ReplayDay> behind = behind();
    while (!behind.isEmpty()) {
      maker.bars(behind.stream().map(ReplayDay::skip).toList());
      decide(behind);
      behind = behind();
    }
  }

  private List<ReplayDay> behind() {
    return open.values().stream().filter(day -> day.nextTime() < clock).toList();
  }

  private void decide(Collection<ReplayDay> days) {
    var due = new ArrayList<ReplayOrder>();
    settle(days);
    for (ReplayDay day : days) {
      day.orders().stream().filter(ReplayOrder::isDue).forEach(due::add);
    }
    if (due.isEmpty()) {
      return;
    }
    List<Child> children = maker.decide(due.stream().map(ReplayOrder::due).toList());
    for (int i = 0; i < due.size(); i++) {
      decisions++;
      listener.decided(due.get(i).decided(children.get(i)));
    }
  }

  /// Passes on the fills before the next ticks.
  private void settle(Collection<ReplayDay> days) {
    var told = new ArrayList<Fill>();
    for (ReplayDay day : days) {
      for (ReplayOrder order : day.orders()) {
        fills.settle(order, day);
        told.addAll(order.takeFills());
      }
    }
    if (!told.isEmpty()) {
      maker.fill(told);
      told.forEach(listener::filled);
    }
  }

  /// Ends the open days with the tick of the last bar, because no more bars will come.
  void end() {
    if (!open.isEmpty()) {
      endAt(clock);
    }
  }

  /// Ends the open days with the tick at `last`, and begins the next date.
  void endDay(long last) {
    endAt(Math.max(clock, last));
    openNext();
  }

  private void endAt(long last) {
    clock = last == Long.MIN_VALUE ? last : last + 1;
    advance();
    close();
  }

  /// Ends the open days after passing all their ticks, and begins the next date.
  private void finish() {
    endDay(Long.MAX_VALUE - 1);
  }

  private void close() {
    settle(open.values());
    for (ReplayDay day : open.values()) {
      day.orders().forEach(order -> conclude(day, order));
      keeper.accept(day);
      maker.closeDay(day.instrument(), day.date());
    }
    open.clear();
    clock = Long.MIN_VALUE;
  }

  private void conclude(ReplayDay day, ReplayOrder order) {
    boolean isOver = day.tick() >= order.window().endTick() || order.isDone();
    OrderResult result = isOver ? fills.result(order, day) : null;
    over += isOver ? 1 : 0;
    var outcome =
        result == null
            ? new OrderOutcome(
                order.named(), day.date(), order.filled(), order.averagePrice(), isOver, null)
            : new OrderOutcome(
                order.named(), day.date(), result.filled(), result.averagePrice(), isOver, result);
    if (result != null) {
      compared++;
      advantages += result.advantageBps();
      costs += result.costBps();
    }
    completions += outcome.completion();
    listener.concluded(outcome);
  }

  private void openNext() {
    var next = waiting.pollFirstEntry();
    if (next == null) {
      return;
    }
    for (NamedOrder named : next.getValue()) {
      String instrument = named.order().instrument();
      ReplayDay day = open.computeIfAbsent(instrument, _ -> openDay(instrument, next.getKey()));
      day.add(named, maker.openOrder(named, next.getKey()));
      listener.opened(named);
    }
    decide(open.values()); // of orders that begin with the day
  }

  private ReplayDay openDay(String instrument, LocalDate date) {
    List<DayFrame> before = earlier.before(instrument, date);
    long[] ticks = times.of(instrument, date, before);
    maker.openDay(instrument, date, ticks, before);
    return new ReplayDay(instrument, date, wants.frequency(), fields, ticks);
  }

  /// Returns the summary of all orders, without those of open days.
  ReplaySummary summary() {
    return new ReplaySummary(
        orders,
        orders - over,
        decisions,
        completions / orders,
        advantages / compared, // NaN if none was
        costs / compared,
        setAside);
  }
}
