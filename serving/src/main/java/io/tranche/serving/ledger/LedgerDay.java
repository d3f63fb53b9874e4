package io.tranche.serving.ledger;

import io.tranche.market.BarTime;
import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Request;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.journal.Event;
import io.tranche.serving.risk.ExposureBook;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A day of an instrument: its events and orders. Guarded by the lock of its [InstrumentState].
public final class LedgerDay {

  /// How many closes make a reference price.
  private static final int CLOSES = 3;

  private final InstrumentState instrument;
  private final Event.DayKey key;
  private final long[] times;
  private final ExposureBook book;
  private final List<Event.OfDay> events = new ArrayList<>();
  private final Map<String, LedgerOrder> orders = new HashMap<>();

  /// One per tick that has passed; null if there was no bar.
  private final List<@Nullable BarValues> bars = new ArrayList<>();

  private @Nullable List<String> fields;
  private int close = -1;
  private int volume = -1;
  private float newestClose = Float.NaN;
  private boolean hasClose;
  private boolean hasEnded;

  /// What was filled since the tick before passed, one per tick that has passed and the current
  /// one.
  private final double[] filled;

  // Sums over the whole day, kept because every decision may be checked against them.
  private double filledBefore; // up to the tick before the current one
  private double traded;
  private boolean isTradedKnown;

  /// The newest closes, to take a median of.
  private final float[] closes = new float[CLOSES];

  private int closeCount;
  private long sequence;

  private double deskReference = Double.NaN;
  private boolean isHalted;
  private boolean isReferenceWanted; // by an order that has none yet

  /// No window of an order has ended before this tick.
  private int firstEnd = Integer.MAX_VALUE;

  LedgerDay(InstrumentState instrument, Event.DayOpened opened, long[] times, ExposureBook book) {
    this.book = book;
    this.instrument = instrument;
    this.key = opened.day();
    this.times = times;
    this.filled = new double[times.length + 1];
    events.add(opened);
  }

  /// Returns the object whose lock guards this day.
  public InstrumentState instrument() {
    return instrument;
  }

  public Event.DayKey key() {
    return key;
  }

  ExposureBook book() {
    return book;
  }

  /// Returns the price that the desk gave to compare closes with; NaN for none.
  public double deskReference() {
    return deskReference;
  }

  /// Whether the market has halted the instrument.
  public boolean isHalted() {
    return isHalted;
  }

  /// Returns how it began.
  public Event.DayOpened opened() {
    return (Event.DayOpened) events.getFirst();
  }

  /// Returns the time of each tick, not a copy.
  public long[] times() {
    return times;
  }

  /// Returns how many ticks have passed.
  public int ticks() {
    return bars.size();
  }

  /// Returns the time of the newest tick that has passed; -1 before the first.
  public long newestTime() {
    return bars.isEmpty() ? -1 : times[bars.size() - 1];
  }

  /// Returns how many ticks begin at `time` or before.
  public int ticksUpTo(long time) {
    int at = Arrays.binarySearch(times, time);
    return at < 0 ? -at - 1 : at + 1;
  }

  /// Returns the fields of its bars; null before the first.
  public @Nullable List<String> fields() {
    return fields;
  }

  public boolean hasEnded() {
    return hasEnded;
  }

  /// Returns the sequence number of its newest bar, or of its opening.
  public long sequence() {
    return sequence;
  }

  public void setSequence(long number) {
    sequence = number;
  }

  public Collection<LedgerOrder> orders() {
    return orders.values();
  }

  /// Returns a new list of the decisions that were requested and not taken yet.
  public List<PendingDecision> pending() {
    return orders.values().stream().map(LedgerOrder::pending).filter(Objects::nonNull).toList();
  }

  public int eventCount() {
    return events.size();
  }

  /// Returns a copy of events `from` to `to` - 1.
  public List<Event.OfDay> events(int from, int to) {
    return List.copyOf(events.subList(from, to));
  }

