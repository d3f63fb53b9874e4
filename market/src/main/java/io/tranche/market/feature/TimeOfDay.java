package io.tranche.market.feature;

import io.tranche.market.DayFrame;
import java.util.List;

/// How much of the trading day is over, from -1 at its first tick to 1 at its last.
public final class TimeOfDay implements FeatureProvider {

  @Override
  public String name() {
    return "time_of_day";
  }

  @Override
  public List<String> columns() {
    return List.of("$time_of_day");
  }

  @Override
  public List<String> fields() {
    return List.of();
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    for (int tick = 0; tick < day.ticks(); tick++) {
      target[tick] = day.ticks() == 1 ? 1 : 2f * tick / (day.ticks() - 1) - 1;
    }
  }
}
