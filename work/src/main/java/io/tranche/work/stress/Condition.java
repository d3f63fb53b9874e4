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
/// @param alone what a verdict says of these orders if there were no other conditions
/// @param completion the mean part of an order that was filled
/// @param adjustedPValue of the gain being zero, corrected by Holm for the number of conditions
public record Condition(
    String frictions,
    String regime,
    Summary gain,
    Verdict.Kind alone,
    double completion,
    double adjustedPValue) {

  private static final double LEVEL = 0.05;

  /// Whether it takes part in the correction: the others are not tested.
  static boolean isTested(Verdict.Kind alone) {
    return alone != Verdict.Kind.NOT_ENOUGH_DAYS && alone != Verdict.Kind.DOES_NOT_COMPLETE;
  }

  /// Returns the verdict, which is better or worse only if the corrected p-value shows it too.
  public Verdict.Kind outcome() {
    return isTested(alone) && !(adjustedPValue < LEVEL) ? Verdict.Kind.NO_DIFFERENCE : alone;
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
  public static long count(List<Condition> conditions, Verdict.Kind outcome) {
    return conditions.stream().filter(each -> each.outcome() == outcome).count();
  }
}
