package io.tranche.execution.baseline;

import io.tranche.backtest.Costs;

/// The schedule that minimises expected cost plus `riskAversion` times its variance, when trading
/// has linear temporary and permanent impact and prices are a random walk (Almgren and Chriss,
/// "Optimal execution of portfolio transactions", 2000, equations 16 to 20).
///
/// A period is one tick. What remains after `t` of `T` ticks is `X sinh(k (T - t)) / sinh(k T)`.
/// Each decision applies this to the volume that actually remains: on the planned path this gives
/// the same schedule, off it the optimal one from there on.
///
/// @param riskAversion cost of variance, in 1 / money; 0 is TWAP
/// @param volatility standard deviation of the price over one tick, in money per share
/// @param temporaryImpact money per share lost for each share traded within a tick
/// @param permanentImpact money per share by which each share traded moves the price permanently;
///   less than twice the temporary impact
public record AlmgrenChrissBaseline(
    double riskAversion, double volatility, double temporaryImpact, double permanentImpact)
    implements Baseline {

  public AlmgrenChrissBaseline {
    Costs.requireNotNegative("riskAversion", riskAversion);
    Costs.requireNotNegative("volatility", volatility);
    Costs.requireNotNegative("permanentImpact", permanentImpact);
    if (!(temporaryImpact > permanentImpact / 2 && temporaryImpact < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "temporaryImpact must be finite and exceed half of permanentImpact, was "
              + temporaryImpact);
    }
  }

  /// Returns the urgency `k` per tick: `cosh(k) = 1 + riskAversion volatility^2 / (2 impact)`,
  /// where impact is the temporary impact minus half of the permanent one.
  public double decay() {
    double half =
        riskAversion * volatility * volatility / (2 * (temporaryImpact - permanentImpact / 2));
    // arcosh(1 + h), without losing a small h to the 1.
    return Math.log1p(half + Math.sqrt(half * (half + 2)));
  }

  /// Returns the share of an amount that is left after `passed` of `ticks` ticks.
  public double holding(int passed, int ticks) {
    double decay = decay();
    if (decay * ticks < 1e-8) { // the limit; the next term is smaller than a rounding error
      return (double) (ticks - passed) / ticks;
    }
    // sinh(a) / sinh(b) in exponentials that cannot overflow.
    return Math.exp(-decay * passed)
        * Math.expm1(-2 * decay * (ticks - passed))
        / Math.expm1(-2 * decay * ticks);
  }

  @Override
  public double volume(DecisionView view) {
    double kept = holding(view.stepEnd() - view.tick(), view.endTick() - view.tick());
    return view.remaining() * (1 - kept);
  }
}
