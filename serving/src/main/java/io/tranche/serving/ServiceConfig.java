package io.tranche.serving;

import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a service runs. It serves one market: every model must have its session and bar width.
///
/// @param models the folder that bundles are loaded from
/// @param journal the folder of the journal, which belongs to one service at a time
/// @param bounds how much of everything there may be
public record ServiceConfig(
    Path models,
    Path journal,
    Session session,
    Frequency frequency,
    Bounds bounds,
    Limits limits,
    Rollback rollback,
    DriftRules drift) {

  /// How much of everything there may be.
  ///
  /// @param workers how many threads run models; each instrument belongs to one of them
  /// @param queue how many tasks may wait for a worker
  /// @param deadlineMicros how long an answer to a request for a decision may take, unless it says
  /// @param reserveMicros how much of a deadline is kept for making the answer durable; at most
  ///   half of it
  /// @param maxOrders how many orders may be held
  /// @param maxInstruments how many instruments may be known
  /// @param daysKept how many days of an instrument are held: another ends the oldest
  /// @param segmentBytes how large a file of the journal becomes
  /// @param maxWaiting how many requests may wait for the journal
  /// @param stallMicros how long a disk may take before everybody hears that nothing can be made
  ///   durable
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

  /// What no child order may exceed, whatever a policy says; null for no limit.
  ///
  /// @param slice the largest volume
  /// @param sliceShare the largest volume as a share of its order
  /// @param participation the largest volume as a share of what traded in the newest bars: nothing
  ///   as long as no bar says
  /// @param participationBars how many bars
  /// @param bandBps how far the newest close may be from the first that the order saw, in basis
  ///   points; beyond that nothing trades
  public record Limits(
      @Nullable Double slice,
      @Nullable Double sliceShare,
      @Nullable Double participation,
      int participationBars,
      @Nullable Double bandBps) {

    public static final Limits NONE = new Limits(null, null, null, 30, null);

    public Limits {
      requirePositive("slice", slice);
      requirePositive("sliceShare", sliceShare);
      requirePositive("participation", participation);
      requirePositive("bandBps", bandBps);
      requireAtLeast("participationBars", participationBars, 1);
    }

    /// Returns what bars must tell, or nothing could be held against a limit.
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

  /// When new orders go back to the model before: looked at after each window of decisions.
  ///
  /// @param window how many decisions of a model are looked at together
  /// @param errorRate the largest share of them in which it failed
  /// @param missRate the largest share that it was late for
  /// @param p99Micros the longest that its 99th percentile may take; null for any
  public record Rollback(int window, double errorRate, double missRate, @Nullable Long p99Micros) {

    public static final Rollback DEFAULT = new Rollback(200, 0.05, 0.2, null);

    public Rollback {
      requireAtLeast("window", window, 1);
    }
  }

  /// When what a model sees or does is no longer what it was made for: see [DriftReport].
  ///
  /// @param rows how many ticks make a window
  /// @param featureLimit the largest shift of a feature's mean, in standard deviations
  /// @param decisions how many decisions make a window
  /// @param actionLimit the largest population stability index; 0.25 is commonly called a shift
  /// @param rollsBack whether new orders go back to the model before
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

  /// Returns what suits most: the default bounds, and no limits.
  public static ServiceConfig of(Path models, Path journal, Session session, Frequency frequency) {
    return new ServiceConfig(
        models,
        journal,
        session,
        frequency,
        Bounds.DEFAULT,
        Limits.NONE,
        Rollback.DEFAULT,
        DriftRules.DEFAULT);
  }

  public ServiceConfig withBounds(Bounds changed) {
    return new ServiceConfig(models, journal, session, frequency, changed, limits, rollback, drift);
  }

  public ServiceConfig withLimits(Limits changed) {
    return new ServiceConfig(models, journal, session, frequency, bounds, changed, rollback, drift);
  }

  public ServiceConfig withRollback(Rollback changed) {
    return new ServiceConfig(models, journal, session, frequency, bounds, limits, changed, drift);
  }

  public ServiceConfig withDrift(DriftRules changed) {
    return new ServiceConfig(
        models, journal, session, frequency, bounds, limits, rollback, changed);
  }
}
