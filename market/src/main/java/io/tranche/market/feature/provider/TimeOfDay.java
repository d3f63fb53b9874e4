package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// How much of the trading day is over, from -1 at its first tick to 1 at its last.
///
/// A day counts as long as the longest of the days just before, if those are longer: nobody knows
/// for sure that it will be a half day.
public record TimeOfDay() implements StreamedProvider {

  private static final int DAYS = 5;

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
    return DAYS;
  }

  @Override
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    int longest = earlier.stream().mapToInt(DayFrame::ticks).max().orElse(0);
    int last = Math.max(longest, day.ticks()) - 1;
    return (tick, target, at) -> target[at] = last == 0 ? 1 : 2f * tick / last - 1;
  }
}
