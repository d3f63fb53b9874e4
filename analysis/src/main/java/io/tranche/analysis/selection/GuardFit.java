package io.tranche.analysis.selection;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.execution.DeviationGuard;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Fits a [DeviationGuard] to how an agent did on days that neither training nor the choice of the
/// checkpoint has seen.
///
/// The agent is executed with each of a few sizes of deviation. It may deviate only with a size at
/// which it is better than TWAP on these days: enough days, orders completed, the lower end of the
/// interval above zero, and neither side below zero. Of such sizes the one with the best lower end
/// is taken. Without costs and impact that is mostly the whole deviation, because the gain and its
/// error grow nearly alike with it; costs and impact that grow faster make a smaller one better.
public final class GuardFit {

  /// Few, because the best of many would be chosen by noise.
  private static final List<Double> SIZES = List.of(1.0, 0.75, 0.5, 0.25);

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
    if (whole.together().days() < Verdict.FEWEST_DAYS) {
      return tooFew("selection", whole.together().days());
    }
    DeviationGuard best = null;
    double bound = 0;
    for (double size : SIZES) {
      Comparison tried =
          size == 1
              ? whole
              : Comparison.of(
                  play.apply(new DeviationGuard(size, "tried on selection days")), twap);
      if (objection(tried) == null && tried.together().low() > bound) {
        best = new DeviationGuard(size, "shown to be better on " + record(tried));
        bound = tried.together().low();
      }
    }
    return best == null ? twap(objection(whole) + " on " + record(whole)) : best;
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
      return "not shown to be better";
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
