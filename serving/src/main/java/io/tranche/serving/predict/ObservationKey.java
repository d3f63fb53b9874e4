package io.tranche.serving.predict;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.runtime.LoadedModel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The key of a cached prediction: everything it depends on. Keys are equal only if every bit is.
final class ObservationKey {

  private final String model;
  private final float[] numbers;
  private final int hash;

  ObservationKey(LoadedModel model, FullHistoryObservation seen) {
    this.model = model.fingerprint();
    var features = seen.features();
    int today = features.ticks() * features.columns().today().size();
    int yesterday = features.ticks() * features.columns().yesterday().size();
    numbers = new float[today + yesterday + seen.maxSteps() + 6];
    features.copyToday(0, features.ticks(), numbers, 0);
    features.copyYesterday(0, features.ticks(), numbers, today);
    int at = today + yesterday;
    for (int past = 0; past < seen.maxSteps(); past++) {
      numbers[at++] = seen.remainingAt(past);
    }
    numbers[at++] = seen.side().code();
    numbers[at++] = seen.visibleTicks();
    numbers[at++] = seen.tick();
    numbers[at++] = seen.step();
    numbers[at++] = seen.target();
    numbers[at] = seen.remaining();
    hash = 31 * this.model.hashCode() + Arrays.hashCode(numbers);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ObservationKey key
        && hash == key.hash
        && model.equals(key.model)
        && Arrays.equals(numbers, key.numbers);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
