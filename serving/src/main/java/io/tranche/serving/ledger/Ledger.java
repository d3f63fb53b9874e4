package io.tranche.serving.ledger;

import io.tranche.config.ConfigException;
import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer;
import io.tranche.serving.Refusal;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.risk.ExposureBook;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The state of every day and order, computed from events alone. Never waits for a model.
public final class Ledger {

  private final ServiceConfig config;
  private final Map<String, InstrumentState> instruments = new ConcurrentHashMap<>();
  private final Map<String, LedgerOrder> orders = new ConcurrentHashMap<>();
  private final BarClock clock = new BarClock();
  private final ExposureBook book = new ExposureBook();

  public Ledger(ServiceConfig config) {
    this.config = config;
  }

  /// Returns the state of an instrument; null if it is new and there are too many instruments.
  public @Nullable InstrumentState instrument(String instrument) {
    InstrumentState state = instruments.get(instrument);
    if (state == null && instruments.size() < config.bounds().maxInstruments()) {
      state = instruments.computeIfAbsent(instrument, _ -> new InstrumentState());
    }
    return state;
  }

  /// Whether a state is still the one of its instrument.
  public boolean holds(String instrument, InstrumentState state) {
    return instruments.get(instrument) == state; // the same object, whose lock is held
  }

  /// Forgets an instrument without open days. The caller holds the lock of its state.
  public void dropIfEmpty(String instrument, InstrumentState state) {
    if (state.days().isEmpty()) {
      instruments.remove(instrument, state);
    }
  }

  public ExposureBook book() {
    return book;
  }

  public BarClock clock() {
    return clock;
  }

  public Map<String, InstrumentState> instruments() {
    return Collections.unmodifiableMap(instruments);
  }

  /// Returns an order of a day that has not ended, or null.
  public @Nullable LedgerOrder order(String id) {
    return orders.get(id);
  }

  /// @throws Refusal if there is no such order
  public LedgerOrder require(String id) {
    LedgerOrder order = orders.get(id);
    if (order == null) {
      String name =
          id.length() > OrderRules.LONGEST_ID ? id.substring(0, OrderRules.LONGEST_ID) : id;
      throw new Refusal(
          Answer.Reason.UNKNOWN, "order must be one of an open day, was '%s'".formatted(name));
    }
    return order;
  }

  /// Returns orders, sorted by id.
  ///
  /// @param after the id before the first one; null to start from the beginning
  /// @param most the largest number returned
  public List<LedgerOrder> ordersAfter(@Nullable String after, int most) {
    // Keeps the smallest ids, with the largest of them on top, ready to be dropped.
    var smallest = new PriorityQueue<String>(Comparator.reverseOrder());
    for (String id : orders.keySet()) {
      if (after == null || id.compareTo(after) > 0) {
        smallest.add(id);
        if (smallest.size() > most) {
          smallest.remove();
        }
      }
    }
    return smallest.stream().sorted().map(orders::get).filter(Objects::nonNull).toList();
  }

  public int orderCount() {
    return orders.size();
  }

  /// Whether a model has an open order.
  public boolean isOpenWith(String model) {
    for (LedgerOrder order : orders.values()) {
      synchronized (order.day().instrument()) {
        if (order.model().equals(model) && !order.isOver()) {
          return true;
        }
      }
    }
    return false;
  }

  /// Returns a day that has not begun, to judge requests by.
  ///
  /// @throws IllegalArgumentException if its hours are impossible
  public LedgerDay draft(InstrumentState state, Event.DayOpened opened) {
    var before = opened.earlier().isEmpty() ? null : opened.earlier().getLast().date();
    long[] times = EarlierFrames.times(config, opened.day(), opened.hours(), before);
    return new LedgerDay(state, opened, times, book);
  }

  /// Returns an open order that a model with this fingerprint may not decide for, or null.
  public @Nullable LedgerOrder openWithAnother(String model, String fingerprint) {
    for (LedgerOrder order : orders.values()) {
      synchronized (order.day().instrument()) {
        if (order.model().equals(model) && !order.isOver() && !order.opened().isOf(fingerprint)) {
          return order;
        }
      }
    }
    return null;
  }

  /// @throws ConfigException if an open order began with other hours or another bar width
  public void requireMarket() {
    for (LedgerOrder order : orders.values()) {
      String began = order.opened().market();
      String now = config.market(order.day().key().instrument());
      if (!order.isOver() && !began.isEmpty() && !began.equals(now)) {
        throw new ConfigException(
            config.journal().toString(),
            "bundles of the market of its open orders, " + began,
            "%s for order %s".formatted(now, order.id()));
      }
    }
  }

  /// Applies an event. The caller holds the lock of the instrument's state.
  ///
  /// @return the day of the event; null if that day is not known
  /// @throws IllegalArgumentException if the event contradicts the state
  public @Nullable LedgerDay apply(InstrumentState state, Event.OfDay event) {
    Event.DayKey key = event.day();
    if (event instanceof Event.DayOpened opened) {
      LedgerDay day = draft(state, opened);
      if (state.days().putIfAbsent(key.date(), day) != null) {
        throw new IllegalArgumentException("day must be new, was open: " + key);
      }
      clock.opened(key.date());
      return day;
    }
    LedgerDay day = state.days().get(key.date());
    if (day == null) {
      return null;
    }
    day.apply(event);
    if (event instanceof Event.OrderOpened opened) {
      String id = opened.request().id();
      orders.put(id, day.order(id));
    } else if (event instanceof Event.BarTaken bar) {
      clock.saw(key.date(), bar.time());
    } else if (event instanceof Event.DayEnded) {
      state.days().remove(key.date());
      clock.ended(key.date());
      day.orders().forEach(order -> orders.remove(order.id()));
    }
    return day;
  }

  /// Applies an event from the journal.
  ///
  /// @return its day; null if that is not known
  public @Nullable LedgerDay replay(Event.OfDay event) {
    InstrumentState state = instruments.get(event.day().instrument());
    if (state == null) {
      state = instruments.computeIfAbsent(event.day().instrument(), _ -> new InstrumentState());
    }
    synchronized (state) {
      LedgerDay day = apply(state, event);
      dropIfEmpty(event.day().instrument(), state);
      return day;
    }
  }
}
