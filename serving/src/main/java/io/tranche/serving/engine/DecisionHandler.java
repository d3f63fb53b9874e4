package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Caller;
import io.tranche.serving.Counters.Fallback;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.ledger.PendingDecision;
import io.tranche.serving.model.LoadedModels;
import io.tranche.serving.model.ModelReplica;
import io.tranche.serving.model.ModelWorker;
import io.tranche.serving.risk.RiskCheck;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes each decision exactly once: by the model, or by TWAP when the model is late or fails.
/// Limits and switches apply last.
final class DecisionHandler implements ModelWorker.Advised {

  private static final long NANOS_PER_MICRO = 1_000;
  private static final long LONGEST_MICROS = 60_000_000;
  private static final int MAX_REPLIES = 100;
  private static final long POLL_MICROS = 500;

  private final EngineCore core;
  private final EventCommitter committer;
  private final RiskGate risk;
  private final Deadlines deadlines;
  private final BiConsumer<String, String> complaints;
  private final Consumer<RuntimeException> fault;

  /// @param complaints receives a model that performs badly, and the reason
  DecisionHandler(
      EngineCore core,
      EventCommitter committer,
      RiskGate risk,
      BiConsumer<String, String> complaints,
      Consumer<RuntimeException> fault,
      boolean isStepped) {
    this.core = core;
    this.committer = committer;
    this.risk = risk;
    this.complaints = complaints;
    this.fault = fault;
    this.deadlines = new Deadlines(core.ticker(), this::miss, isStepped);
  }

  /// Returns the answer if the decision was taken before; otherwise calls `reply` later.
  ///
  /// @return null if `reply` gets the answer
  @Nullable AnswerWhenDurable decide(Request.Decide request, Service.Reply reply, long asked) {
    LedgerOrder order = core.ledger().require(request.id());
    long micros = micros(request);
    synchronized (order.day().instrument()) {
      Integer step = request.step();
      Answer.Child known = known(order, step);
      if (known != null) {
        core.counters().repeated.increment();
        return new AnswerWhenDurable(known, order.sequence());
      }
      PendingDecision pending = order.pending();
      if (pending == null || pending.isSettled()) {
        requireDue(order, step);
        committer.requireAble();
        risk.requireMessage(order.id(), order.day().key().instrument(), order.account());
        pending =
            new PendingDecision(
                order,
                order.presentStep(),
                order.day().eventCount(),
                asked,
                NANOS_PER_MICRO * micros,
                NANOS_PER_MICRO * Math.min(core.config().bounds().reserveMicros(), micros / 2));
        pending.join(reply);
        begin(pending);
      } else if (pending.replies().size() >= MAX_REPLIES) {
        throw new Refusal(
            Reason.OVERLOADED, "too many requests wait for order %s".formatted(order.id()));
      } else if (step == null || step == pending.step) {
        pending.join(reply);
      } else {
        throw new Refusal(
            Reason.NOT_DUE,
            "decision %d of order %s is being taken".formatted(pending.step, order.id()));
      }
      return null;
    }
  }

  /// Returns the child order already given for a step (null: the current step), or null.
  private static Answer.@Nullable Child known(LedgerOrder order, @Nullable Integer step) {
    if (step != null) {
      return order.child(step);
    }
    return order.isOver() ? null : order.child(order.presentStep());
  }

  /// Returns how long the answer may take.
  private long micros(Request.Decide request) {
    Long asked = request.deadlineMicros();
    long micros = asked == null ? core.config().bounds().deadlineMicros() : asked;
    if (micros < 1 || micros > LONGEST_MICROS) {
      throw new IllegalArgumentException(
          "deadlineMicros must be in [1, %d], was %d".formatted(LONGEST_MICROS, micros));
    }
    return micros;
  }

  private static void requireDue(LedgerOrder order, @Nullable Integer step) {
    Answer.OrderState state = order.state();
    if (!state.isDue() || (step != null && step != state.nextStep())) {
      throw new Refusal(
          Reason.NOT_DUE,
          "decision %d of order %s must be due, was not: the order is %s, next is %d"
              .formatted(
                  step == null ? order.presentStep() : step,
                  order.id(),
                  order.statusWord(),
                  state.nextStep()));
    }
  }

  private void begin(PendingDecision pending) {
    LedgerOrder order = pending.order;
    order.setPending(pending);
    if (isOff(order)) {
      settle(pending, Source.KILL_SWITCH, 0, null);
      return;
    }
    Event.Routed routed = core.serviceState().routed();
    if (core.workers().ask(pending, routed == null ? List.of() : routed.route().shadows())) {
      deadlines.add(pending);
    } else {
      failed(pending, Fallback.QUEUE_FULL);
    }
  }

  @Override
  public void advised(PendingDecision pending, ModelReplica.Advice advice) {
    if (settle(pending, Source.MODEL, advice.volume(), advice.offsetBps())) {
      core.counters().modelDecisions.increment();
      judge(pending, null);
    }
  }

  @Override
  public void shadowed(PendingDecision pending, String model, double volume) {
    Answer.Child child;
    synchronized (pending.order.day().instrument()) {
      if (!pending.isSettled()) {
        pending.shadowed().put(model, volume);
        return;
      }
      child = pending.order.child(pending.step);
    }
    if (child != null) {
      compare(model, volume, child);
    }
  }

  /// Compares the decision of a shadow with the one that was taken, whichever came first.
  private void compare(String model, double volume, Answer.Child child) {
    core.counters().shadowDecisions.increment();
    if (child.volume() != volume) {
      core.counters().shadowDifferent.increment();
      core.observer()
          .notice(
              Kind.SHADOW_DIFFERED,
              model,
              "would have traded %s instead of %s at step %d of order %s"
                  .formatted(volume, child.volume(), child.step(), child.id()));
    }
  }

