package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// A provider that computes one tick after the other, so that the same code serves whole days and
/// days in progress.
public interface StreamedProvider extends FeatureProvider {

  @Override
  FeatureStream stream(DayFrame day, List<DayFrame> earlier);

  @Override
  default void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    FeatureStream stream = stream(day, earlier);
    int width = columns().size();
    for (int tick = 0; tick < day.ticks(); tick++) {
      stream.next(tick, target, tick * width);
    }
  }
}
