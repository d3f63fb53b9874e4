package io.tranche.serving.engine;

import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/// What must hold of a simulated service.
final class Invariants {

  /// An invariant does not hold.
  static final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message, null, false, false);
    }
  }

  private static final double EPSILON = 1e-6;

  /// What orders together have filled and out.
  private static final class Sums {
    double net;
    double buysOut;
    double sellsOut;
    double gross;
    double volume;

    void add(Answer.OrderState state) {
      boolean isBuy = state.side() == Side.BUY;
      double taken = state.filled() + state.out();
      net += (isBuy ? 1 : -1) * state.filled() * Simulation.PRICE;
      buysOut += isBuy ? state.out() * Simulation.PRICE : 0;
      sellsOut += isBuy ? 0 : state.out() * Simulation.PRICE;
      gross += taken * Simulation.PRICE;
      volume += taken;
    }

    double worst() {
      return Math.max(Math.abs(net + buysOut), Math.abs(net - sellsOut));
    }
  }

  private final Engine engine;

  Invariants(Engine engine) {
    this.engine = engine;
  }

  /// Requires what holds at every instant.
  ///
  /// @param mustBeOff whether a client was told that everything is off
  void requireNow(boolean mustBeOff) {
    boolean isOff = !engine.switchedOff().isEmpty();
    if (mustBeOff && !isOff) {
      throw new Violation("lost: everything was switched off");
    }
    Map<String, InstrumentState> instruments = engine.core().ledger().instruments();
    var sums = new HashMap<String, Sums>();
    for (InstrumentState state : instruments.values()) {
      var working = new HashSet<>(state.working());
      for (LedgerDay day : state.days().values()) {
        for (LedgerOrder order : day.orders()) {
          add(sums, order.details());
          if (order.isWorking() && isOff) {
            throw new Violation("off, but working: " + order.details());
          }
          if (order.isWorking() != working.remove(order)) {
            throw new Violation("a switch does not see that this is working or not: " + order.id());
          }
        }
      }
      if (!working.isEmpty()) {
        throw new Violation("working after its day: " + working);
      }
    }
    requireLimits(sums);
    instruments.forEach(
        (name, state) ->
            state.days().values().forEach(day -> requireParticipation(name, day, sums)));
  }

  private static void add(Map<String, Sums> sums, Answer.Details details) {
    Answer.OrderState state = details.state();
    if (state.filled() + state.out() > state.amount() + EPSILON) {
      throw new Violation("children exceed what remains: " + details);
    }
    for (String scope : List.of("desk", String.valueOf(state.account()), state.instrument())) {
      sums.computeIfAbsent(scope, _ -> new Sums()).add(state);
    }
  }

  private static void requireLimits(Map<String, Sums> sums) {
    double gross = sums.getOrDefault("desk", new Sums()).gross;
    if (gross > Simulation.DESK.value(Limit.GROSS_VALUE) + EPSILON) {
      throw new Violation("limit: gross value of all is " + gross);
    }
    for (String account : List.of("x", "y")) {
      double worst = sums.getOrDefault(account, new Sums()).worst();
      if (worst > Simulation.ACCOUNT.value(Limit.NET_VALUE) + EPSILON) {
        throw new Violation("limit: net value of %s is %s".formatted(account, worst));
      }
    }
  }

  private static void requireParticipation(String name, LedgerDay day, Map<String, Sums> sums) {
    double traded = day.recentVolume(Integer.MAX_VALUE);
    double most = Simulation.DESK.value(Limit.PARTICIPATION_DAY) * traded;
    double taken = sums.getOrDefault(name, new Sums()).volume;
    if (taken > (Double.isNaN(most) ? 0 : most) + EPSILON) {
      throw new Violation("limit: %s of %s are taken of %s".formatted(taken, name, traded));
    }
  }

  /// Requires that what was acknowledged is there, once.
  void requireHistory(Collection<KnownOrder> orders) {
    for (KnownOrder known : orders) {
      LedgerOrder order = engine.core().ledger().order(known.request.id());
      if (order != null) {
        requireHistory(known, order);
      } else if (known.isAcknowledged) {
        throw new Violation("lost: order " + known.request.id());
      }
    }
  }

  private static void requireHistory(KnownOrder known, LedgerOrder order) {
    Answer.Details details = order.details();
    known.children.forEach(
        (step, child) -> {
          if (!child.equals(order.child(step))) {
            throw new Violation("lost: " + child);
          }
        });
    double sum = 0;
    var seen = new HashSet<String>();
    for (Request.Fill fill : details.fills()) {
      sum += fill.volume();
      if (!seen.add(fill.fillId()) || !fill.equals(known.sent.get(fill.fillId()))) {
        throw new Violation("doubled or invented: " + fill);
      }
    }
    if (!seen.containsAll(known.acknowledged.keySet())
        || Math.abs(sum - details.state().filled()) > EPSILON) {
      throw new Violation("lost: fills of " + details);
    }
  }
}
