package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Latency;
import io.tranche.serving.Refusal;
import io.tranche.serving.Service;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventCodec;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.LedgerDay;

/// Commits events: applies them to the ledger, appends them to the journal and wakes the models.
/// Answers requests once their event is durable.
final class EventCommitter {

  private static final long EARLY_ROLL = 1 << 16;

  private final EngineCore core;

  EventCommitter(EngineCore core) {
    this.core = core;
  }

  /// @throws Refusal if no change can be accepted now
  void requireAble() {
    if (core.journal().failure() != null) {
      throw new Refusal(Answer.Reason.UNAVAILABLE, "the journal cannot be written");
    }
    if (core.journal().waiting() >= core.config().bounds().maxWaiting()) {
      throw new Refusal(Answer.Reason.OVERLOADED, "too many requests are waiting");
    }
  }

  /// Applies an event to the ledger and appends it to the journal. The caller holds the lock of the
  /// instrument's state.
  ///
  /// @return the event's sequence number
  long commit(InstrumentState state, Event.OfDay event) {
    byte[] payload = EventCodec.write(event);
    LedgerDay day;
    long sequence;
    // The journal has events in the order in which they change exposures.
    synchronized (core.ledger().book()) {
      day = core.ledger().apply(state, event); // refuses what is impossible before it is written
      if (day == null) {
        throw new IllegalStateException("day must be open, was not: " + event.day());
      }
      sequence = core.journal().append(event, payload);
    }
    if (event instanceof Event.OrderOpened opened) {
      core.workers().prepare(day, opened.model());
    } else if (event instanceof Event.BarTaken || event instanceof Event.DayEnded) {
      core.workers().wake(day); // other events can wait for the next bar or decision
    }
    core.journal().rollAt(core.config().bounds().segmentBytes());
    return sequence;
  }

  /// Begins a new journal file early, so that files of ended days can be deleted.
  void rollEarly() {
    core.journal().rollAt(Math.min(EARLY_ROLL, core.config().bounds().segmentBytes()));
  }

  void answer(AnswerWhenDurable settled, Service.Reply reply, long asked) {
    answer(settled, reply, asked, Long.MAX_VALUE);
  }

  /// @param nanos how long the answer may take before it counts as late
  void answer(AnswerWhenDurable settled, Service.Reply reply, long asked, long nanos) {
    Latency latency =
        settled.answer() instanceof Answer.Child
            ? core.counters().decisions
            : core.counters().changes;
    core.journal()
        .whenDurable(
            settled.sequence(),
            isDurable -> {
              long took = core.ticker().getAsLong() - asked;
              latency.record(took);
              if (took > nanos) {
                core.counters().lateAnswers.increment();
              }
              reply.answered(
                  isDurable
                      ? settled.answer()
                      : new Answer.Refused(
                          Answer.Reason.UNAVAILABLE, "the journal cannot be written"));
            });
  }
}
