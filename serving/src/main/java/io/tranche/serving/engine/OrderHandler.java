package io.tranche.serving.engine;

import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerFills;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.model.LoadedModels;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Handles requests about orders and their fills.
final class OrderHandler {

  private static final int ID_LOCKS = 64;

  private final EngineCore core;
  private final EventCommitter committer;
  private final OpenDays days;
  private final RiskGate risk;
  private final Object[] idLocks = new Object[ID_LOCKS];

  OrderHandler(EngineCore core, EventCommitter committer, OpenDays days, RiskGate risk) {
    this.core = core;
    this.committer = committer;
    this.days = days;
    this.risk = risk;
    Arrays.setAll(idLocks, _ -> new Object());
  }

  AnswerWhenDurable openOrder(Request.OpenOrder request) {
    OpenDays.requireName("id", request.id());
    synchronized (idLocks[Math.floorMod(request.id().hashCode(), ID_LOCKS)]) {
      LedgerOrder known = core.ledger().order(request.id());
      if (known != null) {
        return repeatOrder(known, request);
      }
      committer.requireAble();
      if (core.ledger().orderCount() >= core.config().bounds().maxOrders()) {
        throw new Refusal(Reason.OVERLOADED, "too many orders are open");
      }
      LoadedModels.ServedModel served = core.models().acquire(model(request));
      try {
        return openOrder(request, served);
      } finally {
        core.models().release(served);
      }
    }
  }

  private String model(Request.OpenOrder request) {
    String asked = request.model();
    if (asked != null) {
      OpenDays.requireName("model", asked);
      return asked;
    }
    Event.Routed routed = core.serviceState().routed();
    if (routed == null) {
      throw new Refusal(Reason.UNKNOWN, "model must be given, because there is no route");
    }
    return routed.route().of(request.id());
  }

  private AnswerWhenDurable repeatOrder(LedgerOrder known, Request.OpenOrder request) {
    synchronized (known.day().instrument()) {
      if (!known.request().equals(request)) {
        throw new Refusal(
            Reason.CONFLICT, "order %s exists with other contents".formatted(request.id()));
      }
      core.counters().repeated.increment();
      return new AnswerWhenDurable(known.state(), known.sequence());
    }
  }

  private AnswerWhenDurable openOrder(Request.OpenOrder request, LoadedModels.ServedModel served) {
    OrderRules.requireSound(request.id(), request.amount());
    if (request.account() != null) {
      OpenDays.requireName("account", request.account());
    }
    var key = new Event.DayKey(request.instrument(), request.date());
    ModelSpec spec = served.model().spec();
    return days.within(
        request.instrument(),
        state -> {
          LedgerDay draft = days.day(state, key);
          OrderWindow window = draft.window(request, spec.ticksPerStep());
          window.requireSteps(request.id(), spec.maxSteps());
          LedgerOrder replaced = replaced(key, request);
          risk.requireOrder(draft, request);
          risk.requireMessage(request.id(), request.instrument(), request.account());
          LedgerDay day = days.begin(state, draft);
          var event =
              new Event.OrderOpened(
                  key,
                  request,
                  served.name(),
                  spec.ticksPerStep(),
                  window.steps(),
                  spec.isQlib(),
                  served.model().fingerprint(),
                  core.config().market(request.instrument()),
                  core.config().rules().awaitsCancels());
          long sequence = committer.commit(state, event);
          LedgerOrder order = day.order(request.id());
          order.setSequence(sequence);
          if (replaced != null) {
            replaced.setSequence(sequence);
          }
          core.counters().ordersOpened.increment();
          return new AnswerWhenDurable(order.state(), sequence);
        });
  }

  /// Returns the order that another one shall replace, or null.
  private @Nullable LedgerOrder replaced(Event.DayKey key, Request.OpenOrder request) {
    String id = request.replaces();
    if (id == null) {
      return null;
    }
    LedgerOrder order = core.ledger().require(id);
    if (!order.day().key().equals(key)) {
      throw new IllegalArgumentException(
          "order %s must be of %s to be replaced by %s, was of %s"
              .formatted(id, key, request.id(), order.day().key()));
    }
    if (order.isOver()) {
      throw new IllegalArgumentException(
          "order %s must be open to be replaced, was %s".formatted(id, order.statusWord()));
    }
    return order;
  }

