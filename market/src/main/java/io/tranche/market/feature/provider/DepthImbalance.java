package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// The imbalance of the book: (bid - ask) / (bid + ask) of the sizes down to a level, from -1 (only
/// offers) to 1 (only bids).
///
/// A side without a size counts as empty when the other side has one, as at a price limit. A tick
/// with neither keeps the last value of the day; NaN before the first.
///
/// @param levels how deep; the bars have the sizes summed to that level as `bidvN` and `askvN`
public record DepthImbalance(int levels) implements StreamedProvider {

  public DepthImbalance {
    if (levels < 1) {
      throw new IllegalArgumentException("levels must be positive, was " + levels);
    }
  }

  /// The best level only.
  public DepthImbalance() {
    this(1);
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
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    return new Sizes(day, day.fieldIndex("bidv" + levels), day.fieldIndex("askv" + levels));
  }

  private static final class Sizes implements FeatureStream {

    private final DayFrame day;
    private final int bids;
    private final int asks;
    private float last = Float.NaN;

    Sizes(DayFrame day, int bids, int asks) {
      this.day = day;
      this.bids = bids;
      this.asks = asks;
    }

    @Override
    public void next(int tick, float[] target, int at) {
      double bid = size(day.value(bids, tick));
      double ask = size(day.value(asks, tick));
      if (bid + ask > 0) {
        last = (float) ((bid - ask) / (bid + ask));
      }
      target[at] = last;
    }

    private static double size(float size) {
      return size > 0 ? size : 0;
    }
  }
}
