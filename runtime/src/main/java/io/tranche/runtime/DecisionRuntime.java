package io.tranche.runtime;

import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Side;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decides for orders on live days: the part that a trading desk embeds.
///
/// Each day of an instrument has one stream, which holds the model's encoding of the bars so far;
/// all orders of the day share it. A bar costs one step of the encoder, a decision one small head.
///
/// **Threads.** A runtime and all its days and orders belong to one thread at a time: there are no
/// locks. Any number of runtimes can share a [LoadedModel]. To use several cores, give each thread
/// its own runtime and assign each instrument to one thread.
///
/// Hot path: bars, decisions and fills do not allocate, lock, log or read a clock. Opening a day or
/// an order allocates all the memory it needs.
public final class DecisionRuntime {

  /// The number of decisions evaluated together; larger batches are not faster.
  private static final int ROWS = 64;

  private record DayKey(String instrument, LocalDate date) {}

  private final LoadedModel model;
  private final Ensemble ensemble;
  private final Map<DayKey, LiveDay> days = new HashMap<>();
  private final List<LiveDay> dayList = new ArrayList<>();
  private final Map<String, LiveOrder> orders = new HashMap<>();
  private final List<LiveOrder> orderList = new ArrayList<>();
  private final LiveOrder[] batch = new LiveOrder[ROWS];
  private boolean isDeciding;

  public DecisionRuntime(LoadedModel model) {
    this.model = model;
    this.ensemble = model.newEnsemble(ROWS);
  }

  /// Opens a bundle for one thread; for several threads, share a [LoadedModel].
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if it is missing, damaged or not a
  ///   bundle
  public static DecisionRuntime open(Path bundle) {
    return new DecisionRuntime(LoadedModel.open(bundle));
  }

  public LoadedModel model() {
    return model;
  }

  /// Begins a day.
  ///
  /// @param earlier the days before, oldest first, as many as the model's features need. A night
  ///   session opens on the evening of the last of them, or of the previous weekday
  /// @throws IllegalArgumentException if it was begun before
  /// @throws io.tranche.market.DataException if an earlier day lacks a field, or yesterday's
  ///   features are not finite
  public LiveDay openDay(String instrument, LocalDate date, List<DayFrame> earlier) {
    ModelSpec spec = model.spec();
    LocalDate before = earlier.isEmpty() ? null : earlier.getLast().date();
    return openDay(
        instrument,
        date,
        barTimes(spec.session(instrument), spec.frequency(), date, before),
        earlier);
  }

  /// Begins a day whose hours are known: a half day has fewer ticks, and a night session may open
  /// on another evening.
  ///
  /// @param times the [io.tranche.market.BarTime] of every tick, those of the session from its
  ///   first on
  /// @param earlier the days before, oldest first, as many as the model's features need
  /// @throws IllegalArgumentException if it was begun before, or has more ticks than the model
  ///   takes
  /// @throws io.tranche.market.DataException if an earlier day lacks a field, or yesterday's
  ///   features are not finite
  public LiveDay openDay(String instrument, LocalDate date, long[] times, List<DayFrame> earlier) {
    ModelSpec spec = model.spec();
    if (times.length < 1 || times.length > spec.ticks()) {
      throw new IllegalArgumentException(
          "day %s %s must have 1 to %d ticks, was %d"
              .formatted(instrument, date, spec.ticks(), times.length));
    }
    int plannedTicks = spec.session(instrument).barStarts(spec.frequency()).length;
    var features = spec.features().open(instrument, date, times, plannedTicks, earlier);
    var day = new LiveDay(this, instrument, date, times.clone(), features);
    if (!spec.mirrors()) {
      day.follow(Side.SELL); // which serves both sides
    }
    return add(day);
  }

  /// Returns the [io.tranche.market.BarTime] of every tick of a day.
  ///
  /// @param before the previous trading day; null for the previous weekday
  public static long[] barTimes(
      Session session, Frequency frequency, LocalDate date, @Nullable LocalDate before) {
    return session.barTimes(date, before == null ? weekdayBefore(date) : before, frequency);
  }

  private static LocalDate weekdayBefore(LocalDate date) {
    LocalDate before = date.minusDays(1);
    while (before.getDayOfWeek() == DayOfWeek.SATURDAY
        || before.getDayOfWeek() == DayOfWeek.SUNDAY) {
      before = before.minusDays(1);
    }
    return before;
  }

  LiveDay add(LiveDay day) {
    if (days.putIfAbsent(new DayKey(day.instrument(), day.date()), day) != null) {
      throw new IllegalArgumentException("day must be new, was open: " + day);
    }
    dayList.add(day);
    return day;
  }

