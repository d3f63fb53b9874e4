package io.tranche.analysis;

import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import java.util.Collection;
import java.util.Locale;
import java.util.StringJoiner;

/// The conclusion from a comparison, in one sentence. Every verb and every report says it in these
/// words.
///
/// @param sentence such as `better than TWAP by 9.8 bps (95 % 7.1 to 12.4, 20 days, 100.0 %
///   filled)`
public record Verdict(Kind kind, String sentence) {

  /// The possible conclusions.
  public enum Kind {
    /// The intervals of all orders and of each side lie above zero.
    BETTER("better"),
    /// The data show neither better nor worse.
    NO_DIFFERENCE("no difference"),
    /// The interval of all orders lies below zero.
    WORSE("worse"),
    /// There are too few days to conclude anything.
    NOT_ENOUGH_DAYS("not enough days"),
    /// Too much is left unfilled to compare prices.
    DOES_NOT_COMPLETE("does not complete");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /// Returns the conclusion in one to three words.
    public String words() {
      return words;
    }
  }

  /// With fewer days one cannot tell whether they vary as the interval assumes.
  public static final int FEWEST_DAYS = 10;

  /// The mean part of an order that must be filled. The rest is charged at the last price, but a
  /// policy that leaves more than this unfilled has not executed the orders.
  public static final double LEAST_COMPLETION = 0.99;

  /// A mean that is printed as `0.0`.
  private static final double ROUNDED = 0.05;

  /// Judges. Better must be shown on each side: in a market that drifts, a policy that trades late
  /// wins on one side and loses on the other without having learnt anything.
  public static Verdict of(Comparison comparison) {
    Difference together = comparison.together();
    String reference = comparison.reference();
    if (comparison.completion() < LEAST_COMPLETION) {
      return new Verdict(
          Kind.DOES_NOT_COMPLETE,
          String.format(
              Locale.ROOT,
              "does not complete: %.1f %% filled (%s %.1f %%) of at least %.0f %%; %s",
              100 * comparison.completion(),
              reference,
              100 * comparison.referenceCompletion(),
              100 * LEAST_COMPLETION,
              interval(String.format(Locale.ROOT, "%+.1f bps", together.meanBps()), together, "")));
    }
    if (together.days() < FEWEST_DAYS) {
      String mean = String.format(Locale.ROOT, "%+.1f bps", together.meanBps());
      return new Verdict(
          Kind.NOT_ENOUGH_DAYS,
          "not enough days to tell from %s: %d of at least %d; so far %s"
              .formatted(
                  reference,
                  together.days(),
                  FEWEST_DAYS,
                  comparison.cancels()
                      ? cancelled(comparison)
                      : interval(mean, together, ", " + filled(comparison))));
    }
    if (isRounding(comparison)) {
      return new Verdict(Kind.NO_DIFFERENCE, noDifference(comparison));
    }
    if (together.isAboveZero()
        && comparison.sides().values().stream().allMatch(Difference::isAboveZero)) {
      return new Verdict(
          Kind.BETTER, "better than %s by %s".formatted(reference, gain(comparison)));
    }
    if (together.isBelowZero()) {
      boolean onEachSide = comparison.sides().values().stream().allMatch(Difference::isBelowZero);
      return new Verdict(
          Kind.WORSE,
          "worse than %s by %s%s"
              .formatted(reference, loss(comparison), onEachSide ? "" : butSides(comparison)));
    }
    return new Verdict(Kind.NO_DIFFERENCE, noDifference(comparison));
  }

  /// Whether what is left of pairs that cancel is rounding alone, which no interval can tell from a
  /// gain or a loss.
  private static boolean isRounding(Comparison comparison) {
    Collection<Difference> sides = comparison.sides().values();
    boolean isShownOnEach =
        !sides.isEmpty()
            && (sides.stream().allMatch(Difference::isAboveZero)
                || sides.stream().allMatch(Difference::isBelowZero));
    return comparison.cancels()
        && Math.abs(comparison.together().meanBps()) < ROUNDED
        && !isShownOnEach;
  }

  /// An interval without width is no proof of zero: a policy that ignores the side wins on one
  /// order of a pair what it loses on the other.
  private static String noDifference(Comparison comparison) {
    Difference together = comparison.together();
    String reference = comparison.reference();
    if (comparison.scatterBps() == 0) {
      return "no difference from %s: the same result on every order (%d days, %s)"
          .formatted(reference, together.days(), filled(comparison));
    }
    if (comparison.cancels()) {
      return "no difference from %s on average: %s".formatted(reference, cancelled(comparison));
    }
    return "no difference from %s: %s%s"
        .formatted(reference, gain(comparison), together.isAboveZero() ? butSides(comparison) : "");
  }

  private static String cancelled(Comparison comparison) {
    return String.format(
        Locale.ROOT,
        "what buys win, sells of the same orders lose (%s; one order differs by %.1f bps, %d days,"
            + " %s)",
        sides(comparison),
        comparison.scatterBps(),
        comparison.together().days(),
        filled(comparison));
  }

  private static String gain(Comparison comparison) {
    Difference difference = comparison.together();
    return interval(
        String.format(Locale.ROOT, "%.1f bps", difference.meanBps()),
        difference,
        ", " + filled(comparison));
  }

  private static String loss(Comparison comparison) {
    Difference gain = comparison.together();
    var loss =
        new Difference(
            gain.orders(), gain.days(), -gain.meanBps(), -gain.high(), -gain.low(), gain.freedom());
    return interval(
        String.format(Locale.ROOT, "%.1f bps", loss.meanBps()), loss, ", " + filled(comparison));
  }

  private static String interval(String mean, Difference difference, String more) {
    if (Double.isNaN(difference.low())) {
      return "%s (no interval from one day%s)".formatted(mean, more);
    }
    return String.format(
        Locale.ROOT,
        "%s (95 %% %.1f to %.1f, %d days%s)",
        mean,
        difference.low(),
        difference.high(),
        difference.days(),
        more);
  }

  private static String filled(Comparison comparison) {
    String own = percent(comparison.completion());
    String other = percent(comparison.referenceCompletion());
    return own.equals(other)
        ? own + " filled"
        : "%s filled, %s %s".formatted(own, comparison.reference(), other);
  }

  private static String percent(double part) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * part);
  }

  private static String butSides(Comparison comparison) {
    return ", but not on each side: " + sides(comparison);
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
}
