package io.tranche.serving.engine;

import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.Latency;
import io.tranche.serving.Refusal;
import io.tranche.serving.Service;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.EventCodec;
import io.tranche.serving.journal.Journal;
import io.tranche.serving.ledger.InstrumentState;
import io.tranche.serving.ledger.Ledger;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.model.ModelWorkers;
import java.util.function.LongSupplier;

/// Commits events: applies them to the ledger, appends them to the journal and wakes the models.
/// Answers requests once their event is durable.
final class EventCommitter {

  private static final long EARLY_ROLL = 1 << 16;

  private final ServiceConfig config;
  private final Journal journal;
  private final Ledger ledger;
  private final ModelWorkers workers;
  private final Counters counters;
  private final LongSupplier ticker;

  EventCommitter(
      ServiceConfig config,
      Journal journal,
      Ledger ledger,
      ModelWorkers workers,
      Counters counters,
      LongSupplier ticker) {
    this.config = config;
    this.journal = journal;
    this.ledger = ledger;
    this.workers = workers;
    this.counters = counters;
    this.ticker = ticker;
  }

  /// @throws Refusal if no change can be accepted now
  void requireAble() {
    if (journal.failure() != null) {
      throw new Refusal(Answer.Reason.UNAVAILABLE, "the journal cannot be written");
    }
    if (journal.waiting() >= config.bounds().maxWaiting()) {
      throw new Refusal(Answer.Reason.OVERLOADED, "too many requests are waiting");
    }
  }

  /// Applies an event to the ledger and appends it to the journal. The caller holds the lock of the
  /// instrument's state.
  ///
  /// @return the event's sequence number
  long commit(InstrumentState state, Event.OfDay event) {
    byte[] payload = EventCodec.write(event);
    LedgerDay day = ledger.apply(state, event); // refuses an impossible event before it is written
    if (day == null) {
      throw new IllegalStateException("day must be open, was not: " + event.day());
    }
    long sequence = journal.append(event, payload);
    if (event instanceof Event.OrderOpened opened) {
      workers.prepare(day, opened.model());
    } else if (event instanceof Event.BarTaken || event instanceof Event.DayEnded) {
      workers.wake(day); // other events can wait for the next bar or decision
    }
    journal.rollAt(config.bounds().segmentBytes());
    return sequence;
  }

  /// Begins a new journal file early, so that files of ended days can be deleted.
  void rollEarly() {
    journal.rollAt(Math.min(EARLY_ROLL, config.bounds().segmentBytes()));
  }

  void answer(AnswerWhenDurable settled, Service.Reply reply, long asked) {
    answer(settled, reply, asked, Long.MAX_VALUE);
  }

  /// @param nanos how long the answer may take before it counts as late
  void answer(AnswerWhenDurable settled, Service.Reply reply, long asked, long nanos) {
    Latency latency =
        settled.answer() instanceof Answer.Child ? counters.decisions : counters.changes;
    journal.whenDurable(
        settled.sequence(),
        isDurable -> {
          long took = ticker.getAsLong() - asked;
          latency.record(took);
          if (took > nanos) {
            counters.lateAnswers.increment();
          }
          reply.answered(
              isDurable
                  ? settled.answer()
                  : new Answer.Refused(Answer.Reason.UNAVAILABLE, "the journal cannot be written"));
        });
  }
}
