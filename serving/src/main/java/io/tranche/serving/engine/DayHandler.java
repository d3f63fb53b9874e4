package io.tranche.serving.engine;

import io.tranche.market.BarTime;
import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Observer.Kind;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.journal.BarValues;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventCodec;
import io.tranche.serving.journal.JournalRecord;
import io.tranche.serving.ledger.EarlierFrames;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerDay;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Handles requests about days and their bars.
final class DayHandler {

  private static final int MAX_FIELDS = 200;

  private final EngineCore core;
  private final EventCommitter committer;
  private final DayGate gate;
  private final OpenDays days;
  private final RiskGate risk;
  private volatile List<String> named = List.of(); // the newest fields whose names are sound
  private volatile @Nullable Exempt exempt; // of the sets that it was made from

  DayHandler(
      EngineCore core, EventCommitter committer, DayGate gate, OpenDays days, RiskGate risk) {
    this.core = core;
    this.committer = committer;
    this.gate = gate;
    this.days = days;
    this.risk = risk;
  }

  AnswerWhenDurable openDay(Request.OpenDay request) {
    committer.requireAble();
    var key = new Event.DayKey(request.instrument(), request.date());
    var event = new Event.DayOpened(key, request.earlier(), request.hours());
    EarlierFrames.times(core.config(), key, request.hours(), null);
    EarlierFrames.of(core.config(), key, request.earlier());
    if (EventCodec.write(event).length > JournalRecord.MAX_PAYLOAD) {
      throw new IllegalArgumentException(
          "earlier days must fit into one journal record, was too large");
    }
    return days.within(
        request.instrument(),
        state -> {
          LedgerDay day = state.days().get(request.date());
          if (day == null) {
            gate.requireOpenable(state, key);
            day = days.begin(state, core.ledger().draft(state, event));
          } else if (!day.opened().equals(event)) {
            throw new Refusal(
                Reason.CONFLICT, "day %s began with other earlier days or hours".formatted(key));
          }
          return new AnswerWhenDurable(new Answer.DayOpen(request.instrument()), day.sequence());
        });
  }

  AnswerWhenDurable bar(Request.Bar request) {
    committer.requireAble();
    BarValues values = BarValues.of(request.values());
    requireBar(request, values);
    return days.within(request.instrument(), state -> bar(state, request, values));
  }