  /// @throws IllegalArgumentException if no tick is left in the window
  public OrderWindow window(Request.OpenOrder order, int ticksPerStep) {
    return window(order, order.end(), ticks(), ticksPerStep);
  }

  /// @param end of the order, which may have been amended
  /// @param passed how many ticks had passed when it came
  OrderWindow window(Request.OpenOrder order, LocalDateTime end, int passed, int ticksPerStep) {
    return OrderWindow.of(
        order.id(), key.instrument(), key.date(), times, passed, ticksPerStep, order.start(), end);
  }

  /// Returns how a bar will be answered.
  public BarAnswer judge(long time, BarValues values) {
    int tick = tick(time);
    if (tick < 0) {
      return BarAnswer.OUTSIDE;
    }
    if (tick >= ticks()) {
      return BarAnswer.TAKEN;
    }
    BarValues had = bars.get(tick);
    if (had == null || had.isMissing()) {
      return values.isMissing() ? BarAnswer.REPEATED : BarAnswer.LATE;
    }
    return had.equals(values) ? BarAnswer.REPEATED : BarAnswer.CONTRADICTING;
  }

  private int tick(long time) {
    int next = ticks();
    return next < times.length && times[next] == time ? next : Arrays.binarySearch(times, time);
  }

  /// Applies an event.
  ///
  /// @throws IllegalArgumentException if the event contradicts the state
  void apply(Event.OfDay event) {
    switch (event) {
      case Event.DayOpened _ ->
          throw new IllegalArgumentException("day must be new, was open: " + key);
      case Event.BarTaken bar -> apply(bar);
      case Event.OrderOpened opened -> {
        String id = opened.request().id();
        if (orders.containsKey(id)) {
          throw new IllegalArgumentException("id must be new, was '%s'".formatted(id));
        }
        String replaces = opened.request().replaces();
        LedgerOrder replaced = replaces == null ? null : order(replaces);
        if (replaced != null) {
          replaced.cancel();
        }
        var order = new LedgerOrder(this, opened, replaced);
        orders.put(id, order);
        firstEnd = Math.min(firstEnd, order.window().endTick());
        isReferenceWanted |= Float.isNaN(order.market().reference());
      }
      case Event.Decided decided -> order(decided.child().id()).apply(decided);
      case Event.Filled fill -> {
        order(fill.fill().id()).apply(fill);
        filled[ticks()] += fill.fill().volume();
      }
      case Event.Cancelled(_, var id) -> order(id).cancel();
      case Event.Withdrawn(_, var id) -> order(id).withdraw();
      case Event.Reported(_, var report) -> order(report.id()).apply(report);
      case Event.Amended amended -> {
        LedgerOrder order = order(amended.id());
        order.apply(amended);
        firstEnd = Math.min(firstEnd, order.window().endTick());
      }
      case Event.FillCorrected(_, var fill) -> filled[ticks()] += order(fill.id()).apply(fill);
      case Event.BarCorrected(_, long time, var values) -> correct(time, values);
      case Event.Referenced(_, double price) -> deskReference = price;
      case Event.Halted(_, boolean isNow) -> isHalted = isNow;
      case Event.DayEnded _ -> {
        hasEnded = true;
        orders.values().forEach(LedgerOrder::close);
      }
    }
    events.add(event);
  }

  private void apply(Event.BarTaken bar) {
    int tick = tick(bar.time());
    if (tick < ticks() || (fields != null && !fields.equals(bar.fields()))) {
      throw new IllegalArgumentException(
          "bar must be of a tick after %d with %s, was %s".formatted(ticks(), fields, bar));
    }
    if (fields == null) {
      fields = bar.fields();
      close = fields.indexOf(Request.Bar.CLOSE);
      volume = fields.indexOf(Request.Bar.VOLUME);
    }
    filledBefore += filled[ticks()];
    while (ticks() < tick) {
      bars.add(null);
    }
    bars.add(bar.values());
    saw(bar.values());
    if (ticks() > firstEnd) {
      orders.values().forEach(LedgerOrder::isOver); // those whose window has passed expire
    }
  }