  @Override
  public void failed(PendingDecision pending, Fallback why) {
    double volume;
    synchronized (pending.order.day().instrument()) {
      volume = pending.order.twap(pending.step);
    }
    if (settle(pending, Source.TWAP, volume, null)) {
      core.counters().fallbacks(why).increment();
      judge(pending, why);
    }
  }

  private void miss(PendingDecision pending) {
    try {
      failed(pending, Fallback.LATE);
    } catch (RuntimeException e) {
      fault.accept(e); // later deadlines must still be handled
    }
  }

  private void judge(PendingDecision pending, @Nullable Fallback why) {
    long took = core.ticker().getAsLong() - pending.askedNanos;
    core.counters().models.record(took);
    String model = pending.order.model();
    LoadedModels.ServedModel served = core.models().find(model);
    // A client that leaves less time than usual cannot blame the model.
    boolean isHasty =
        why == Fallback.LATE
            && pending.nanos < NANOS_PER_MICRO * core.config().bounds().deadlineMicros();
    if (served != null && !isHasty) {
      String complaint = served.health().record(why, took);
      if (complaint != null) {
        complaints.accept(model, complaint);
      }
    }
  }

  /// Takes a decision, unless it was taken before.
  ///
  /// @return whether it was taken now
  private boolean settle(
      PendingDecision pending, Source wanted, double volume, @Nullable Double offsetBps) {
    LedgerOrder order = pending.order;
    AnswerWhenDurable settled;
    List<Service.Reply> replies;
    synchronized (order.day().instrument()) {
      if (pending.isSettled()) {
        return false;
      }
      pending.settle();
      order.setPending(null);
      replies = List.copyOf(pending.replies());
      try {
        settled = take(pending, wanted, volume, offsetBps);
      } catch (Refusal e) {
        settled = new AnswerWhenDurable(e.answer(), 0);
      }
    }
    for (Service.Reply reply : replies) {
      committer.answer(settled, reply, pending.askedNanos, pending.nanos);
    }
    if (!(settled.answer() instanceof Answer.Child child)) {
      return false;
    }
    Map<String, Double> shadows;
    synchronized (order.day().instrument()) {
      shadows = Map.copyOf(pending.shadowed());
    }
    shadows.forEach((model, other) -> compare(model, other, child));
    return child.source() == wanted;
  }

  private AnswerWhenDurable take(
      PendingDecision pending, Source wanted, double volume, @Nullable Double offsetBps) {
    LedgerOrder order = pending.order;
    if (order.isOver()) {
      throw new Refusal(
          Reason.NOT_DUE,
          "order %s was over before it was decided: %s".formatted(order.id(), order.statusWord()));
    }
    committer.requireAble();
    boolean isOff = isOff(order);
    InstrumentState state = order.day().instrument();
    // Nobody else may use the same room before the child order is in the book.
    synchronized (core.ledger().book()) {
      RiskCheck check = isOff ? new RiskCheck(0, null) : risk.check(order, volume);
      (isOff ? core.counters().killed : core.counters().limited)
          .add(isOff || check.limited() != null ? 1 : 0);
      Answer.Child child =
          child(pending, check, isOff ? null : offsetBps, isOff ? Source.KILL_SWITCH : wanted);
      var event =
          new Event.Decided(
              order.day().key(),
              child,
              pending.seen,
              volume,
              pending.events,
              RiskGate.price(order.day()));
      long sequence = Caller.call(pending.caller, () -> committer.commit(state, event));
      order.setSequence(sequence);
      if (check.limited() != null) {
        core.observer()
            .notice(
                Kind.RISK,
                order.id(),
                "step %d: %s of %s, by %s"
                    .formatted(child.step(), check.volume(), volume, check.limited()));
      }
      return new AnswerWhenDurable(child, sequence);
    }
  }

  private boolean isOff(LedgerOrder order) {
    return core.serviceState()
        .isOff(order.model(), order.day().key().instrument(), order.account());
  }

  private Answer.Child child(
      PendingDecision pending, RiskCheck check, @Nullable Double offsetBps, Source source) {
    LedgerOrder order = pending.order;
    double close = order.day().newestClose();
    Double reference = null;
    Double limit = null;
    if (offsetBps != null && close > 0) {
      double tick = risk.tick(order.day().key().instrument(), order.account());
      reference = close;
      limit = RiskCheck.limitPrice(order.request().side(), close, offsetBps, tick);
    }
    return new Answer.Child(
        order.id(),
        pending.step,
        check.volume(),
        offsetBps,
        source,
        check.limited(),
        reference,
        limit);
  }

  /// Takes the decisions whose deadline has passed.
  void step() {
    deadlines.step();
  }

  /// Waits for the decisions under way, for at most one deadline.
  void finish() {
    long end =
        core.ticker().getAsLong() + NANOS_PER_MICRO * core.config().bounds().deadlineMicros();
    List<PendingDecision> open = underWay();
    while (!open.isEmpty() && end - core.ticker().getAsLong() > 0) {
      LockSupport.parkNanos(NANOS_PER_MICRO * POLL_MICROS);
      open = underWay();
    }
    open.forEach(this::miss);
    deadlines.close();
  }

  private List<PendingDecision> underWay() {
    var open = new ArrayList<PendingDecision>();
    for (InstrumentState state : core.ledger().instruments().values()) {
      synchronized (state) {
        state.days().values().forEach(day -> open.addAll(day.pending()));
      }
    }
    return open;
  }
}
