package io.tranche.market.feature;

import io.tranche.market.DayFrame;
import java.util.List;

/// The quoted spread in basis points of the mid price.
///
/// A tick without a quote on both sides keeps the last spread of the day; NaN before the first. A
/// crossed quote is negative.
public final class Spread implements FeatureProvider {

  @Override
  public String name() {
    return "spread";
  }

  @Override
  public List<String> columns() {
    return List.of("$spread");
  }

  @Override
  public List<String> fields() {
    return List.of("bid", "ask");
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    int bids = day.fieldIndex("bid");
    int asks = day.fieldIndex("ask");
    float last = Float.NaN;
    for (int tick = 0; tick < day.ticks(); tick++) {
      double bid = day.value(bids, tick);
      double ask = day.value(asks, tick);
      if (bid > 0 && ask > 0) {
        last = (float) (2e4 * (ask - bid) / (ask + bid));
      }
      target[tick] = last;
    }
  }
}
