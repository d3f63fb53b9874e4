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
import org.jspecify.annotations.Nullable;

/// Decides for orders on days that are under way: what a desk embeds.
///
/// One stream an instrument and day holds what the model has made of the bars so far, and all
/// orders on it share that: a bar costs one step of the encoder, a decision one small head.
///
/// **Threads.** A runtime and all its days and orders belong to one thread at a time: there are no
/// locks. Any number of runtimes share a [LoadedModel]. On several cores, give each thread a
/// runtime of its own and each instrument to one of them.
///
/// Hot path: bars, decisions and fills allocate nothing, lock nothing, log nothing and read no
/// clock; opening days and orders allocates what they need, once.
public final class DecisionRuntime {

  /// How many decisions go through the network together: more gain nothing.
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

  /// Opens a bundle for one thread; for several, share a [LoadedModel].
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if it is missing, damaged or something
  ///   else
  public static DecisionRuntime open(Path bundle) {
    return new DecisionRuntime(LoadedModel.open(bundle));
  }

  public LoadedModel model() {
    return model;
  }

  /// Begins a day.
  ///
  /// @param earlier the days before, oldest first, as many as the model's features want; a night
  ///   session is taken to open on the evening of the last of them, or of the last weekday
  /// @throws IllegalArgumentException if it was begun before
  /// @throws io.tranche.market.DataException if an earlier day lacks a field, or yesterday's
  ///   features are not finite
  public LiveDay openDay(String instrument, LocalDate date, List<DayFrame> earlier) {
    ModelSpec spec = model.spec();
    LocalDate before = earlier.isEmpty() ? null : earlier.getLast().date();
    long[] times = barTimes(spec.session(), spec.frequency(), date, before);
    var features = spec.features().open(instrument, date, times, earlier);
    var day = new LiveDay(this, instrument, date, times, features);
    if (!spec.mirrors()) {
      day.follow(Side.SELL); // which serves both sides
    }
    return add(day);
  }

  /// Returns the [io.tranche.market.BarTime] of every tick of a day.
  ///
  /// @param before the trading day before; null for the last weekday
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

  /// Returns a day that is open, or null.
  public @Nullable LiveDay day(String instrument, LocalDate date) {
    return days.get(new DayKey(instrument, date));
  }

  /// Returns the days that are open, in the order in which they were opened.
  public List<LiveDay> days() {
    return Collections.unmodifiableList(dayList);
  }

  /// Returns an order that is not forgotten, or null.
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

  /// Takes all decisions that are due, many at a time: much cheaper than one by one, and the same.
  ///
  /// @param decisions hears of each, in the order in which the orders were opened
  /// @return how many there were
  public int decideAll(Decisions decisions) {
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
          if (!batch[i]
              .status()
              .isFinal()) { // it may have been cancelled while others were heard of
            decisions.decided(batch[i]);
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
    int[] choices = ensemble.choose(count);
    for (int row = 0; row < count; row++) {
      batch[row].decided(choices[row]);
    }
  }

  /// Takes one decision, which is due.
  void decide(LiveOrder order) {
    order.catchUp(ensemble);
    order.put(0, ensemble);
    order.decided(ensemble.choose(1)[0]);
  }

  /// Works out one decision, which is due and not advised.
  ///
  /// @return whether it is the order's last
  boolean advise(LiveOrder order) {
    order.catchUp(ensemble);
    order.put(0, ensemble);
    return order.advised(ensemble.choose(1)[0]);
  }

  /// Forgets all orders that are over, so that their ids are free again.
  ///
  /// @return how many there were
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
      throw new IllegalStateException("no decisions must be under way, was within a callback");
    }
  }

  /// Returns all state as bytes, which [#restore] goes on from, bit for bit.
  public byte[] snapshot() {
    return Snapshot.write(this);
  }

  /// Returns a runtime that goes on where [#snapshot] was called.
  ///
  /// @param model the one that the snapshot was taken with
  /// @throws io.tranche.policy.weights.CheckpointException if the bytes are no snapshot, damaged,
  ///   of another version or of another model
  public static DecisionRuntime restore(LoadedModel model, byte[] snapshot) {
    return Snapshot.read(model, snapshot);
  }

  Ensemble ensemble() {
    return ensemble;
  }
}
