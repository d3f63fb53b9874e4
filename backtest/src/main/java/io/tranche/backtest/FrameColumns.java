package io.tranche.backtest;

import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Side;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import org.jspecify.annotations.Nullable;

/// Takes the columns that matching needs from a day's bars.
record FrameColumns(DayFrame frame) {

  DayTicks ticks(DealPrice type, Side side) {
    long[] times = new long[frame.ticks()];
    for (int tick = 0; tick < times.length; tick++) {
      times[tick] = frame.time(tick);
    }
    DayTicks ticks =
        DayTicks.of(frame.instrument(), times, prices(type, side), required("volume"), true);
    double[] highs = column("high");
    double[] lows = column("low");
    if (highs != null && lows != null) {
      ticks = ticks.withRange(highs, lows);
    }
    double[] bids = column("bid");
    double[] asks = column("ask");
    if (bids != null && asks != null) {
      ticks = ticks.withQuotes(bids, asks);
    }
    double[] changes = column("change");
    return changes == null ? ticks : ticks.withChanges(changes);
  }

  private double[] prices(DealPrice type, Side side) {
    if (type == DealPrice.CLOSE) {
      return required("close");
    }
    double[] prices = required(side == Side.SELL ? "bid" : "ask");
    if (type == DealPrice.BID_OR_ASK_FILL) {
      double[] others = required(side == Side.SELL ? "ask" : "bid");
      for (int tick = 0; tick < prices.length; tick++) {
        if (prices[tick] == 0 || Double.isNaN(prices[tick])) {
          prices[tick] = others[tick];
        }
      }
    }
    return prices;
  }

  private double[] required(String field) {
    double[] column = column(field);
    if (column == null) {
      throw new DataException(
          frame.instrument() + " " + frame.date(), "a column " + field, frame.fields());
    }
    return column;
  }

  private double @Nullable [] column(String field) {
    int index = frame.fieldIndex(field);
    index = index >= 0 ? index : frame.fieldIndex(field + "0");
    if (index < 0) {
      return null;
    }
    double[] values = new double[frame.ticks()];
    for (int tick = 0; tick < values.length; tick++) {
      values[tick] = frame.value(index, tick);
    }
    return values;
  }
}
