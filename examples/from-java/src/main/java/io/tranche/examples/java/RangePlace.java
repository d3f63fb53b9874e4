package io.tranche.examples.java;

import io.tranche.market.DayFrame;
import io.tranche.market.feature.provider.FeatureProvider;
import java.util.List;

/// A feature of your own: where the close lies in the range of the day so far, from -1 to 1. The
/// name of its column begins with `momentum`, so it changes sign where a buy is shown as a sell.
public final class RangePlace implements FeatureProvider {

  @Override
  public String name() {
    return "range_place";
  }

  @Override
  public List<String> columns() {
    return List.of("$momentum_place");
  }

  @Override
  public List<String> fields() {
    return List.of("close");
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    int field = day.fieldIndex("close");
    float low = Float.POSITIVE_INFINITY;
    float high = Float.NEGATIVE_INFINITY;
    for (int tick = 0; tick < day.ticks(); tick++) {
      float close = day.value(field, tick);
      low = Math.min(low, Float.isNaN(close) ? low : close);
      high = Math.max(high, Float.isNaN(close) ? high : close);
      target[tick] = high > low ? 2 * (close - low) / (high - low) - 1 : 0;
    }
  }
}
