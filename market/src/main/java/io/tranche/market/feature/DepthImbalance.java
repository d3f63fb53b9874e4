package io.tranche.market.feature;

import io.tranche.market.DayFrame;
import java.util.List;

/// How much more is bid than offered: (bid - ask) / (bid + ask) of the sizes down to a level of the
/// book, from -1 (only offers) to 1 (only bids).
///
/// A side without a size counts as empty when the other side has one, as at a price limit. A tick
/// with neither keeps the last value of the day; NaN before the first.
public final class DepthImbalance implements FeatureProvider {

  private final int levels;

  /// The best level only.
  public DepthImbalance() {
    this(1);
  }

  /// @param levels how deep; the bars have the sizes summed to that level as `bidvN` and `askvN`
  public DepthImbalance(int levels) {
    if (levels < 1) {
      throw new IllegalArgumentException("levels must be positive, was " + levels);
    }
    this.levels = levels;
  }

  @Override
  public String name() {
    return "depth_imbalance";
  }

  @Override
  public List<String> columns() {
    return List.of("$imbalance" + levels);
  }

  @Override
  public List<String> fields() {
    return List.of("bidv" + levels, "askv" + levels);
  }

  @Override
  public void compute(DayFrame day, List<DayFrame> earlier, float[] target) {
    int bids = day.fieldIndex("bidv" + levels);
    int asks = day.fieldIndex("askv" + levels);
    float last = Float.NaN;
    for (int tick = 0; tick < day.ticks(); tick++) {
      double bid = size(day.value(bids, tick));
      double ask = size(day.value(asks, tick));
      if (bid + ask > 0) {
        last = (float) ((bid - ask) / (bid + ask));
      }
      target[tick] = last;
    }
  }

  private static double size(float size) {
    return size > 0 ? size : 0;
  }
}
