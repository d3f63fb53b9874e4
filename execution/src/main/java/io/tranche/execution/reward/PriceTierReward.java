package io.tranche.execution.reward;

import io.tranche.backtest.Sums;
import io.tranche.backtest.Sums.Gaps;
import io.tranche.env.EnvContext;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;
import io.tranche.market.Side;
import org.jspecify.annotations.Nullable;

/// One of -1, 0 and 1 for a whole order: worse than the average price, better, or better by at
/// least a tenth. All other steps get 0. Qlib: `PPOReward`.
public final class PriceTierReward implements Reward<ExecutionState> {

  private static final double BETTER_BY_FAR = 1.1;
  private static final double QLIB_REMAINDER = 1e-6;

  private final @Nullable Integer qlibMaxSteps;

  private PriceTierReward(@Nullable Integer qlibMaxSteps) {
    this.qlibMaxSteps = qlibMaxSteps;
  }

  /// Pays once, with an order's last step, and compares with the mean price of the order's window.
  /// What is not filled counts at the last price at which it could have traded.
  public static PriceTierReward once() {
    return new PriceTierReward(null);
  }

  /// Qlib's behaviour (quirk Q7): pays after decision `maxSteps - 1` and again when the order is
  /// filled, compares with the mean price of the whole day, and rates NaN as the best tier.
  public static PriceTierReward qlib(int maxSteps) {
    if (maxSteps < 1) {
      throw new IllegalArgumentException("maxSteps must be positive, was " + maxSteps);
    }
    return new PriceTierReward(maxSteps);
  }

  @Override
  public double reward(ExecutionState state, EnvContext context) {
    if (qlibMaxSteps != null) {
      boolean pays = state.step() == qlibMaxSteps - 1 || state.remaining() < QLIB_REMAINDER;
      return pays ? qlibTier(state) : 0;
    }
    if (!LastStep.isFinal(state)) {
      return 0;
    }
    double filled = 0;
    double value = 0;
    for (int row = 0; row < state.rows(); row++) {
      if (state.filled(row) != 0) { // the price of a missing bar is NaN
        filled += state.filled(row);
        value += state.filled(row) * state.tradePrice(row);
      }
    }
    if (state.remaining() > 0 && !Double.isNaN(state.restPrice())) {
      filled += state.remaining();
      value += state.remaining() * state.restPrice();
    }
    if (filled == 0) {
      return 0;
    }
    double ratio = ratio(state.order().side(), value / filled, state.twapPrice());
    return tier(FiniteReward.require("price_tier", ratio, state));
  }

  private static double qlibTier(ExecutionState state) {
    int rows = state.rows();
    double[] prices = new double[rows];
    double[] filled = new double[rows];
    for (int row = 0; row < rows; row++) {
      prices[row] = state.marketPrice(row);
      filled[row] = state.filled(row);
    }
    double total = Sums.sum(filled, 0, rows, Gaps.SPREAD);
    double price =
        total == 0
            ? Sums.sum(prices, 0, rows, Gaps.SPREAD) / rows
            : Sums.dot(prices, 0, filled, 0, rows, Gaps.SPREAD) / total;
    double base = state.ticks().meanPrice(0, state.ticks().count(), Gaps.SKIP, true);
    return tier(ratio(state.order().side(), price, base));
  }

  /// Returns how many times better `price` is than `base`; 1 if they cannot be compared.
  private static double ratio(Side side, double price, double base) {
    return switch (side) {
      case SELL -> base == 0 ? 1 : price / base;
      case BUY -> price == 0 ? 1 : base / price;
    };
  }

  private static double tier(double ratio) {
    if (ratio < 1) {
      return -1;
    }
    return ratio < BETTER_BY_FAR ? 0 : 1;
  }

  @Override
  public String toString() {
    return "PriceTierReward[%s]"
        .formatted(qlibMaxSteps == null ? "once" : "qlib, " + qlibMaxSteps + " steps");
  }
}