  /// Returns an open day, or null.
  public @Nullable LiveDay day(String instrument, LocalDate date) {
    return days.get(new DayKey(instrument, date));
  }

  /// Returns the open days, in the order in which they were opened.
  public List<LiveDay> days() {
    return Collections.unmodifiableList(dayList);
  }

  /// Returns the order with this id, or null if there is none or it was forgotten.
  public @Nullable LiveOrder order(String id) {
    return orders.get(id);
  }

  /// Returns the orders that are not forgotten, in the order in which they were opened.
  public List<LiveOrder> orders() {
    return Collections.unmodifiableList(orderList);
  }

  LiveOrder add(LiveOrder order) {
    if (orders.putIfAbsent(order.id(), order) != null) {
      throw new IllegalArgumentException("id must be new, was '%s'".formatted(order.id()));
    }
    orderList.add(order);
    return order;
  }

  /// Takes all decisions that are due, in batches: much cheaper than one by one, with the same
  /// results.
  ///
  /// @param decisions receives each order that decided, in the order in which they were opened:
  ///   [LiveOrder#volume] and [LiveOrder#kind] say what to send; may report fills, cancel orders
  ///   and open new ones
  /// @return the number of decisions
  public int decideAll(Consumer<LiveOrder> decisions) {
    requireQuiet();
    isDeciding = true;
    try {
      int sum = 0;
      int next = 0;
      while (next < orderList.size()) {
        int count = 0;
        for (; next < orderList.size() && count < ROWS; next++) {
          LiveOrder order = orderList.get(next);
          if (order.isDue()) {
            order.catchUp(ensemble);
            batch[count++] = order;
          }
        }
        decideBatch(count);
        for (int i = 0; i < count; i++) {
          // An earlier callback may have cancelled it.
          if (!batch[i].status().isFinal()) {
            decisions.accept(batch[i]);
          }
        }
        sum += count;
      }
      return sum;
    } finally {
      isDeciding = false;
    }
  }

  private void decideBatch(int count) {
    if (count == 0) {
      return;
    }
    for (int row = 0; row < count; row++) {
      batch[row].put(row, ensemble);
    }
    ensemble.decide(count);
    for (int row = 0; row < count; row++) {
      batch[row].decided(ensemble, row);
    }
  }

  /// Takes one decision, which is due.
  void decide(LiveOrder order) {
    order.catchUp(ensemble);
    order.put(0, ensemble);
    ensemble.decide(1);
    order.decided(ensemble, 0);
  }

  /// Returns what each model of the ensemble said at the newest decision: scores of the choices, or
  /// the numbers of the action.
  public List<float[]> scores() {
    return ensemble.scores();
  }

  /// Computes one decision, which is due and not advised, without taking it.
  ///
  /// @return whether it is the order's last
  boolean advise(LiveOrder order) {
    order.catchUp(ensemble);
    order.put(0, ensemble);
    ensemble.decide(1);
    return order.advised(ensemble, 0);
  }

  /// Forgets all orders that are over, which frees their ids.
  ///
  /// @return the number of orders forgotten
  /// @throws IllegalStateException if decisions are being taken
  public int forgetFinished() {
    requireQuiet();
    int size = orderList.size();
    orderList.removeIf(order -> order.status().isFinal() && orders.remove(order.id(), order));
    return size - orderList.size();
  }

  void forget(LiveDay day) {
    requireQuiet();
    days.remove(new DayKey(day.instrument(), day.date()));
    dayList.remove(day);
    orderList.removeIf(
        order -> {
          boolean isGone = order.day() == day;
          if (isGone) {
            order.expire();
            orders.remove(order.id());
          }
          return isGone;
        });
  }

  private void requireQuiet() {
    if (isDeciding) {
      throw new IllegalStateException(
          "decisions must not be in progress, was called from a callback");
    }
  }

  /// Returns the whole state as bytes; [#restore] continues from it, bit for bit.
  public byte[] snapshot() {
    return Snapshot.write(this);
  }

  /// Returns a runtime that continues from a [#snapshot].
  ///
  /// @param model the model that the snapshot was taken with
  /// @throws io.tranche.policy.weights.CheckpointException if the bytes are not a snapshot, are
  ///   damaged, or come from another version or model
  public static DecisionRuntime restore(LoadedModel model, byte[] snapshot) {
    return Snapshot.read(model, snapshot);
  }

  Ensemble ensemble() {
    return ensemble;
  }
}
