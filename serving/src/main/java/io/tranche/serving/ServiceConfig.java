package io.tranche.serving;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The configuration of a service. It serves one market: every model must have the same sessions
/// and bar width.
///
/// @param models the folder that bundles are loaded from
/// @param journal the folder of the journal, which one service may use at a time
/// @param sessions the hours of the instruments that have others than `session`
/// @param bounds sizes and time limits
/// @param limits of everything, of accounts and of instruments; none means no limit
public record ServiceConfig(
    Path models,
    Path journal,
    Session session,
    Map<String, Session> sessions,
    Frequency frequency,
    Bounds bounds,
    List<Request.SetLimits> limits,
    Rules rules) {

  /// How long archived files of the journal are kept unless the configuration says otherwise: five
  /// years.
  public static final Duration KEPT = Duration.ofDays(1_827);

  public ServiceConfig {
    sessions = Map.copyOf(sessions);
    limits = List.copyOf(limits);
  }

  /// Returns the hours of an instrument.
  public Session session(String instrument) {
    return sessions.getOrDefault(instrument, session);
  }

  /// Returns bar width and hours of an instrument as text, to compare.
  public String market(String instrument) {
    return frequency + " " + session(instrument).text();
  }

  public Rollback rollback() {
    return rules.rollback();
  }

  public DriftRules drift() {
    return rules.drift();
  }

  public ClockRules clock() {
    return rules.clock();
  }

  /// How the service treats models, days and child orders.
  ///
  /// @param retention how long files of the journal that are no longer needed stay in its archive
  /// @param needsEarlierDays whether TWAP decides on a day without the earlier days that the model
  ///   declares; otherwise the model decides, and a notice says so
  /// @param awaitsCancels whether what is out in the market stays reserved until the desk reports
  ///   that it was withdrawn; otherwise a child order counts as withdrawn at once
  /// @param dates the days on which nothing trades
  /// @param trust whom the service believes
  public record Rules(
      Rollback rollback,
      DriftRules drift,
      ClockRules clock,
      Duration retention,
      boolean needsEarlierDays,
      boolean awaitsCancels,
      TradingDates dates,
      Trust trust) {

    public static final Rules DEFAULT =
        new Rules(
            Rollback.DEFAULT,
            DriftRules.DEFAULT,
            ClockRules.DEFAULT,
            KEPT,
            true,
            true,
            TradingDates.ALL,
            Trust.DEFAULT);

    public Rules {
      if (retention.isNegative()) {
        throw new IllegalArgumentException("retention must be at least 0, was " + retention);
      }
    }

    private Rules with(Consumer<RulesDraft> change) {
      var draft = new RulesDraft();
      change.accept(draft);
      return draft.toCopy();
    }

    /// A copy under change.
    private final class RulesDraft {
      Rollback rollback = Rules.this.rollback;
      DriftRules drift = Rules.this.drift;
      ClockRules clock = Rules.this.clock;
      Duration retention = Rules.this.retention;
      boolean needsEarlierDays = Rules.this.needsEarlierDays;
      boolean awaitsCancels = Rules.this.awaitsCancels;
      Trust trust = Rules.this.trust;

      Rules toCopy() {
        return new Rules(
            rollback, drift, clock, retention, needsEarlierDays, awaitsCancels, dates, trust);
      }
    }
  }

  /// Whom the service believes.
  ///
  /// @param needsTwoPeople whether limits, models and the route change only when a second person
  ///   sends the same request
  /// @param signers whose signature a bundle must have, Ed25519; empty if none is needed
  public record Trust(boolean needsTwoPeople, List<PublicKey> signers) {

    public static final Trust DEFAULT = new Trust(false, List.of());

    public Trust {
      signers = List.copyOf(signers);
    }
  }

  /// The trading calendar.
  ///
  /// @param closed dates without trading
  /// @param weekends whether Saturdays and Sundays may be trading days
  public record TradingDates(Set<LocalDate> closed, boolean weekends) {

    public static final TradingDates ALL = new TradingDates(Set.of(), true);

    public TradingDates {
      closed = Set.copyOf(closed);
    }

    /// Whether a date may be a trading day.
    public boolean isOpen(LocalDate date) {
      return !closed.contains(date)
          && (weekends || date.getDayOfWeek().compareTo(DayOfWeek.FRIDAY) <= 0);
    }
  }

  /// Sizes and time limits.
  ///
  /// @param workers how many threads run models; each instrument belongs to one of them
  /// @param queue how many tasks may wait for a worker
  /// @param deadlineMicros how long a decision may take, unless its request sets a deadline
  /// @param reserveMicros the part of a deadline that is reserved for writing the journal; at most
  ///   half of it is used
  /// @param maxOrders the largest number of orders in days that have not ended
  /// @param maxInstruments the largest number of instruments
  /// @param daysKept how many days per instrument may be open; one more ends the oldest
  /// @param segmentBytes the size at which the journal begins a new file
  /// @param maxWaiting how many requests may wait for the journal
  /// @param stallMicros how long an fsync may take before waiting requests are refused
  public record Bounds(
      int workers,
      int queue,
      long deadlineMicros,
      long reserveMicros,
      int maxOrders,
      int maxInstruments,
      int daysKept,
      long segmentBytes,
      int maxWaiting,
      long stallMicros) {

    /// Two workers, 20 ms for a decision.
    public static final Bounds DEFAULT =
        new Bounds(2, 10_000, 20_000, 5_000, 1_000_000, 100_000, 2, 16 << 20, 100_000, 5_000_000);

    public Bounds {
      requireAtLeast("workers", workers, 1);
      requireAtLeast("queue", queue, 1);
      requireAtLeast("deadlineMicros", deadlineMicros, 1);
      requireAtLeast("reserveMicros", reserveMicros, 0);
      requireAtLeast("maxOrders", maxOrders, 1);
      requireAtLeast("maxInstruments", maxInstruments, 1);
      requireAtLeast("daysKept", daysKept, 1);
      requireAtLeast("segmentBytes", segmentBytes, 1);
      requireAtLeast("maxWaiting", maxWaiting, 1);
      requireAtLeast("stallMicros", stallMicros, 1);
    }

    /// @param tasks how many may wait for a worker
    public Bounds withWorkers(int count, int tasks) {
      return with(
          draft -> {
            draft.workers = count;
            draft.queue = tasks;
          });
    }

    public Bounds withMost(int orders, int instruments) {
      return with(
          draft -> {
            draft.maxOrders = orders;
            draft.maxInstruments = instruments;
          });
    }

    /// @param waiting how many requests may wait for it
    public Bounds withJournal(long bytes, int waiting) {
      return with(
          draft -> {
            draft.segmentBytes = bytes;
            draft.maxWaiting = waiting;
          });
    }

    public Bounds withStallMicros(long micros) {
      return with(draft -> draft.stallMicros = micros);
    }

    private Bounds with(Consumer<Draft> change) {
      var draft = new Draft();
      change.accept(draft);
      return draft.toCopy();
    }

    /// A copy under change.
    private final class Draft {
      int workers = Bounds.this.workers;
      int queue = Bounds.this.queue;
      int maxOrders = Bounds.this.maxOrders;
      int maxInstruments = Bounds.this.maxInstruments;
      long segmentBytes = Bounds.this.segmentBytes;
      int maxWaiting = Bounds.this.maxWaiting;
      long stallMicros = Bounds.this.stallMicros;

      Bounds toCopy() {
        return new Bounds(
            workers,
            queue,
            deadlineMicros,
            reserveMicros,
            maxOrders,
            maxInstruments,
            daysKept,
            segmentBytes,
            maxWaiting,
            stallMicros);
      }
    }
  }

  /// What time it is for the service, and how far requests may be ahead of it.
  ///
  /// @param zone the time zone of the exchange, if the wall clock counts; null if the newest bar of
  ///   any instrument says what time it is, as in a replay
  /// @param daysAhead how many calendar days after the clock's date a day may begin
  /// @param gapMinutes how much trading time bars may skip, if bars are the clock
  public record ClockRules(@Nullable ZoneId zone, int daysAhead, int gapMinutes) {

    public static final ClockRules DEFAULT = new ClockRules(null, 15, 60);

    public ClockRules {
      requireAtLeast("daysAhead", daysAhead, 0);
      requireAtLeast("gapMinutes", gapMinutes, 1);
    }
  }

  /// When new orders go back to the previous model; checked after each window of decisions.
  ///
  /// @param window the number of decisions per window
  /// @param errorRate the largest allowed share of failures
  /// @param missRate the largest allowed share of missed deadlines
  /// @param p99Micros the largest allowed 99th percentile of latency; null for no limit
  public record Rollback(int window, double errorRate, double missRate, @Nullable Long p99Micros) {

    public static final Rollback DEFAULT = new Rollback(200, 0.05, 0.2, null);

    public Rollback {
      requireAtLeast("window", window, 1);
    }
  }

  /// When a model's inputs or choices count as drifted; see [DriftReport].
  ///
  /// @param rows the number of ticks per window of inputs
  /// @param featureLimit the largest population stability index of a feature
  /// @param decisions the number of decisions per window of choices
  /// @param actionLimit the largest population stability index; 0.25 is commonly called a shift
  /// @param rollsBack whether new orders then go back to the previous model
  public record DriftRules(
      int rows, double featureLimit, int decisions, double actionLimit, boolean rollsBack) {

    public static final DriftRules DEFAULT = new DriftRules(10_000, 0.5, 1_000, 0.25, false);

    public DriftRules {
      requireAtLeast("rows", rows, 1);
      requireAtLeast("decisions", decisions, 1);
    }
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s must be at least %d, was %d".formatted(name, least, value));
    }
  }

  /// Returns a configuration with default bounds and no limits.
  public static ServiceConfig of(Path models, Path journal, Session session, Frequency frequency) {
    return new ServiceConfig(
        models, journal, session, Map.of(), frequency, Bounds.DEFAULT, List.of(), Rules.DEFAULT);
  }

  public ServiceConfig withSessions(Map<String, Session> others) {
    return new ServiceConfig(models, journal, session, others, frequency, bounds, limits, rules);
  }

  public ServiceConfig withBounds(Bounds changed) {
    return new ServiceConfig(models, journal, session, sessions, frequency, changed, limits, rules);
  }

  /// Returns the same with limits of everything.
  public ServiceConfig withLimits(RiskLimits all) {
    return withLimits(List.of(new Request.SetLimits(Request.Scope.ALL, null, all)));
  }

  public ServiceConfig withLimits(List<Request.SetLimits> changed) {
    return new ServiceConfig(models, journal, session, sessions, frequency, bounds, changed, rules);
  }

  public ServiceConfig withRules(Rules changed) {
    return new ServiceConfig(
        models, journal, session, sessions, frequency, bounds, limits, changed);
  }

  public ServiceConfig withRollback(Rollback changed) {
    return withRules(rules.with(draft -> draft.rollback = changed));
  }

  public ServiceConfig withDrift(DriftRules changed) {
    return withRules(rules.with(draft -> draft.drift = changed));
  }

  public ServiceConfig withClock(ClockRules changed) {
    return withRules(rules.with(draft -> draft.clock = changed));
  }

  public ServiceConfig withRetention(Duration changed) {
    return withRules(rules.with(draft -> draft.retention = changed));
  }

  public ServiceConfig withEarlierDaysNeeded(boolean changed) {
    return withRules(rules.with(draft -> draft.needsEarlierDays = changed));
  }

  public ServiceConfig withCancelsAwaited(boolean changed) {
    return withRules(rules.with(draft -> draft.awaitsCancels = changed));
  }

  public ServiceConfig withTrust(Trust changed) {
    return withRules(rules.with(draft -> draft.trust = changed));
  }
}
