package io.tranche.examples.feature;

import io.tranche.market.DayFrame;
import io.tranche.market.feature.provider.FeatureProvider;
import java.util.List;

/// How far the close is from the day's average price so far, in basis points.
///
/// The average weighs each close by its volume. A missing bar repeats the last value; before the
/// first trade it is NaN.
public final class AveragePriceGap implements FeatureProvider {

  @Override
  public String name() {
    return "average_price_gap";
  }

  @Override
  public List<String> columns() {
    return List.of("$average_price_gap");
  }

  @Override
  public List<String> fields() {
    return List.of("close", "volume");
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    int closes = day.fieldIndex("close");
    int volumes = day.fieldIndex("volume");
    double money = 0;
    double shares = 0;
    float gap = Float.NaN;
    for (int tick = 0; tick < day.ticks(); tick++) {
      double close = day.value(closes, tick);
      double volume = day.value(volumes, tick);
      if (close > 0 && volume > 0) {
        money += close * volume;
        shares += volume;
      }
      if (close > 0 && shares > 0) {
        gap = (float) (1e4 * (close / (money / shares) - 1));
      }
      target[tick] = gap;
    }
  }
}
