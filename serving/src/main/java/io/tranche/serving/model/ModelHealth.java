package io.tranche.serving.model;

import io.tranche.serving.Counters;
import io.tranche.serving.ServiceConfig;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The failures and latency of a model, one window of decisions at a time. Any thread may record.
public final class ModelHealth {

  private final ServiceConfig.Rollback rules;
  private final long[] nanos;
  private int decisions;
  private int failures;
  private int misses;

  public ModelHealth(ServiceConfig.Rollback rules) {
    this.rules = rules;
    this.nanos = new long[rules.window()];
  }

  /// Records a decision.
  ///
  /// @param fallback why the model did not decide; null if it did
  /// @return what is wrong with the model, if this decision ends a bad window; otherwise null
  public synchronized @Nullable String record(Counters.@Nullable Fallback fallback, long took) {
    nanos[decisions++] = took;
    if (fallback == Counters.Fallback.FAILED || fallback == Counters.Fallback.NOT_LOADED) {
      failures++;
    } else if (fallback != null && fallback != Counters.Fallback.NO_EARLIER_DAYS) {
      misses++;
    }
    if (decisions < nanos.length) {
      return null;
    }
    String complaint = complaint();
    decisions = 0;
    failures = 0;
    misses = 0;
    return complaint;
  }

  private @Nullable String complaint() {
    int count = nanos.length;
    if (failures > rules.errorRate() * count) {
      return "failed in %d of %d decisions".formatted(failures, count);
    }
    if (misses > rules.missRate() * count) {
      return "was late for %d of %d decisions".formatted(misses, count);
    }
    Long limit = rules.p99Micros();
    if (limit != null) {
      Arrays.sort(nanos);
      long p99 = nanos[Math.min(count - 1, count * 99 / 100)] / 1_000;
      if (p99 > limit) {
        return "took %d µs at the 99th percentile of %d decisions".formatted(p99, count);
      }
    }
    return null;
  }
}
