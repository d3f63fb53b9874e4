package io.tranche.policy.learn;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an algorithm may know of the run when it updates: how far it is, and what it measured.
///
/// @param key the random key of this update
/// @param iteration the number of completed iterations
/// @param maxIterations after which the run ends; null for no limit
/// @param episodes the number of training episodes so far
/// @param metrics of this iteration's episodes, such as `reward`
public record UpdateContext(
    UpdateSettings settings,
    long key,
    long iteration,
    @Nullable Integer maxIterations,
    long episodes,
    Map<String, Double> metrics) {

  public UpdateContext {
    metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
  }

  /// Returns how much of the run is over, from 0 to 1; 0 if it has no limit. For schedules.
  public double progress() {
    return maxIterations == null ? 0 : Math.min(1, (double) iteration / maxIterations);
  }
}
