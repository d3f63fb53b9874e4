package io.tranche.market.feature.provider;

import io.tranche.market.DayFrame;
import java.util.List;

/// The quoted spread in basis points of the mid price.
///
/// A tick without a quote on both sides keeps the last spread of the day; NaN before the first. A
/// crossed quote is negative.
public record Spread() implements StreamedProvider {

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
  public FeatureStream stream(DayFrame day, List<DayFrame> earlier) {
    return new Quotes(day);
  }

  private static final class Quotes implements FeatureStream {

    private final DayFrame day;
    private final int bids;
    private final int asks;
    private float last = Float.NaN;

    Quotes(DayFrame day) {
      this.day = day;
      this.bids = day.fieldIndex("bid");
      this.asks = day.fieldIndex("ask");
    }

    @Override
    public void next(int tick, float[] target, int at) {
      double bid = day.value(bids, tick);
      double ask = day.value(asks, tick);
      if (bid > 0 && ask > 0) {
        last = (float) (2e4 * (ask - bid) / (ask + bid));
      }
      target[at] = last;
    }
  }
}