  /// @throws IllegalArgumentException if there is no bar to correct at that time
  public void requireTaken(long time) {
    int tick = tick(time);
    if (tick < 0 || tick >= ticks() || bars.get(tick) == null) {
      throw new IllegalArgumentException(
          "time of a corrected bar of %s must be one of a bar that was taken, was %s"
              .formatted(key, BarTime.dateTime(time)));
    }
  }

  private void correct(long time, BarValues values) {
    requireTaken(time);
    bars.set(tick(time), values);
    closeCount = 0;
    newestClose = Float.NaN;
    traded = 0;
    isTradedKnown = false;
    for (BarValues each : bars) {
      if (each == null) {
        hasClose = false;
      } else {
        saw(each);
      }
    }
  }

  private void saw(BarValues bar) {
    if (volume >= 0 && bar.at(volume) >= 0) {
      traded += bar.at(volume);
      isTradedKnown = true;
    }
    boolean isPriced = close >= 0 && bar.at(close) > 0;
    hasClose = isPriced;
    if (isPriced) {
      newestClose = bar.at(close);
      closes[closeCount++ % CLOSES] = newestClose;
      if (isReferenceWanted) {
        float reference = referenceClose();
        orders.values().forEach(order -> order.market().sawReference(reference));
        isReferenceWanted = Float.isNaN(reference);
      }
    }
  }

  public LedgerOrder order(String id) {
    LedgerOrder order = orders.get(id);
    if (order == null) {
      throw new IllegalArgumentException("order must be known, was '%s'".formatted(id));
    }
    return order;
  }

  /// Returns the close of the newest bar, NaN if it has none.
  public float newestClose() {
    return hasClose ? newestClose : Float.NaN;
  }

  /// Returns what prices are compared with: the last close of the earlier days, or else the median
  /// of the three newest closes, so that one wrong price does not count; NaN before there are
  /// three.
  float referenceClose() {
    float earlier = earlierClose();
    if (!Float.isNaN(earlier) || closeCount < CLOSES) {
      return earlier;
    }
    float[] sorted = closes.clone();
    Arrays.sort(sorted);
    return sorted[CLOSES / 2];
  }

  /// Returns what all orders together filled in the newest `count` ticks and have out now.
  ///
  /// @param but an order whose child orders do not count; null for none
  public double taken(int count, @Nullable LedgerOrder but) {
    double sum = 0;
    if (count >= ticks()) {
      sum = filledBefore + filled[ticks()];
    } else {
      for (int tick = ticks() - count; tick <= ticks(); tick++) {
        sum += filled[tick];
      }
    }
    for (LedgerOrder order : orders.values()) {
      if (!order.equals(but)) {
        sum += order.out();
      }
    }
    return sum;
  }

  /// Returns the newest close of this day, or else of the earlier days; NaN for none.
  public float knownClose() {
    return Float.isNaN(newestClose) ? earlierClose() : newestClose;
  }

  /// Returns the last close of the earlier days; NaN for none.
  public float earlierClose() {
    for (Request.EarlierDay each : opened().earlier().reversed()) {
      for (Request.Bar bar : each.bars().reversed()) {
        int at = bar.fields().indexOf(Request.Bar.CLOSE);
        if (at >= 0 && bar.values().get(at) > 0) {
          return bar.values().get(at);
        }
      }
    }
    return Float.NaN;
  }

  /// Returns the market volume of the newest `count` ticks; NaN if none of their bars has one.
  public double recentVolume(int count) {
    if (count >= ticks()) {
      return isTradedKnown ? traded : Double.NaN;
    }
    double sum = 0;
    boolean isKnown = false;
    for (int tick = ticks() - count; tick < ticks(); tick++) {
      BarValues bar = bars.get(tick);
      if (bar != null && volume >= 0 && bar.at(volume) >= 0) {
        sum += bar.at(volume);
        isKnown = true;
      }
    }
    return isKnown ? sum : Double.NaN;
  }
}