  /// Books a fill, whatever it is: the market has made it.
  AnswerWhenDurable fill(Request.Fill request) {
    OpenDays.requireName("id", request.id());
    OpenDays.requireName("fillId", request.fillId());
    LedgerFills.requireSound(request);
    LedgerOrder order = core.ledger().order(request.id());
    if (order == null) {
      return keep(request);
    }
    synchronized (order.day().instrument()) {
      if (order.day().hasEnded()) {
        return keep(request);
      }
      Request.Fill known = order.fill(request.fillId());
      if (known == null) {
        committer.requireAble();
        boolean isLate = order.isLate(request);
        boolean isExcess = order.isExcess(request);
        // Kept as long as the day: the id of its order is there already.
        var kept =
            new Request.Fill(
                order.id(), request.fillId(), request.step(), request.volume(), request.price());
        var event = new Event.Filled(order.day().key(), kept, isLate);
        order.setSequence(committer.commit(order.day().instrument(), event));
        (isLate ? core.counters().lateFills : core.counters().fills).increment();
        if (isExcess) {
          core.counters().overfills.increment();
          core.observer()
              .notice(
                  Kind.OVERFILL,
                  request.id(),
                  "fill %s of %s is more than was out"
                      .formatted(request.fillId(), request.volume()));
        }
      } else {
        requireSame(known, request);
      }
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  private void requireSame(Request.Fill known, Request.Fill request) {
    if (!known.equals(request)) {
      throw new Refusal(
          Reason.CONFLICT,
          "fill %s of order %s exists with other contents"
              .formatted(request.fillId(), request.id()));
    }
    core.counters().repeated.increment();
  }

  /// Keeps a fill of an order that is not known.
  private AnswerWhenDurable keep(Request.Fill request) {
    long sequence = 0;
    synchronized (idLocks[Math.floorMod(request.id().hashCode(), ID_LOCKS)]) {
      Request.Fill known = core.serviceState().unmatched(request.id(), request.fillId());
      if (known == null) {
        committer.requireAble();
        sequence = core.journal().append(new Event.Unmatched(request));
        core.counters().unmatchedFills.increment();
        core.observer()
            .notice(
                Kind.UNMATCHED_FILL,
                request.id(),
                "fill %s of %s at %s"
                    .formatted(request.fillId(), request.volume(), request.price()));
      } else {
        requireSame(known, request);
      }
    }
    String message =
        "order of fill %s must be one of an open day, was '%s'; it is kept as unmatched"
            .formatted(request.fillId(), request.id());
    return new AnswerWhenDurable(new Answer.Refused(Reason.UNMATCHED, message), sequence);
  }

  AnswerWhenDurable report(Request.Report request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      if (order.isChangedBy(request)) {
        committer.requireAble();
        commit(order, new Event.Reported(order.day().key(), request));
      } else {
        core.counters().repeated.increment();
      }
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  private void commit(LedgerOrder order, Event.OfDay event) {
    order.setSequence(committer.commit(order.day().instrument(), event));
  }

  AnswerWhenDurable amend(Request.Amend request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      double amount = request.amount() == null ? order.amount() : request.amount();
      LocalDateTime end = request.end() == null ? order.end() : request.end();
      if (amount == order.amount() && end.equals(order.end())) {
        core.counters().repeated.increment();
        return new AnswerWhenDurable(order.state(), order.sequence());
      }
      committer.requireAble();
      OrderWindow window = order.requireAmendable(amount, end);
      LoadedModels.ServedModel served = core.models().find(order.model());
      if (served != null) {
        window.requireSteps(order.id(), served.model().spec().maxSteps());
      }
      risk.requireAmount(order.day(), order.id(), order.account(), amount);
      risk.requireMessage(order.id(), order.day().key().instrument(), order.account());
      commit(order, new Event.Amended(order.day().key(), order.id(), amount, end));
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  AnswerWhenDurable correct(Request.CorrectFill correction) {
    LedgerOrder order = core.ledger().require(correction.id());
    synchronized (order.day().instrument()) {
      order.requireCorrectable(correction);
      if (!order.isCorrected(correction)) {
        committer.requireAble();
        commit(order, new Event.FillCorrected(order.day().key(), correction));
        core.counters().corrections.increment();
        core.observer()
            .notice(
                Kind.CORRECTED,
                order.id(),
                "fill %s is %s at %s"
                    .formatted(correction.fillId(), correction.volume(), correction.price()));
      }
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  AnswerWhenDurable inspect(Request.Inspect request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      return new AnswerWhenDurable(order.details(), order.sequence());
    }
  }

  AnswerWhenDurable cancel(Request.Cancel request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      if (!order.isOver()) {
        committer.requireAble();
        order.setSequence(
            committer.commit(
                order.day().instrument(), new Event.Cancelled(order.day().key(), request.id())));
      } else if (!order.isCancelled()) {
        throw new IllegalArgumentException(
            "order %s must be open to cancel, was %s".formatted(request.id(), order.statusWord()));
      }
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  AnswerWhenDurable list(@Nullable String after) {
    List<LedgerOrder> orders = core.ledger().ordersAfter(after, Request.ListOrders.MOST + 1);
    var states = new ArrayList<Answer.OrderState>();
    long newest = 0;
    for (LedgerOrder order : orders) {
      synchronized (order.day().instrument()) {
        states.add(order.state());
        newest = Math.max(newest, order.sequence());
      }
    }
    boolean isWhole = states.size() <= Request.ListOrders.MOST;
    return new AnswerWhenDurable(
        new Answer.Orders(isWhole ? states : states.subList(0, Request.ListOrders.MOST), isWhole),
        newest);
  }

  AnswerWhenDurable look(Request.Look request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }
}
