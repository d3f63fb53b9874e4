package io.tranche.work.stress;

import io.tranche.analysis.Difference;
import io.tranche.analysis.Summary;
import io.tranche.analysis.Verdict;
import java.util.List;

/// What an agent wins over TWAP under one condition.
///
/// @param frictions what trading costs, such as `costs x 2`
/// @param regime which orders, such as `volatile windows`
/// @param gain over TWAP, after costs
/// @param completion the mean part of an order that was filled
/// @param adjustedPValue of the gain being zero, corrected by Holm for the number of conditions
public record Condition(
    String frictions, String regime, Summary gain, double completion, double adjustedPValue) {

  /// The conclusions in a certificate.
  public enum Outcome {
    BETTER("better"),
    EQUAL("equal"),
    WORSE("worse"),
    /// Fewer days than a verdict needs.
    NOT_ENOUGH_DAYS("not enough days"),
    /// Too much is left unfilled to compare prices.
    DOES_NOT_COMPLETE("does not complete");

    private final String words;

    Outcome(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  private static final double LEVEL = 0.05;

  /// Whether it takes part in the correction: the others are not tested.
  static boolean isTested(Summary gain, double completion) {
    return gain.days() >= Verdict.FEWEST_DAYS && completion >= Verdict.LEAST_COMPLETION;
  }

  public Outcome outcome() {
    if (gain.days() < Verdict.FEWEST_DAYS) {
      return Outcome.NOT_ENOUGH_DAYS;
    }
    if (completion < Verdict.LEAST_COMPLETION) {
      return Outcome.DOES_NOT_COMPLETE;
    }
    if (!(adjustedPValue < LEVEL)) {
      return Outcome.EQUAL;
    }
    return gain.mean() > 0 ? Outcome.BETTER : Outcome.WORSE;
  }

  public Difference difference() {
    return Difference.of(gain);
  }

  /// Returns how many of some conditions have an outcome.
  public static long count(List<Condition> conditions, Outcome outcome) {
    return conditions.stream().filter(each -> each.outcome() == outcome).count();
  }
}
