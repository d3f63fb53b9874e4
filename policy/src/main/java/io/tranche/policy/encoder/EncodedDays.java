package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Days that were encoded under the present weights, those looked at longest ago giving way.
///
/// Hot path: allocates nothing for a day that is remembered.
///
/// @param <D> what is kept of a day
final class EncodedDays<D> {

  /// How many days are encoded at a time: as many as the kernels need to be fast.
  static final int LANES = 16;

  /// Encodes days.
  interface Source<D> {

    /// Encodes the days of at most [#LANES] observations, one lane per observation.
    void encode(Collection<? extends DayObservation> observations);

    /// Returns what is to be kept of a lane that was encoded.
    ///
    /// @param spare what was kept of another day and may be used again, or null
    D keep(int lane, DayObservation observation, @Nullable D spare);

    /// Whether what was kept of its day is all that `observation` reads.
    default boolean covers(D day, DayObservation observation) {
      return true;
    }
  }

  private final Source<D> source;
  private final int capacity;
  private final Map<Object, D> days = new LinkedHashMap<>(16, 0.75f, true);
  private final List<D> spare = new ArrayList<>();
  private final Map<Object, DayObservation> missing = new LinkedHashMap<>();

  /// @param capacity how many days are remembered; at least as many as are looked at together
  EncodedDays(Source<D> source, int capacity) {
    this.source = source;
    this.capacity = capacity;
  }

  void forget() {
    spare.addAll(days.values());
    days.clear();
  }

  /// Encodes the days of `observations` that are not remembered, or not far enough.
  void remember(List<? extends DayObservation> observations) {
    missing.clear(); // what a day that was refused has left behind
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

  /// Returns what is kept of a day that was among the last to be remembered.
  D day(DayObservation observation) {
    D day = days.get(DayLane.of(observation));
    if (day == null) {
      throw new IllegalStateException("day must be remembered, was not: " + observation.day());
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
