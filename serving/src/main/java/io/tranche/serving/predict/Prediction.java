package io.tranche.serving.predict;

import java.util.List;

/// What a model would do.
///
/// @param action the number of its choice; -1 if actions are numbers
/// @param scores one per choice, larger is better: probabilities or values, depending on the
///   policy; or the numbers of the action
/// @param isCached whether the answer came from the cache
public record Prediction(int action, List<Float> scores, boolean isCached) {

  public Prediction {
    scores = List.copyOf(scores);
  }

  Prediction fromCache() {
    return new Prediction(action, scores, true);
  }
}
