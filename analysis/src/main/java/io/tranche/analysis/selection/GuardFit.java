package io.tranche.analysis.selection;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Power;
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
/// Two spans must support the agent. It must be better than TWAP with a confidence of 90 % on the
/// validation days, which chose its checkpoint, and of 95 % on the selection days, which are its
/// record. An agent without skill passes both in one case of 200, and in one of 30 even if the best
/// of ten checkpoints was taken that have nothing in common. To ask for a verdict's interval on
/// both would be far stricter, and would miss real gains.
///
/// The agent is executed on the selection days with each of a few sizes of deviation. It may
/// deviate only with a size at which orders are completed and the bound is above zero, and, unless
/// each buy has its sell, neither side is shown to be below zero. Of such sizes the one with the
/// best bound is taken. Without costs and impact that is mostly the whole deviation, because the
/// gain and its error grow nearly alike with it; costs and impact that grow faster make a smaller
/// one better.
public final class GuardFit {

  /// Of the bound in validation, and of the one on the selection days. For the best of ten
  /// checkpoints without skill, `(1 - 0.9^10) (1 - 0.95)` is 3.3 %.
  private static final double VALIDATED = 0.90;

  private static final double RECORDED = 0.95;

  /// Few, because the best of many would be chosen by noise.
  private static final List<Double> SIZES = List.of(1.0, 0.75, 0.5, 0.25);

  /// Intervals narrower than this on each side are rounding, in basis points.
  private static final double SCATTERS = 0.01;

  private static final String VALIDATION = "validation";
  private static final String SELECTION = "selection";

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
      return tooFew(VALIDATION, validated.days());
    }
    if (chosen.overTwap().cancels()) { // what is above zero is rounding alone
      return twap("the chosen checkpoint loses on one side what it wins on the other");
    }
    if (!(validated.exceeds(VALIDATED) > 0)) {
      return twap(
          "the chosen checkpoint is not supported by "
              + record(chosen.overTwap(), VALIDATION, VALIDATED)
              + hidden(validated, VALIDATED));
    }
    if (twap == null) {
      return tooFew(SELECTION, 0);
    }
    return fit(twap, play);
  }

  /// Fits a guard to orders alone.
  ///
  /// @param twap results of TWAP on the selection orders
  /// @param play as above
  static DeviationGuard fit(
      PolicyResults twap, Function<@Nullable DeviationGuard, PolicyResults> play) {
    Comparison whole = Comparison.of(play.apply(null), twap);
    if (whole.together().days() < Verdict.FEWEST_DAYS) {
      return tooFew(SELECTION, whole.together().days());
    }
    DeviationGuard best = null;
    double bound = 0;
    for (double size : SIZES) {
      Comparison tried =
          size == 1
              ? whole
              : Comparison.of(
                  play.apply(new DeviationGuard(size, "tried on selection days")), twap);
      double exceeds = tried.together().exceeds(RECORDED);
      if (objection(tried) == null && exceeds > bound) {
        String losing = losingSide(tried);
        String but = losing == null ? "" : ", %s alone shown to be worse".formatted(losing);
        best = new DeviationGuard(size, "supported by " + record(tried) + but);
        bound = exceeds;
      }
    }
    return best == null
        ? twap(objection(whole) + " " + record(whole) + hidden(whole.together(), RECORDED))
        : best;
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
      return "orders not completed on";
    }
    if (!(comparison.together().exceeds(RECORDED) > 0)) {
      return "not supported by";
    }
    if (comparison.cancels()) { // what is above zero is rounding alone
      return "one side loses what the other wins on";
    }
    String losing = losingSide(comparison);
    return comparison.isPaired() || losing == null ? null : losing + " shown to be worse on";
  }

  /// Returns which side is shown to lose. In a market that rises or falls, an agent that trades
  /// late loses on one side what it wins on the other. Where each buy has its sell and it trades
  /// both alike, that adds up to nothing. Where they are on other days, or one side has more
  /// orders, it can look like a gain.
  private static @Nullable String losingSide(Comparison comparison) {
    for (Map.Entry<Side, Difference> side : comparison.sides().entrySet()) {
      if (side.getValue().isBelowZero()) {
        return side.getKey() == Side.BUY ? "buys" : "sells";
      }
    }
    return null;
  }

  private static String record(Comparison comparison) {
    return record(comparison, SELECTION, RECORDED);
  }

  private static String record(Comparison comparison, String span, double confidence) {
    Difference all = comparison.together();
    return String.format(
        Locale.ROOT,
        "%d %s days: %+.1f bps, more than %+.2f with %.0f %% confidence, %.1f %% filled",
        all.days(),
        span,
        all.meanBps(),
        all.exceeds(confidence),
        100 * confidence,
        100 * comparison.completion());
  }

  /// Says what a gain must be for such days to support it: a smaller one may hide in them. Nothing
  /// if they have no scatter, and so are no measurement.
  private static String hidden(Difference difference, double confidence) {
    return difference.margin() < SCATTERS
        ? ""
        : String.format(
            Locale.ROOT,
            "; these days would support a true gain of %.1f bps in four of five cases, and a smaller"
                + " one may hide",
            Power.detectableBps(difference, confidence));
  }

  private static DeviationGuard twap(String reason) {
    return new DeviationGuard(0, reason);
  }

  /// A record of too few days says nothing.
  private static DeviationGuard tooFew(String span, int days) {
    return twap("not enough %s days: %d of at least %d".formatted(span, days, Verdict.FEWEST_DAYS));
  }
}
