package io.tranche.serving.engine;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.order.OrderWindow;
import io.tranche.runtime.BarAnswer;
import io.tranche.runtime.ModelSpec;
import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.Service;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventCodec;
import io.tranche.serving.journal.JournalRecord;
import io.tranche.serving.ledger.EarlierFrames;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.model.LoadedModels;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Handles days, bars, orders and fills: checks each request against the ledger, commits an event
/// and answers once it is durable.
final class RequestHandler {

  private static final int MAX_FIELDS = 200;
  private static final int ID_LOCKS = 64;

  private final Engine.Core core;
  private final EventCommitter committer;
  private final DecisionHandler decisions;
  private final DayGate gate;
  private final Object[] idLocks = new Object[ID_LOCKS];

  RequestHandler(Engine.Core core, EventCommitter committer, DecisionHandler decisions) {
    this.core = core;
    this.committer = committer;
    this.decisions = decisions;
    this.gate = new DayGate(core.config(), core.ledger(), core.serviceState());
    Arrays.setAll(idLocks, _ -> new Object());
  }

  void handle(Request request, Service.Reply reply) {
    long asked = core.ticker().getAsLong();
    try {
      AnswerWhenDurable settled =
          switch (request) {
            case Request.OpenDay day -> openDay(day);
            case Request.Bar bar -> bar(bar);
            case Request.OpenOrder order -> openOrder(order);
            case Request.Fill fill -> fill(fill);
            case Request.Cancel cancel -> cancel(cancel);
            case Request.Look look -> look(look);
            case Request.ListOrders list -> list(list.after());
            case Request.ListModels _ -> new AnswerWhenDurable(core.models().described(), 0);
            case Request.EndDays days -> endDays(days);
            case Request.Decide decide -> decisions.decide(decide, reply, asked);
            case Request.ListSwitches _ ->
                new AnswerWhenDurable(
                    new Answer.Switches(List.copyOf(core.serviceState().off())), 0);
            case Request.Admin _ ->
                throw new IllegalStateException("operators' requests are handled elsewhere");
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

  private static void requireName(String kind, String name) {
    if (name.isBlank() || name.length() > OrderRules.LONGEST_ID) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters, was %d"
              .formatted(kind, OrderRules.LONGEST_ID, name.length()));
    }
  }

  /// Does `work` under the lock of an instrument's state. An instrument that has no day afterwards
  /// is forgotten, so that a refused request leaves nothing behind.
  private AnswerWhenDurable within(
      String instrument, Function<InstrumentState, AnswerWhenDurable> work) {
    requireName("instrument", instrument);
    while (true) {
      InstrumentState state = core.ledger().instrument(instrument);
      if (state == null) {
        throw new Refusal(Reason.OVERLOADED, "too many instruments are known");
      }
      synchronized (state) {
        if (core.ledger().holds(instrument, state)) {
          try {
            return work.apply(state);
          } finally {
            core.ledger().dropIfEmpty(instrument, state);
          }
        }
      }
    }
  }

  /// Returns a day to judge a request by. It begins only when [#begin] is called.
  private LedgerDay day(InstrumentState state, Event.DayKey key) {
    LedgerDay day = state.days().get(key.date());
    if (day != null) {
      return day;
    }
    gate.requireOpenable(state, key);
    return core.ledger().draft(state, new Event.DayOpened(key, List.of(), Request.Hours.USUAL));
  }

  /// Begins a day unless it has begun.
  private LedgerDay begin(InstrumentState state, LedgerDay draft) {
    Event.DayKey key = draft.key();
    LedgerDay known = state.days().get(key.date());
    if (known != null) {
      return known;
    }
    long sequence = committer.commit(state, draft.opened());
    while (state.days().size() > core.config().bounds().daysKept()) {
      end(state, state.days().firstEntry().getValue());
    }
    LedgerDay day =
        Objects.requireNonNull(state.days().get(key.date()), "a day that began is there");
    day.setSequence(sequence);
    return day;
  }

  private long end(InstrumentState state, LedgerDay day) {
    return committer.commit(state, new Event.DayEnded(day.key()));
  }

  private AnswerWhenDurable openDay(Request.OpenDay request) {
    committer.requireAble();
    var key = new Event.DayKey(request.instrument(), request.date());
    var event = new Event.DayOpened(key, request.earlier(), request.hours());
    EarlierFrames.times(core.config(), key, request.hours(), null);
    EarlierFrames.of(core.config(), key, request.earlier());
    if (EventCodec.write(event).length > JournalRecord.MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "earlier days must fit into one journal record, was too large");
    }
    return within(
        request.instrument(),
        state -> {
          LedgerDay day = state.days().get(request.date());
          if (day == null) {
            gate.requireOpenable(state, key);
            day = begin(state, core.ledger().draft(state, event));
          } else if (!day.opened().equals(event)) {
            throw new Refusal(
                Reason.CONFLICT, "day %s began with other earlier days or hours".formatted(key));
          }
          return new AnswerWhenDurable(new Answer.DayOpen(request.instrument()), day.sequence());
        });
  }

  private AnswerWhenDurable bar(Request.Bar request) {
    committer.requireAble();
    BarValues values = BarValues.of(request.values());
    requireBar(request, values);
    return within(request.instrument(), state -> bar(state, request, values));
  }

