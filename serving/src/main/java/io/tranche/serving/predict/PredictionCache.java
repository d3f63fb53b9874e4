package io.tranche.serving.predict;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A cache of predictions that drops the least recently used. Any thread may call it.
final class PredictionCache {

  private final Map<ObservationKey, Prediction> answers;

  PredictionCache(int most) {
    answers =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<ObservationKey, Prediction> eldest) {
            return size() > most;
          }
        };
  }

  synchronized @Nullable Prediction find(ObservationKey key) {
    return answers.get(key);
  }

  synchronized void put(ObservationKey key, Prediction answer) {
    answers.put(key, answer);
  }

  synchronized int size() {
    return answers.size();
  }
}
