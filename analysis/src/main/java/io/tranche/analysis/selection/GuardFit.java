package io.tranche.analysis.selection;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Fits a [DeviationGuard] to how an agent did on days that neither training nor the choice of the
/// checkpoint has seen.
///
/// The agent may deviate only if it is better than TWAP on these days: enough days, orders
/// completed, the lower end of the interval above zero, and neither side below zero. The size is
/// the factor by which an estimate with this error is shrunk towards zero (James and Stein): one
/// minus the squared ratio of the standard error to the mean. The agent is then executed at that
/// size, and must pass again, because costs and impact do not shrink with it.
public final class GuardFit {

  /// Sizes are rounded down to whole percents.
  private static final int STEPS = 100;

  private static final String NOT_BETTER = "not shown to be better";

  private GuardFit() {}

  /// Fits the guard of a checkpoint that [Selection#of] chose.
  ///
  /// @param selection on the validation orders
  /// @param twap results of TWAP on the selection orders; null if there are none
  /// @param play executes the selection orders with the chosen checkpoint under a guard; null for
  ///   none
  public static DeviationGuard fit(
      Selection selection,
      @Nullable PolicyResults twap,
      Function<@Nullable DeviationGuard, PolicyResults> play) {
    TestedCheckpoint chosen = selection.chosen();
    Difference validated = chosen.overTwap().together();
    if (validated.days() < Verdict.FEWEST_DAYS) {
      return tooFew("validation", validated.days());
    }
    if (!validated.isAboveZero() || chosen.overTwap().cancels()) {
      return twap(
          String.format(
              Locale.ROOT,
              "no checkpoint has a lower bound above zero in validation, the best %+.2f bps",
              validated.low()));
    }
    if (twap == null) {
      return tooFew("selection", 0);
    }
    return fit(twap, play);
  }

  /// Fits a guard to orders alone.
  ///
  /// @param twap results of TWAP on the selection orders
  /// @param play as above
  public static DeviationGuard fit(
      PolicyResults twap, Function<@Nullable DeviationGuard, PolicyResults> play) {
    Comparison whole = Comparison.of(play.apply(null), twap);
    Difference all = whole.together();
    if (all.days() < Verdict.FEWEST_DAYS) {
      return tooFew("selection", all.days());
    }
    String record = record(whole);
    String objection = objection(whole);
    if (objection != null) {
      return twap(objection + " on " + record);
    }
    double ratio = all.margin() / 2 / all.meanBps(); // a margin is about two standard errors
    double size = Math.floor(STEPS * (1 - ratio * ratio)) / STEPS;
    var guard = new DeviationGuard(size, "shown to be better on " + record);
    objection = size > 0 ? objection(Comparison.of(play.apply(guard), twap)) : NOT_BETTER;
    return objection == null
        ? guard
        : twap("%s at %.0f %% of its deviation on %s".formatted(objection, 100 * size, record));
  }

  /// Returns a guard that was fitted at prices without the market's moves; TWAP if it is shown to
  /// be worse at real ones.
  ///
  /// @param real the agent under this guard compared with TWAP at real prices
  public static DeviationGuard confirmed(DeviationGuard fitted, Comparison real) {
    Difference all = real.together();
    return all.high() < 0
        ? twap("worse with the market's moves on " + record(real))
        : new DeviationGuard(
            fitted.size(),
            String.format(
                Locale.ROOT,
                "%s, without the market's moves; with them %+.1f, 95 %% %.1f to %.1f",
                fitted.reason(),
                all.meanBps(),
                all.low(),
                all.high()));
  }

  /// Returns why the agent may not deviate; null if it may.
  private static @Nullable String objection(Comparison comparison) {
    if (comparison.completion() < Verdict.LEAST_COMPLETION) {
      return "orders not completed";
    }
    if (!comparison.together().isAboveZero()) {
      return NOT_BETTER;
    }
    if (comparison.cancels()) { // what is above zero is rounding alone
      return "one side loses what the other wins";
    }
    // On a few days one side may end below zero because the market rose or fell, which its interval
    // knows and its mean does not.
    for (Map.Entry<Side, Difference> side : comparison.sides().entrySet()) {
      if (side.getValue().isBelowZero()) {
        return "%s shown to be worse".formatted(side.getKey() == Side.BUY ? "buys" : "sells");
      }
    }
    return null;
  }

  private static String record(Comparison comparison) {
    Difference all = comparison.together();
    return String.format(
        Locale.ROOT,
        "%d selection days: %+.1f bps, 95 %% %.1f to %.1f, %.1f %% filled",
        all.days(),
        all.meanBps(),
        all.low(),
        all.high(),
        100 * comparison.completion());
  }

  private static DeviationGuard twap(String reason) {
    return new DeviationGuard(0, reason);
  }

  /// A record of too few days says nothing.
  private static DeviationGuard tooFew(String span, int days) {
    return twap("not enough %s days: %d of at least %d".formatted(span, days, Verdict.FEWEST_DAYS));
  }
}
