package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// How much of the trading day is over, from -1 at its first tick to 1 at its last.
public record TimeOfDay() implements StreamedProvider {

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
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    int last = day.ticks() - 1;
    return (tick, target, at) -> target[at] = last == 0 ? 1 : 2f * tick / last - 1;
  }
}
