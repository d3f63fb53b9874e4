package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.journal.ServiceState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.risk.RiskCheck;
import io.tranche.serving.risk.Throttle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Holds every order and every child order against the limits in force.
final class RiskGate {

  private static final String UNKNOWN = "unknown: there is no price yet, give one as reference";

  private final List<Request.SetLimits> configured;
  private final Set<String> configuredFields;
  private final ServiceState serviceState;
  private final Ledger ledger;
  private final DayGate days;
  private final LongSupplier ticker;
  private final Observer observer;
  private final Throttle throttle = new Throttle();

  /// @param configured the limits of the configuration
  RiskGate(
      List<Request.SetLimits> configured,
      ServiceState serviceState,
      Ledger ledger,
      DayGate days,
      LongSupplier ticker,
      Observer observer) {
    this.configured = configured;
    this.configuredFields =
        configured.stream()
            .flatMap(each -> each.limits().fields().stream())
            .collect(Collectors.toUnmodifiableSet());
    this.serviceState = serviceState;
    this.ledger = ledger;
    this.days = days;
    this.ticker = ticker;
    this.observer = observer;
  }

  /// Returns the limits of a scope: those that an operator set, or else those of the configuration,
  /// or else those of every account or instrument.
  ///
  /// @param name empty for everything
  private RiskLimits limits(Scope scope, String name) {
    RiskLimits own = find(scope, name);
    if (own == null && scope != Scope.ALL) {
      own = find(scope, Request.SetLimits.ANY);
    }
    return own == null ? RiskLimits.NONE : own;
  }

  private @Nullable RiskLimits find(Scope scope, String name) {
    RiskLimits set = serviceState.limits(scope, name);
    if (set != null) {
      return set;
    }
    for (Request.SetLimits each : configured) {
      if (each.scope() == scope && Objects.requireNonNullElse(each.name(), "").equals(name)) {
        return each.limits();
      }
    }
    return null;
  }

  /// Returns all limits in force, those of everything first.
  List<Request.SetLimits> inForce() {
    var all = new ArrayList<>(serviceState.limits());
    Set<String> known = new HashSet<>();
    all.forEach(each -> known.add(each.scope() + " " + each.name()));
    for (Request.SetLimits each : configured) {
      if (known.add(each.scope() + " " + each.name())) {
        all.add(each);
      }
    }
    all.sort(
        (a, b) ->
            a.scope() == b.scope()
                ? String.valueOf(a.name()).compareTo(String.valueOf(b.name()))
                : a.scope().compareTo(b.scope()));
    return all;
  }

  /// Returns the fields that bars must have for the limits in force.
  Set<String> fields() {
    Set<String> set = serviceState.limitFields();
    if (configuredFields.containsAll(set)) {
      return configuredFields;
    }
    var fields = new HashSet<>(configuredFields);
    fields.addAll(set);
    return fields;
  }

  private List<RiskLimits> all(String instrument, @Nullable String account) {
    RiskLimits desk = limits(Scope.ALL, "");
    RiskLimits ofInstrument = limits(Scope.INSTRUMENT, instrument);
    return account == null
        ? List.of(desk, ofInstrument)
        : List.of(desk, ofInstrument, limits(Scope.ACCOUNT, account));
  }

  private List<RiskCheck.Scoped> scopes(String instrument, @Nullable String account) {
    var book = ledger.book();
    var scopes = new ArrayList<RiskCheck.Scoped>(3);
    scopes.add(new RiskCheck.Scoped(limits(Scope.ALL, ""), book.of(Scope.ALL, "")));
    scopes.add(
        new RiskCheck.Scoped(
            limits(Scope.INSTRUMENT, instrument), book.of(Scope.INSTRUMENT, instrument)));
    if (account != null) {
      scopes.add(
          new RiskCheck.Scoped(limits(Scope.ACCOUNT, account), book.of(Scope.ACCOUNT, account)));
    }
    return scopes;
  }

