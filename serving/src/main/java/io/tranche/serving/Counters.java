package io.tranche.serving;

import io.tranche.runtime.BarAnswer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// The counters of the service since it was opened. Any thread may read them.
public final class Counters {

  /// Why a model did not decide.
  public enum Fallback {
    /// The deadline came first.
    LATE,
    /// It failed now, or earlier on this day.
    FAILED,
    /// Too many tasks were waiting for it.
    QUEUE_FULL,
    /// It is not loaded.
    NOT_LOADED,
    /// The day began without the earlier days that it needs.
    NO_EARLIER_DAYS
  }

  public final LongAdder bars = new LongAdder();
  public final LongAdder ordersOpened = new LongAdder();
  public final LongAdder fills = new LongAdder();

  /// Fills of child orders that had been withdrawn; not included in `fills`.
  public final LongAdder lateFills = new LongAdder();

  /// Fills beyond what their child order or order allowed; also included in the others.
  public final LongAdder overfills = new LongAdder();

  public final LongAdder unmatchedFills = new LongAdder();
  public final LongAdder corrections = new LongAdder();
  public final LongAdder heartbeatsMissed = new LongAdder();

  /// Decisions by models.
  public final LongAdder modelDecisions = new LongAdder();

  /// How often a model failed for an instrument and day; it does not decide there any more.
  public final LongAdder daysLost = new LongAdder();

  /// Decisions that were 0 because trading is switched off.
  public final LongAdder killed = new LongAdder();

  /// Decisions whose volume a limit reduced.
  public final LongAdder limited = new LongAdder();

  /// Decisions that were taken in time, but answered late because of the journal.
  public final LongAdder lateAnswers = new LongAdder();

  /// Repeated requests, including decisions.
  public final LongAdder repeated = new LongAdder();

  public final LongAdder shadowDecisions = new LongAdder();

  /// How often a shadow would have traded a different volume.
  public final LongAdder shadowDifferent = new LongAdder();

  public final LongAdder shadowFailures = new LongAdder();

  public final LongAdder journalForces = new LongAdder();
  public final LongAdder journalFailures = new LongAdder();
  public final LongAdder rollbacks = new LongAdder();
  public final LongAdder driftAlarms = new LongAdder();

  /// Streams of bars that models follow: one per instrument, day and model, however many orders
  /// share it.
  public final LongAdder streamsOpened = new LongAdder();

  /// Orders that share the stream of an earlier order.
  public final LongAdder streamsShared = new LongAdder();

  /// Number of events per fsync.
  public final Latency batchSizes = new Latency();

  /// Nanoseconds of each write and fsync of the journal.
  public final Latency forces = new Latency();

  /// Nanoseconds from a request for a decision to its answer.
  public final Latency decisions = new Latency();

  /// Nanoseconds that models took, including waiting.
  public final Latency models = new Latency();

  /// Nanoseconds from any other request that changes something to its answer.
  public final Latency changes = new Latency();

  private final Map<BarAnswer, LongAdder> strangeBars = new ConcurrentHashMap<>();
  private final Map<Fallback, LongAdder> fallbacks = new ConcurrentHashMap<>();
  private final Map<Answer.Reason, LongAdder> refusals = new ConcurrentHashMap<>();

  /// Decisions by TWAP instead of a model.
  public LongAdder fallbacks(Fallback why) {
    return fallbacks.computeIfAbsent(why, _ -> new LongAdder());
  }

  /// Bars that were answered with `answer` instead of being taken.
  public LongAdder bars(BarAnswer answer) {
    return strangeBars.computeIfAbsent(answer, _ -> new LongAdder());
  }

  public LongAdder refusals(Answer.Reason why) {
    return refusals.computeIfAbsent(why, _ -> new LongAdder());
  }
}
