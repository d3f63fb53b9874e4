package io.tranche.serving.engine;

import io.tranche.runtime.OrderRules;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Refusal;
import io.tranche.serving.Request;
import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerDay;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/// The days of instruments, for requests that are judged by them and may begin them.
final class OpenDays {

  private final EngineCore core;
  private final EventCommitter committer;
  private final DayGate gate;

  OpenDays(EngineCore core, EventCommitter committer, DayGate gate) {
    this.core = core;
    this.committer = committer;
    this.gate = gate;
  }

  static void requireName(String kind, String name) {
    if (name.isBlank() || name.length() > OrderRules.LONGEST_ID) {
      throw new IllegalArgumentException(
          "%s must have 1 to %d characters, was %d"
              .formatted(kind, OrderRules.LONGEST_ID, name.length()));
    }
  }

  /// Does `work` under the lock of an instrument's state. An instrument that has no day afterwards
  /// is forgotten, so that a refused request leaves nothing behind.
  AnswerWhenDurable within(String instrument, Function<InstrumentState, AnswerWhenDurable> work) {
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
  LedgerDay day(InstrumentState state, Event.DayKey key) {
    LedgerDay day = state.days().get(key.date());
    if (day != null) {
      return day;
    }
    gate.requireOpenable(state, key);
    return core.ledger().draft(state, new Event.DayOpened(key, List.of(), Request.Hours.USUAL));
  }

  /// Begins a day unless it has begun.
  LedgerDay begin(InstrumentState state, LedgerDay draft) {
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

  long end(InstrumentState state, LedgerDay day) {
    return committer.commit(state, new Event.DayEnded(day.key()));
  }
}