  /// Reduces the volume of a child order to all limits. The caller holds the lock of the exposure
  /// book until the child order is committed.
  RiskCheck check(LedgerOrder order, double wish) {
    LedgerDay day = order.day();
    String instrument = day.key().instrument();
    var wanted =
        new RiskCheck.Wish(
            order.request().side(),
            wish,
            order.amount(),
            order.available(),
            price(day),
            order.replacedValue());
    return RiskCheck.of(
        wanted, scopes(instrument, order.account()), order.market(), days.clock(day));
  }

  /// Returns the price that values are counted with: the newest close, or else what the desk gave;
  /// NaN for none.
  static double price(LedgerDay day) {
    double close = day.knownClose();
    return close > 0 ? close : day.deskReference();
  }

  /// Returns the tick size of an instrument; NaN for none.
  double tick(String instrument, @Nullable String account) {
    double tick = Double.NaN;
    for (RiskLimits each : all(instrument, account)) {
      double other = each.value(Limit.TICK);
      tick = Double.isNaN(tick) || other > tick ? other : tick;
    }
    return tick;
  }

  /// @throws Refusal if a limit forbids an order
  void requireOrder(LedgerDay day, Request.OpenOrder request) {
    requireAmount(day, request.id(), request.account(), request.amount());
    int alike = 0;
    int against = 0;
    for (LedgerOrder each : day.orders()) {
      if (!each.isOver() && !each.id().equals(request.replaces())) {
        alike += isAlike(each, request) ? 1 : 0;
        against += each.request().side() == request.side() ? 0 : 1;
      }
    }
    for (RiskLimits each : all(request.instrument(), request.account())) {
      require(each, Limit.DUPLICATES, alike, request.id(), "orders like order");
      require(each, Limit.CROSSING, against, request.id(), "orders on the other side of order");
    }
  }

  private static boolean isAlike(LedgerOrder order, Request.OpenOrder other) {
    return Objects.equals(order.account(), other.account())
        && order.request().side() == other.side()
        && order.amount() == other.amount();
  }

  /// @throws Refusal if a limit forbids the amount of an order
  void requireAmount(LedgerDay day, String id, @Nullable String account, double amount) {
    boolean isBounded = false;
    for (RiskLimits each : all(day.key().instrument(), account)) {
      require(each, Limit.ORDER_AMOUNT, amount, id, "amount of order");
      require(each, Limit.ORDER_VALUE, amount * price(day), id, "value of order");
      isBounded |= each.has(Limit.ORDER_AMOUNT);
    }
    if (!isBounded && !(amount <= RiskLimits.MOST_AMOUNT)) {
      throw refusal(
          id,
          "amount of order %s must be at most %s, was %s"
              .formatted(id, RiskLimits.MOST_AMOUNT, amount));
    }
  }

  private void require(RiskLimits limits, Limit limit, double figure, String id, String what) {
    if (limits.isBeyond(limit, figure)) {
      throw refusal(
          id,
          "%s %s must be at most %s (%s), was %s"
              .formatted(
                  what,
                  id,
                  limits.value(limit),
                  limit.key(),
                  Double.isNaN(figure) ? UNKNOWN : figure));
    }
  }

  /// @throws Refusal if there are too many messages
  void requireMessage(String id, String instrument, @Nullable String account) {
    long now = ticker.getAsLong();
    requireMessage(id, Scope.ALL, "", now);
    requireMessage(id, Scope.INSTRUMENT, instrument, now);
    if (account != null) {
      requireMessage(id, Scope.ACCOUNT, account, now);
    }
  }

  private void requireMessage(String id, Scope scope, String name, long now) {
    double most = limits(scope, name).value(Limit.MESSAGES_PER_SECOND);
    if (!Double.isNaN(most) && !throttle.admit(scope, name, most, now)) {
      throw refusal(
          id,
          "messages about %s must be at most %s in a second (%s), was more"
              .formatted(
                  scope == Scope.ALL ? "all orders" : name, most, Limit.MESSAGES_PER_SECOND.key()));
    }
  }

  private Refusal refusal(String id, String message) {
    observer.notice(Kind.RISK, id, message);
    return new Refusal(Answer.Reason.RISK, message);
  }
}
