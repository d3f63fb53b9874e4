package io.tranche.market.check;

import io.tranche.market.BarTime;
import java.util.List;

/// Finds price jumps between days that look like a split: the price is at least half as high again
/// as on the day before, or at most two thirds of it.
///
/// A field `factor` that changes the other way explains a jump, as in adjusted data.
final class PriceJumps {

  private static final double LARGE = 1.5;

  private final int price;
  private final int factor;
  private long date = Long.MIN_VALUE;
  private double last = Double.NaN;
  private double lastFactor = 1;

  PriceJumps(List<String> fields) {
    this.price = fields.contains("close") ? fields.indexOf("close") : fields.indexOf("close0");
    this.factor = fields.indexOf("factor");
  }

  /// Takes the next bar.
  ///
  /// @return how many times the price of the day before its price is, if that is a jump; else 0
  double next(long time, double[] values) {
    if (price < 0 || !(values[price] > 0)) {
      return 0;
    }
    double adjusted = factor >= 0 && values[factor] > 0 ? values[factor] : 1;
    double ratio = values[price] * adjusted / (last * lastFactor);
    long today = Math.floorDiv(time, (long) BarTime.SECONDS_A_DAY);
    boolean jumped = today != date && (ratio >= LARGE || ratio <= 1 / LARGE);
    date = today;
    last = values[price];
    lastFactor = adjusted;
    return jumped ? ratio : 0;
  }
}
