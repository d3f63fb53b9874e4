package io.tranche.serving.http;

import io.tranche.backtest.ParentOrder.Status;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A service that remembers orders and knows no model: every decision is an eighth of the order.
final class MemoryService implements Service {

  private final Map<String, Answer.OrderState> orders = new HashMap<>();
  private final List<Reply> held = new ArrayList<>();
  private boolean holds;

  /// From now on, requests for decisions are not answered before [#release].
  synchronized void hold() {
    holds = true;
  }

  synchronized void release() {
    holds = false;
    held.forEach(reply -> reply.answered(new Answer.Done("released")));
    held.clear();
  }

  synchronized int held() {
    return held.size();
  }

  @Override
  public synchronized void handle(Request request, Reply reply) {
    if (holds && request instanceof Request.Decide) {
      held.add(reply);
    } else {
      reply.answered(answer(request));
    }
  }

  private Answer answer(Request request) {
    return switch (request) {
      case Request.OpenDay day -> new Answer.DayOpen(day.instrument());
      case Request.Bar bar -> bar(bar);
      case Request.OpenOrder order -> open(order);
      case Request.Decide decide -> decide(decide);
      case Request.Fill fill -> fill(fill);
      case Request.Cancel cancel -> cancel(cancel);
      case Request.Look look -> look(look.id());
      case Request.ListOrders list ->
          new Answer.Orders(
              orders.values().stream()
                  .filter(each -> list.after() == null || each.id().compareTo(list.after()) > 0)
                  .sorted(Comparator.comparing(Answer.OrderState::id))
                  .toList(),
              true);
      case Request.ListModels _ -> new Answer.Models(List.of());
      case Request.ListSwitches _ -> new Answer.Switches(List.of());
      case Request.ListLimits _ -> new Answer.LimitsInForce(List.of());
      case Request.ListUnmatched _ -> new Answer.UnmatchedFills(List.of());
      case Request.Inspect inspect ->
          look(inspect.id()) instanceof Answer.OrderState state
              ? new Answer.Details(state, List.of(), List.of())
              : look(inspect.id());
      case Request.Amend amend -> look(amend.id());
      case Request.Report report -> look(report.id());
      case Request.CorrectFill fill -> look(fill.id());
      case Request.CorrectBar bar -> bar(bar.bar());
      case Request.Reference reference -> new Answer.Done("reference " + reference.price());
      case Request.Halt halt -> new Answer.Done("halted " + halt.isHalted());
      case Request.Heartbeat beat -> new Answer.Done("on for " + beat.seconds());
      case Request.SetLimits limits -> new Answer.Done("limits of " + limits.scope());
      case Request.EndDays end -> new Answer.Done("ended " + end.upTo());
      case Request.Switch off -> new Answer.Done("switched " + off.scope());
      case Request.Load load -> new Answer.Done("loaded " + load.model());
      case Request.Unload unload -> new Answer.Done("unloaded " + unload.model());
      case Request.SetRoute set -> new Answer.Done("routed to " + set.route().model());
    };
  }

  private static Answer bar(Request.Bar bar) {
    return switch (bar.instrument()) {
      case "broken" -> throw new IllegalStateException("secret of /etc/passwd");
      case "busy" ->
          new Answer.Refused(Answer.Reason.OVERLOADED, "too many observations are waiting");
      case "full" -> new Answer.Refused(Answer.Reason.UNAVAILABLE, "nothing can be made durable");
      case "none" -> new Answer.Refused(Answer.Reason.UNKNOWN, "there is no such day");
      default -> new Answer.BarTaken(BarAnswer.TAKEN);
    };
  }

  private Answer open(Request.OpenOrder order) {
    var state = Answer.OrderState.opened(order, order.model() == null ? "plain@1" : order.model());
    var before = orders.putIfAbsent(order.id(), state);
    return before == null || before.equals(state)
        ? state
        : new Answer.Refused(Answer.Reason.CONFLICT, "the order came before with other contents");
  }

  private Answer look(String id) {
    Answer.OrderState state = orders.get(id);
    return state == null
        ? new Answer.Refused(Answer.Reason.UNKNOWN, "there is no such order")
        : state;
  }

  private Answer decide(Request.Decide decide) {
    if (!(look(decide.id()) instanceof Answer.OrderState state)) {
      return look(decide.id());
    }
    Integer step = decide.step();
    if (step != null && step > state.nextStep()) {
      return new Answer.Refused(Answer.Reason.NOT_DUE, "no decision is due");
    }
    return new Answer.Child(
        state.id(), state.nextStep(), state.amount() / 8, null, Answer.Source.MODEL, "slice");
  }

  private Answer fill(Request.Fill fill) {
    if (!(look(fill.id()) instanceof Answer.OrderState state)) {
      return look(fill.id());
    }
    if (!(fill.volume() > 0 && fill.volume() <= state.remaining())) {
      return new Answer.Refused(Answer.Reason.INVALID, "volume must be at most what is working");
    }
    return put(state, Status.PARTLY_FILLED, state.remaining() - fill.volume(), fill.price());
  }

  private Answer cancel(Request.Cancel cancel) {
    return look(cancel.id()) instanceof Answer.OrderState state
        ? put(state, Status.CANCELLED, state.remaining(), state.averagePrice())
        : look(cancel.id());
  }

  private Answer put(Answer.OrderState old, Status status, double remaining, double price) {
    var state = old.withFills(status, remaining, price);
    orders.put(state.id(), state);
    return state;
  }
}
