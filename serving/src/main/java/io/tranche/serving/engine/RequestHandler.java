package io.tranche.serving.engine;

import io.tranche.market.DataException;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import java.util.List;

/// Handles all requests but those that wait for a model folder, and turns what they throw into
/// refusals.
final class RequestHandler {

  private final EngineCore core;
  private final EventCommitter committer;
  private final DecisionHandler decisions;
  private final DayHandler days;
  private final OrderHandler orders;
  private final RiskGate risk;

  RequestHandler(
      EngineCore core,
      EventCommitter committer,
      DecisionHandler decisions,
      DayGate gate,
      RiskGate risk) {
    this.core = core;
    this.committer = committer;
    this.decisions = decisions;
    this.risk = risk;
    var open = new OpenDays(core, committer, gate);
    this.days = new DayHandler(core, committer, gate, open, risk);
    this.orders = new OrderHandler(core, committer, open, risk);
  }

  void handle(Request request, Service.Reply reply) {
    long asked = core.ticker().getAsLong();
    try {
      AnswerWhenDurable settled =
          switch (request) {
            case Request.OpenDay day -> days.openDay(day);
            case Request.Bar bar -> days.bar(bar);
            case Request.Reference reference -> days.reference(reference);
            case Request.Halt halt -> days.halt(halt);
            case Request.OpenOrder order -> orders.openOrder(order);
            case Request.Amend amend -> orders.amend(amend);
            case Request.Report report -> orders.report(report);
            case Request.Fill fill -> orders.fill(fill);
            case Request.Cancel cancel -> orders.cancel(cancel);
            case Request.Look look -> orders.look(look);
            case Request.Inspect inspect -> orders.inspect(inspect);
            case Request.ListOrders list -> orders.list(list.after());
            case Request.EndDays end -> days.endDays(end);
            case Request.Decide decide -> decisions.decide(decide, reply, asked);
            case Request.CorrectFill fill -> orders.correct(fill);
            case Request.CorrectBar bar -> days.correct(bar);
            case Request.SetLimits limits -> set(limits);
            case Request.ListModels _ -> known(core.models().described());
            case Request.ListLimits _ -> known(new Answer.LimitsInForce(risk.inForce()));
            case Request.ListUnmatched _ ->
                known(new Answer.UnmatchedFills(core.serviceState().unmatched()));
            case Request.ListSwitches _ ->
                known(new Answer.Switches(List.copyOf(core.serviceState().off())));
            case Request.Heartbeat _,
                Request.Switch _,
                Request.Load _,
                Request.Unload _,
                Request.SetRoute _ ->
                throw new IllegalStateException("handled elsewhere: " + request);
          };
      if (settled != null) {
        committer.answer(settled, reply, asked);
      }
    } catch (Refusal e) {
      reply.answered(e.answer());
    } catch (IllegalArgumentException | DataException e) {
      reply.answered(new Answer.Refused(Reason.INVALID, String.valueOf(e.getMessage())));
    }
  }

  private static AnswerWhenDurable known(Answer answer) {
    return new AnswerWhenDurable(answer, 0);
  }

  /// Sets limits, from the next check on. Executions then count anew.
  private AnswerWhenDurable set(Request.SetLimits change) {
    committer.requireAble();
    long sequence;
    String name = change.name();
    synchronized (core.ledger().book()) {
      sequence = core.journal().append(new Event.LimitsSet(change));
      boolean isAny = Request.SetLimits.ANY.equals(name);
      core.ledger().book().release(change.scope(), isAny ? null : name == null ? "" : name);
    }
    String what = "limits of %s".formatted(name == null ? "all" : name);
    core.observer()
        .notice(Kind.LIMITS_SET, name == null ? "all" : name, change.limits().values().toString());
    return new AnswerWhenDurable(
        new Answer.Done(
            what
                + (change.limits().values().isEmpty()
                    ? " are those of the configuration"
                    : " are set")),
        sequence);
  }
}
