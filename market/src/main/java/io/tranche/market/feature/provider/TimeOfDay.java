package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// How much of a whole trading day is over, from -1 at its first tick to 1 at its last. A half day
/// ends before 1: nobody knows for sure that it will be one.
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
  public int earlierDays() {
    return 0;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    int last = day.plannedTicks() - 1;
    return (tick, target, at) -> target[at] = last == 0 ? 1 : 2f * tick / last - 1;
  }
}
