package io.tranche.analysis;

import io.tranche.market.Side;
import java.util.Locale;
import java.util.StringJoiner;

/// The conclusion from a comparison, in one sentence.
///
/// @param sentence such as `better than TWAP by 9.8 bps (95 % 7.1 to 12.4, 20 days)`
public record Verdict(Kind kind, String sentence) {

  /// The possible conclusions.
  public enum Kind {
    /// The intervals of all orders and of each side lie above zero.
    BETTER,
    /// The data show neither better nor worse.
    NO_DIFFERENCE,
    /// The intervals of all orders and of each side lie below zero.
    WORSE,
    /// There are too few days to conclude anything.
    TOO_FEW_DAYS
  }

  /// With fewer days one cannot tell whether they vary as the interval assumes.
  public static final int FEWEST_DAYS = 10;

  /// Judges. Each side must show the same as both together: in a market that drifts, a policy that
  /// trades late wins on one side and loses on the other without having learnt anything.
  public static Verdict of(Comparison comparison) {
    Difference together = comparison.together();
    String reference = comparison.reference();
    if (together.days() < FEWEST_DAYS) {
      return new Verdict(
          Kind.TOO_FEW_DAYS,
          "too few days to tell from %s: %d of at least %d, %s"
              .formatted(reference, together.days(), FEWEST_DAYS, signed(together.meanBps())));
    }
    if (together.isAboveZero()
        && comparison.sides().values().stream().allMatch(Difference::isAboveZero)) {
      return new Verdict(
          Kind.BETTER,
          "better than %s by %s".formatted(reference, figure(together.meanBps(), together)));
    }
    if (together.isBelowZero()
        && comparison.sides().values().stream().allMatch(Difference::isBelowZero)) {
      return new Verdict(
          Kind.WORSE,
          "worse than %s by %s".formatted(reference, figure(-together.meanBps(), together)));
    }
    boolean sidesDiffer = together.isAboveZero() || together.isBelowZero();
    String but = sidesDiffer ? ", but not on each side: " + sides(comparison) : "";
    return new Verdict(
        Kind.NO_DIFFERENCE,
        "no difference from %s: %s%s"
            .formatted(reference, figure(together.meanBps(), together), but));
  }

  /// Formats the gain with its interval or, if the policy is worse, the loss with its interval.
  private static String figure(double bps, Difference difference) {
    boolean isLoss = bps != difference.meanBps();
    double low = isLoss ? -difference.high() : difference.low();
    double high = isLoss ? -difference.low() : difference.high();
    return String.format(
        Locale.ROOT, "%.1f bps (95 %% %.1f to %.1f, %d days)", bps, low, high, difference.days());
  }

  private static String sides(Comparison comparison) {
    var text = new StringJoiner(", ");
    for (Side side : Side.values()) {
      Difference difference = comparison.sides().get(side);
      if (difference != null) {
        text.add(
            String.format(
                Locale.ROOT,
                "%s %.1f (%.1f to %.1f)",
                side == Side.BUY ? "buys" : "sells",
                difference.meanBps(),
                difference.low(),
                difference.high()));
      }
    }
    return text.toString();
  }

  private static String signed(double bps) {
    return String.format(Locale.ROOT, "%+.1f bps so far", bps);
  }
}