  private AnswerWhenDurable bar(InstrumentState state, Request.Bar request, BarValues values) {
    var key = new Event.DayKey(request.instrument(), request.date());
    long time = BarTime.of(request.time());
    LedgerDay day = days.day(state, key);
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
      day = days.begin(state, day);
      // Reuses the day's key: every bar of an open day is kept.
      var event =
          new Event.BarTaken(day.key(), fields == null ? request.fields() : fields, time, values);
      day.setSequence(committer.commit(state, event));
      core.counters().bars.increment();
    } else if (answer != BarAnswer.REPEATED) {
      core.counters().bars(answer).increment();
    }
    return new AnswerWhenDurable(new Answer.BarTaken(answer), day.sequence());
  }

  private record Exempt(Set<String> given, Set<String> limited, Set<String> fields) {}

  /// Returns the fields that need not be prices and volumes: a model takes them as features, and no
  /// limit reads them.
  private Set<String> exempt() {
    Set<String> given = core.models().given();
    Set<String> limited = risk.fields();
    if (given.isEmpty() || limited.isEmpty()) {
      return given;
    }
    Exempt known = exempt;
    if (known == null || !known.given().equals(given) || !known.limited().equals(limited)) {
      var fields = new HashSet<>(given);
      limited.forEach(fields::remove);
      known = new Exempt(given, limited, fields);
      exempt = known;
    }
    return known.fields();
  }

  private void requireBar(Request.Bar request, BarValues values) {
    if (!request.time().truncatedTo(ChronoUnit.SECONDS).equals(request.time())) {
      throw new IllegalArgumentException("time must be in whole seconds, was " + request.time());
    }
    requireNames(request.fields());
    requireFields(request, core.models().fields(), "a model needs");
    requireFields(request, risk.fields(), "a limit needs");
    for (int i = 0; i < values.size(); i++) {
      if (Float.isInfinite(values.at(i))) {
        throw new IllegalArgumentException(
            "%s must be a number, or NaN for none, was %s"
                .formatted(request.fields().get(i), values.at(i)));
      }
    }
  }

  private void requireNames(List<String> fields) {
    if (fields.equals(named)) {
      return; // nearly always those of the bar before
    }
    if (fields.size() > MAX_FIELDS || new HashSet<>(fields).size() != fields.size()) {
      throw new IllegalArgumentException(
          "fields must be at most %d different names, was %s".formatted(MAX_FIELDS, fields));
    }
    fields.forEach(each -> OpenDays.requireName("field", each));
    named = fields;
  }

  private static void requireFields(Request.Bar bar, Iterable<String> wanted, String why) {
    for (String each : wanted) {
      if (!bar.fields().contains(each)) {
        throw new IllegalArgumentException(
            "fields must have '%s', which %s, was %s".formatted(each, why, bar.fields()));
      }
    }
  }

  AnswerWhenDurable endDays(Request.EndDays request) {
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
          sequence = days.end(state, state.days().firstEntry().getValue());
          count++;
        }
        core.ledger().dropIfEmpty(each.getKey(), state);
      }
    }
    committer.rollEarly();
    return new AnswerWhenDurable(new Answer.Done("%d days ended".formatted(count)), sequence);
  }

  AnswerWhenDurable correct(Request.CorrectBar correction) {
    committer.requireAble();
    Request.Bar bar = correction.bar();
    BarValues values = BarValues.of(bar.values());
    requireBar(bar, values);
    return days.within(
        bar.instrument(),
        state -> {
          LedgerDay day = known(state, bar.instrument(), bar.date());
          long time = BarTime.of(bar.time());
          day.requireTaken(time);
          if (!bar.fields().equals(day.fields())) {
            throw new IllegalArgumentException(
                "fields must be those of the day's first bar, %s, was %s"
                    .formatted(day.fields(), bar.fields()));
          }
          if (day.judge(time, values) != BarAnswer.REPEATED) {
            day.setSequence(
                committer.commit(state, new Event.BarCorrected(day.key(), time, values)));
            core.counters().corrections.increment();
            core.observer()
                .notice(Kind.CORRECTED, day.key().toString(), "bar %s".formatted(bar.time()));
          }
          return new AnswerWhenDurable(new Answer.BarTaken(BarAnswer.TAKEN), day.sequence());
        });
  }

  AnswerWhenDurable reference(Request.Reference request) {
    committer.requireAble();
    if (!(request.price() > 0 && request.price() < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "reference price of %s must be finite and positive, was %s"
              .formatted(request.instrument(), request.price()));
    }
    return days.within(
        request.instrument(),
        state -> {
          var key = new Event.DayKey(request.instrument(), request.date());
          LedgerDay day = days.begin(state, days.day(state, key));
          if (day.deskReference() != request.price()) {
            day.setSequence(committer.commit(state, new Event.Referenced(key, request.price())));
          }
          return done("reference of %s is %s".formatted(key, request.price()), day);
        });
  }

  AnswerWhenDurable halt(Request.Halt request) {
    committer.requireAble();
    return days.within(
        request.instrument(),
        state -> {
          LedgerDay day = known(state, request.instrument(), request.date());
          if (day.isHalted() != request.isHalted()) {
            var event = new Event.Halted(day.key(), request.isHalted());
            day.setSequence(committer.commit(state, event));
          }
          return done(
              "%s %s".formatted(day.key(), request.isHalted() ? "is halted" : "trades"), day);
        });
  }

  private static AnswerWhenDurable done(String message, LedgerDay day) {
    return new AnswerWhenDurable(new Answer.Done(message), day.sequence());
  }

  private static LedgerDay known(InstrumentState state, String instrument, LocalDate date) {
    LedgerDay day = state.days().get(date);
    if (day == null) {
      throw new Refusal(
          Reason.UNKNOWN, "day must be open, was not: %s %s".formatted(instrument, date));
    }
    return day;
  }
}
