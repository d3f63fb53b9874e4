package io.tranche.benchmarks.serving;

import io.tranche.market.BarTime;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// For which reasons a service whose clock is its bars must refuse a desk's requests, by the state
/// of a ledger.
final class RefusalRules {

  private final Ledger ledger;
  private final ServiceConfig config;
  private @Nullable LocalDateTime now;

  RefusalRules(Ledger ledger, ServiceConfig config) {
    this.ledger = ledger;
    this.config = config;
  }

  /// Looks at the clock, for the questions about the present state: there are many of them, and the
  /// clock looks at every open day.
  void look() {
    now = ledger.clock().now();
  }

  /// Whether the state explains a refusal.
  boolean explains(Request request, Reason reason) {
    return switch (request) {
      case Request.Decide(var id, var step, _) -> explainsDecision(ledger.order(id), step, reason);
      case Request.Fill fill -> reason == Reason.UNMATCHED && ledger.order(fill.id()) == null;
      case Request.OpenOrder order -> explainsOrder(order, reason);
      case Request.Bar bar -> reason == Reason.INVALID && isBarInvalid(bar);
      case Request.Reference reference ->
          reason == Reason.INVALID && isClosed(reference.instrument(), reference.date());
      default -> false;
    };
  }

  private static boolean explainsDecision(
      @Nullable LedgerOrder order, @Nullable Integer step, Reason reason) {
    if (order == null) {
      return reason == Reason.UNKNOWN;
    }
    Answer.OrderState state = order.state();
    return reason == Reason.NOT_DUE
        && (!state.isDue() || (step != null && step != state.nextStep()));
  }

  /// Whether the order of a decision is over.
  boolean isOver(Request request) {
    if (!(request instanceof Request.Decide(var id, _, _))) {
      return false;
    }
    LedgerOrder order = ledger.order(id);
    return order == null || order.isOver();
  }

  private boolean explainsOrder(Request.OpenOrder order, Reason reason) {
    LedgerDay day = day(order.instrument(), order.date());
    if (reason == Reason.RISK) {
      // Without a price no value can be checked.
      return day == null || !(day.knownClose() > 0 || day.deskReference() > 0);
    }
    return reason == Reason.INVALID
        && (day == null ? isClosed(order.instrument(), order.date()) : isPassed(day, order));
  }

  private static boolean isPassed(LedgerDay day, Request.OpenOrder order) {
    return day.ticksUpTo(BarTime.of(order.end())) <= day.ticks();
  }

  private boolean isBarInvalid(Request.Bar bar) {
    LedgerDay known = day(bar.instrument(), bar.date());
    if (known == null && isClosed(bar.instrument(), bar.date())) {
      return true;
    }
    LedgerDay day = known == null ? draft(bar.instrument(), bar.date()) : known;
    long[] times = day.times();
    int reached = Math.max(day.ticks(), day.ticksUpTo(ledger.clock().newest(bar.date())));
    int ahead = (int) (config.clock().gapMinutes() * 60L / config.frequency().seconds());
    return BarTime.of(bar.time()) > times[Math.min(times.length - 1, reached + ahead)];
  }

  private @Nullable LedgerDay day(String instrument, LocalDate date) {
    InstrumentState state = ledger.instruments().get(instrument);
    return state == null ? null : state.days().get(date);
  }

  private LedgerDay draft(String instrument, LocalDate date) {
    var opened =
        new Event.DayOpened(new Event.DayKey(instrument, date), List.of(), Request.Hours.USUAL);
    return ledger.draft(new InstrumentState(), opened);
  }

  /// Whether a day can no longer begin, or not yet: too many are open with orders that are not
  /// over.
  private boolean isClosed(String instrument, LocalDate date) {
    InstrumentState state = ledger.instruments().get(instrument);
    if (state == null || state.days().containsKey(date)) {
      return false;
    }
    if (date.isBefore(state.days().firstKey())) {
      return true;
    }
    LedgerDay oldest = state.days().firstEntry().getValue();
    return state.days().size() >= config.bounds().daysKept()
        && oldest.orders().stream().anyMatch(order -> !order.isOver() && !isPast(oldest, order));
  }

  private boolean isPast(LedgerDay day, LedgerOrder order) {
    int end = order.window().endTick();
    return day.ticks() >= end && now != null && BarTime.of(now) > day.times()[end - 1];
  }
}
