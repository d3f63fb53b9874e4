package io.tranche.serving.engine;

import io.tranche.market.BarTime;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.risk.RiskCheck;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// Decides which days may begin and which bars may come now, by the session clock.
final class DayGate {

  private static final long SECONDS_AHEAD = 60;

  private final ServiceConfig config;
  private final Ledger ledger;
  private final ServiceState serviceState;

  private final InstantSource wall;

  DayGate(ServiceConfig config, Ledger ledger, ServiceState serviceState, InstantSource wall) {
    this.config = config;
    this.ledger = ledger;
    this.serviceState = serviceState;
    this.wall = wall;
  }

  /// @throws IllegalArgumentException if a new day has ended, is too far from the clock, or would
  ///   end a day that has open orders
  void requireOpenable(InstrumentState state, Event.DayKey key) {
    int kept = config.bounds().daysKept();
    boolean isFull = state.days().size() >= kept;
    if ((isFull && key.date().isBefore(state.days().firstKey())) || serviceState.hasEnded(key)) {
      throw new IllegalArgumentException("day must not have ended, was over: " + key);
    }
    requireNear(key);
    if (!config.rules().dates().isOpen(key.date())) {
      throw new IllegalArgumentException(
          "day of %s must be a trading day, was %s".formatted(key.instrument(), key.date()));
    }
    if (isFull) {
      LedgerDay oldest = state.days().firstEntry().getValue();
      long open =
          oldest.orders().stream()
              .filter(order -> !order.isOver() && !isPast(oldest, order))
              .count();
      if (open > 0) {
        throw new IllegalArgumentException(
            "day %s must wait until %s is ended, one of the %d days kept, was open with %d orders"
                .formatted(key, oldest.key(), kept, open));
      }
    }
  }

  /// Whether an order has had all bars of its window and the session clock is behind it. No bar
  /// comes after the last tick of a day, so an order up to the close with a remainder does not see
  /// that itself.
  private boolean isPast(LedgerDay day, LedgerOrder order) {
    int end = order.window().endTick();
    LocalDateTime now = now();
    return day.ticks() >= end && now != null && BarTime.of(now) > day.times()[end - 1];
  }

  private @Nullable LocalDateTime now() {
    ZoneId zone = config.clock().zone();
    return zone == null ? ledger.clock().now() : wallTime(zone);
  }

  private LocalDateTime wallTime(ZoneId zone) {
    return LocalDateTime.ofInstant(wall.instant(), zone).withNano(0);
  }

  /// Returns what the risk check must know of the time.
  RiskCheck.Clock clock(LedgerDay day) {
    ZoneId zone = config.clock().zone();
    long[] times = day.times();
    int width = config.frequency().seconds();
    long newest = day.newestTime();
    if (zone == null) {
      // The newest bar of any instrument says what time it is.
      long now = ledger.clock().newest(day.key().date());
      return new RiskCheck.Clock(true, day.isHalted(), newest < 0 ? Double.NaN : now - newest);
    }
    long now = BarTime.of(wallTime(zone));
    boolean isTrading = now >= times[0] && now < times[times.length - 1] + width;
    double age = newest < 0 ? now - times[0] : now - newest - width;
    return new RiskCheck.Clock(isTrading, day.isHalted(), age);
  }

  private void requireNear(Event.DayKey key) {
    ZoneId zone = config.clock().zone();
    LocalDateTime now = now();
    if (now == null) {
      return; // no bar has said what time it is
    }
    LocalDate last = now.toLocalDate().plusDays(config.clock().daysAhead());
    // Bars of earlier days may be replayed, but at the wall clock they come too late.
    @Nullable LocalDate first = zone == null ? null : now.toLocalDate().minusDays(1);
    if (key.date().isAfter(last) || (first != null && key.date().isBefore(first))) {
      throw new IllegalArgumentException(
          "day of %s must be %s %s, by the session clock, was %s"
              .formatted(
                  key.instrument(),
                  first == null ? "at most" : "in " + first + " to",
                  last,
                  key.date()));
    }
  }

  /// @throws IllegalArgumentException if a bar's time has not come yet
  void requireTime(LedgerDay day, long time) {
    ZoneId zone = config.clock().zone();
    long most;
    if (zone == null) {
      long[] times = day.times();
      int reached = Math.max(day.ticks(), day.ticksUpTo(ledger.clock().newest(day.key().date())));
      int ahead = Math.toIntExact(config.clock().gapMinutes() * 60L / config.frequency().seconds());
      most = times[Math.min(times.length - 1, reached + ahead)];
    } else {
      most = BarTime.of(wallTime(zone).plusSeconds(SECONDS_AHEAD));
    }
    if (time > most) {
      throw new IllegalArgumentException(
          "time of a bar of %s must be at most %s, by the session clock, was %s"
              .formatted(day.key(), BarTime.dateTime(most), BarTime.dateTime(time)));
    }
  }
}
