package io.tranche.serving;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The configuration of a service. It serves one market: every model must have the same sessions
/// and bar width.
///
/// @param models the folder that bundles are loaded from
/// @param journal the folder of the journal, which one service may use at a time
/// @param sessions the hours of the instruments that have others than `session`
/// @param bounds sizes and time limits
/// @param retention how long files of the journal that are no longer needed stay in its archive
/// @param needsEarlierDays whether TWAP decides on a day without the earlier days that the model
///   declares; otherwise the model decides, and a notice says so
public record ServiceConfig(
    Path models,
    Path journal,
    Session session,
    Map<String, Session> sessions,
    Frequency frequency,
    Bounds bounds,
    Limits limits,
    Rollback rollback,
    DriftRules drift,
    ClockRules clock,
    Duration retention,
    boolean needsEarlierDays) {

  /// How long archived files of the journal are kept unless the configuration says otherwise: five
  /// years.
  public static final Duration KEPT = Duration.ofDays(1_827);

  public ServiceConfig {
    sessions = Map.copyOf(sessions);
    if (retention.isNegative()) {
      throw new IllegalArgumentException("retention must be at least 0, was " + retention);
    }
  }

  /// Returns the hours of an instrument.
  public Session session(String instrument) {
    return sessions.getOrDefault(instrument, session);
  }

  /// Returns bar width and hours of an instrument as text, to compare.
  public String market(String instrument) {
    return frequency + " " + session(instrument).text();
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
  }

  /// Limits on every child order, whatever the model decides; null for no limit.
  ///
  /// @param slice the largest volume
  /// @param sliceShare the largest volume as a share of its order
  /// @param participation the largest share of the market volume in the newest bars that all orders
  ///   of an instrument together may have filled there and have working; 0 before any bar has a
  ///   volume
  /// @param participationBars how many of the newest bars count
  /// @param bandBps how far the newest close may be from the reference, in basis points; beyond
  ///   that, or if either is missing, nothing trades. The reference is the last close of the
  ///   earlier days, or else the median of three closes.
  /// @param orderAmount the largest amount of an order
  public record Limits(
      @Nullable Double slice,
      @Nullable Double sliceShare,
      @Nullable Double participation,
      int participationBars,
      @Nullable Double bandBps,
      double orderAmount) {

    /// The largest amount of an order unless the configuration says otherwise.
    public static final double MOST_AMOUNT = 1e9;

    public static final Limits NONE = new Limits(null, null, null, 30, null);

    /// With the usual bound on amounts.
    public Limits(
        @Nullable Double slice,
        @Nullable Double sliceShare,
        @Nullable Double participation,
        int participationBars,
        @Nullable Double bandBps) {
      this(slice, sliceShare, participation, participationBars, bandBps, MOST_AMOUNT);
    }

    public Limits {
      requirePositive("slice", slice);
      requirePositive("sliceShare", sliceShare);
      requirePositive("participation", participation);
      requirePositive("bandBps", bandBps);
      requirePositive("orderAmount", orderAmount);
      requireAtLeast("participationBars", participationBars, 1);
    }

    /// Returns the fields that bars must have for these limits.
    public List<String> fields() {
      var fields = new ArrayList<String>();
      if (participation != null) {
        fields.add(Request.Bar.VOLUME);
      }
      if (bandBps != null) {
        fields.add(Request.Bar.CLOSE);
      }
      return fields;
    }

    private static void requirePositive(String name, @Nullable Double value) {
      if (value != null && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(name + " must be finite and positive, was " + value);
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
  /// @param featureLimit the largest shift of a feature's mean, in standard deviations
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
        models,
        journal,
        session,
        Map.of(),
        frequency,
        Bounds.DEFAULT,
        Limits.NONE,
        Rollback.DEFAULT,
        DriftRules.DEFAULT,
        ClockRules.DEFAULT,
        KEPT,
        false);
  }

  public ServiceConfig withSessions(Map<String, Session> others) {
    return new ServiceConfig(
        models,
        journal,
        session,
        others,
        frequency,
        bounds,
        limits,
        rollback,
        drift,
        clock,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withBounds(Bounds changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        changed,
        limits,
        rollback,
        drift,
        clock,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withLimits(Limits changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        bounds,
        changed,
        rollback,
        drift,
        clock,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withRollback(Rollback changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        bounds,
        limits,
        changed,
        drift,
        clock,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withDrift(DriftRules changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        bounds,
        limits,
        rollback,
        changed,
        clock,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withClock(ClockRules changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        bounds,
        limits,
        rollback,
        drift,
        changed,
        retention,
        needsEarlierDays);
  }

  public ServiceConfig withRetention(Duration changed) {
    return new ServiceConfig(
        models,
        journal,
        session,
        sessions,
        frequency,
        bounds,
        limits,
        rollback,
        drift,
        clock,
        changed,
        needsEarlierDays);
  }

  public ServiceConfig withEarlierDaysNeeded(boolean changed) {
    return new ServiceConfig(
        models, journal, session, sessions, frequency, bounds, limits, rollback, drift, clock,
        retention, changed);
  }
}