  private AnswerWhenDurable bar(InstrumentState state, Request.Bar request, BarValues values) {
    var key = new Event.DayKey(request.instrument(), request.date());
    long time = BarTime.of(request.time());
    LedgerDay day = day(state, key);
    var fields = day.fields();
    if (fields != null && !fields.equals(request.fields())) {
      throw new IllegalArgumentException(
          "fields must be those of the day's first bar, %s, was %s"
              .formatted(fields, request.fields()));
    }
    BarAnswer answer = day.judge(time, values);
    if (answer == BarAnswer.TAKEN) {
      gate.requireTime(day, time);
      BarRules.requireSound(request, values, exempt(), day);
      day = begin(state, day);
      var event = new Event.BarTaken(key, fields == null ? request.fields() : fields, time, values);
      day.setSequence(committer.commit(state, event));
      core.counters().bars.increment();
    } else if (answer != BarAnswer.REPEATED) {
      core.counters().bars(answer).increment();
    }
    return new AnswerWhenDurable(new Answer.BarTaken(answer), day.sequence());
  }

  /// Returns the fields that need not be prices and volumes: a model takes them as features, and no
  /// limit reads them.
  private Set<String> exempt() {
    Set<String> given = core.models().given();
    List<String> limited = core.config().limits().fields();
    if (given.isEmpty() || limited.isEmpty()) {
      return given;
    }
    var exempt = new HashSet<>(given);
    limited.forEach(exempt::remove);
    return exempt;
  }

  private void requireBar(Request.Bar request, BarValues values) {
    if (!request.time().truncatedTo(ChronoUnit.SECONDS).equals(request.time())) {
      throw new IllegalArgumentException("time must be in whole seconds, was " + request.time());
    }
    if (request.fields().size() > MAX_FIELDS
        || new HashSet<>(request.fields()).size() != request.fields().size()) {
      throw new IllegalArgumentException(
          "fields must be at most %d different names, was %s"
              .formatted(MAX_FIELDS, request.fields()));
    }
    requireFields(request, core.models().fields(), "a model needs");
    requireFields(request, core.config().limits().fields(), "a limit needs");
    for (int i = 0; i < values.size(); i++) {
      requireName("field", request.fields().get(i));
      if (Float.isInfinite(values.at(i))) {
        throw new IllegalArgumentException(
            "%s must be a number, or NaN for none, was %s"
                .formatted(request.fields().get(i), values.at(i)));
      }
    }
  }

  private static void requireFields(Request.Bar bar, Iterable<String> wanted, String why) {
    for (String each : wanted) {
      if (!bar.fields().contains(each)) {
        throw new IllegalArgumentException(
            "fields must have '%s', which %s, was %s".formatted(each, why, bar.fields()));
      }
    }
  }

  private AnswerWhenDurable openOrder(Request.OpenOrder request) {
    requireName("id", request.id());
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
      requireName("model", asked);
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
    double most = core.config().limits().orderAmount();
    if (request.amount() > most) {
      throw new IllegalArgumentException(
          "amount of order %s must be at most %s, was %s"
              .formatted(request.id(), most, request.amount()));
    }
    var key = new Event.DayKey(request.instrument(), request.date());
    ModelSpec spec = served.model().spec();
    return within(
        request.instrument(),
        state -> {
          LedgerDay draft = day(state, key);
          OrderWindow window = draft.window(request, spec.ticksPerStep());
          window.requireSteps(request.id(), spec.maxSteps());
          LedgerDay day = begin(state, draft);
          var event =
              new Event.OrderOpened(
                  key,
                  request,
                  served.name(),
                  spec.ticksPerStep(),
                  window.steps(),
                  spec.isQlib(),
                  served.model().fingerprint(),
                  core.config().market(request.instrument()));
          long sequence = committer.commit(state, event);
          LedgerOrder order = day.order(request.id());
          order.setSequence(sequence);
          core.counters().ordersOpened.increment();
          return new AnswerWhenDurable(order.state(), sequence);
        });
  }

  private AnswerWhenDurable fill(Request.Fill request) {
    requireName("fillId", request.fillId());
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      Request.Fill known = order.fill(request.fillId());
      if (known != null && !known.equals(request)) {
        throw new Refusal(
            Reason.CONFLICT,
            "fill %s of order %s exists with other contents"
                .formatted(request.fillId(), request.id()));
      }
      if (known == null) {
        committer.requireAble();
        boolean isLate = order.requireFill(request);
        var event = new Event.Filled(order.day().key(), request, isLate);
        order.setSequence(committer.commit(order.day().instrument(), event));
        (isLate ? core.counters().lateFills : core.counters().fills).increment();
      } else {
        core.counters().repeated.increment();
      }
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  private AnswerWhenDurable cancel(Request.Cancel request) {
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

  private AnswerWhenDurable list(@Nullable String after) {
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

  private AnswerWhenDurable look(Request.Look request) {
    LedgerOrder order = core.ledger().require(request.id());
    synchronized (order.day().instrument()) {
      return new AnswerWhenDurable(order.state(), order.sequence());
    }
  }

  private AnswerWhenDurable endDays(Request.EndDays request) {
    committer.requireAble();
    int count = 0;
    long sequence = 0;
    String only = request.instrument();
    for (var each : core.ledger().instruments().entrySet()) {
      InstrumentState state = each.getValue();
      if (only != null && !only.equals(each.getKey())) {
        continue;
      }
      synchronized (state) {
        while (!state.days().isEmpty() && !state.days().firstKey().isAfter(request.upTo())) {
          sequence = end(state, state.days().firstEntry().getValue());
          count++;
        }
        core.ledger().dropIfEmpty(each.getKey(), state);
      }
    }
    committer.rollEarly();
    return new AnswerWhenDurable(new Answer.Done("%d days ended".formatted(count)), sequence);
  }
}
