package @PACKAGE@;

import io.tranche.market.DayFrame;
import io.tranche.market.feature.provider.FeatureProvider;
import java.util.List;

/// Where the close lies in the range of today's closes so far: -1 is the lowest, 1 the highest.
public final class DayRange implements FeatureProvider {

  @Override
  public String name() {
    return "day_range";
  }

  @Override
  public List<String> columns() {
    return List.of("$day_range");
  }

  @Override
  public List<String> fields() {
    return List.of("close");
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    int closes = day.fieldIndex("close");
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    float place = 0;
    for (int tick = 0; tick < day.ticks(); tick++) {
      double close = day.value(closes, tick);
      if (close > 0) { // a missing bar repeats the last value
        low = Math.min(low, close);
        high = Math.max(high, close);
        place = high > low ? (float) (2 * (close - low) / (high - low) - 1) : 0;
      }
      target[tick] = place;
    }
  }
}
