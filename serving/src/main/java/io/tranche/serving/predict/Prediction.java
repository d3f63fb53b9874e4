package io.tranche.serving.predict;

import java.util.List;

/// What a model would do.
///
/// @param action the number of its choice
/// @param scores one a choice, the larger the better: probabilities, or values, as its policy has
///   them
/// @param isCached whether the same observation was answered before
public record Prediction(int action, List<Float> scores, boolean isCached) {

  public Prediction {
    scores = List.copyOf(scores);
  }

  Prediction fromCache() {
    return new Prediction(action, scores, true);
  }
}
