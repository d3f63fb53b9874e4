package io.tranche.serving;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a model saw and wanted at a decision.
///
/// @param ticks how many ticks had passed
/// @param features of the newest tick, by column
/// @param scores of each choice, one list per model of an ensemble
/// @param unguarded what it would trade without its guard, if it has one
/// @param volume what it would trade
public record Insight(
    int ticks,
    Map<String, Float> features,
    List<List<Float>> scores,
    double unguarded,
    double volume) {
  public Insight {
    features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
    scores = List.copyOf(scores);
  }
}
