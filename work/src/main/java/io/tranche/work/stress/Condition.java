package io.tranche.work.stress;

import io.tranche.analysis.Verdict;
import io.tranche.run.play.Difference;
import io.tranche.run.play.Summary;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What an agent wins over TWAP under one condition.
///
/// @param frictions what trading costs, such as `costs x 2`, or which bars, such as `halts`
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

  /// Returns its name, the gain and its margin in a few words.
  public String text() {
    Difference gainBps = difference();
    return String.format(
        Locale.ROOT, "%s %+.1f ± %.1f", frictions, gainBps.meanBps(), gainBps.margin());
  }

  public Difference difference() {
    return Difference.of(gain);
  }

  /// Returns all of it for programs.
  public Map<String, @Nullable Object> facts() {
    Difference bps = difference();
    var row = new LinkedHashMap<String, @Nullable Object>();
    row.put("frictions", frictions);
    row.put("orders", regime);
    row.put("number", bps.orders());
    row.put("days", bps.days());
    row.put("over_twap_bps", bps.meanBps());
    row.put("low", Double.isNaN(bps.low()) ? null : bps.low());
    row.put("high", Double.isNaN(bps.high()) ? null : bps.high());
    row.put("completion", completion);
    row.put("adjusted_p_value", adjustedPValue);
    row.put("outcome", outcome().words());
    return row;
  }

  /// Returns how many of some conditions have an outcome.
  public static long count(List<Condition> conditions, Outcome outcome) {
    return conditions.stream().filter(each -> each.outcome() == outcome).count();
  }
}
