package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cache of days encoded with the current weights; evicts the least recently used.
///
/// Hot path: allocates nothing for a cached day.
///
/// @param <D> a cached day
final class EncodedDays<D> {

  /// Number of days encoded at a time: as many as the kernels need to be fast.
  static final int LANES = 16;

  /// Encodes days.
  interface Source<D> {

    /// Encodes the days of at most [#LANES] observations, one lane per observation.
    void encode(Collection<? extends DayObservation> observations);

    /// Returns the value to cache for an encoded lane.
    ///
    /// @param spare the evicted value of another day, for reuse, or null
    D keep(int lane, DayObservation observation, @Nullable D spare);

    /// Whether the cached value covers all that `observation` reads.
    default boolean covers(D day, DayObservation observation) {
      return true;
    }
  }

  private final Source<D> source;
  private final int capacity;
  private final Map<Object, D> days = new LinkedHashMap<>(16, 0.75f, true);
  private final List<D> spare = new ArrayList<>();
  private final Map<Object, DayObservation> missing = new LinkedHashMap<>();

  /// @param capacity number of cached days; at least as many as one batch reads
  EncodedDays(Source<D> source, int capacity) {
    this.source = source;
    this.capacity = capacity;
  }

  void forget() {
    spare.addAll(days.values());
    days.clear();
  }

  /// Encodes the days of `observations` that are not cached, or not far enough.
  void remember(List<? extends DayObservation> observations) {
    missing.clear(); // leftovers of a call that threw
    for (int i = 0; i < observations.size(); i++) {
      DayObservation observation = observations.get(i);
      Object lane = DayLane.of(observation);
      D day = days.get(lane);
      if (day == null || !source.covers(day, observation)) {
        missing.merge(lane, observation, EncodedDays::later);
        if (missing.size() == LANES) {
          encodeMissing();
        }
      }
    }
    if (!missing.isEmpty()) {
      encodeMissing();
    }
  }

  private static DayObservation later(DayObservation one, DayObservation other) {
    return one.tick() > other.tick() ? one : other;
  }

  /// Returns a day that the last call of [#remember] cached.
  D day(DayObservation observation) {
    D day = days.get(DayLane.of(observation));
    if (day == null) {
      throw new IllegalStateException("day must be cached, was not: " + observation.day());
    }
    return day;
  }

  private void encodeMissing() {
    source.encode(missing.values());
    int lane = 0;
    for (var entry : missing.entrySet()) {
      D tooShort = days.remove(entry.getKey());
      if (tooShort != null) {
        spare.add(tooShort);
      }
      if (days.size() == capacity) {
        var oldest = days.entrySet().iterator();
        spare.add(oldest.next().getValue());
        oldest.remove();
      }
      D old = spare.isEmpty() ? null : spare.removeLast();
      days.put(entry.getKey(), source.keep(lane++, entry.getValue(), old));
    }
    missing.clear();
  }
}
