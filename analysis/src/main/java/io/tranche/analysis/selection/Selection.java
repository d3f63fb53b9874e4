package io.tranche.analysis.selection;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.Distribution;
import io.tranche.analysis.report.OrderRow;
import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.ReportData.CheckpointScore;
import io.tranche.analysis.report.ReportData.Learning;
import io.tranche.analysis.report.ReportData.Origin;
import io.tranche.analysis.report.ReportData.Results;
import io.tranche.analysis.report.TrainingPoint;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Checkpoints of one run side by side, and which of them to use.
///
/// Taking the best mean of ten mostly takes the luckiest. The rule of [#of]: of those that complete
/// their orders, take the one whose advantage over TWAP has the best lower bound, clustered by day,
/// and the earlier in rank of two that are equal. If no bound is above zero, the reason says so. It
/// is used on validation orders, so that the test orders, which give the final figure, have no part
/// in the choice. On test orders [#byRank] takes the first in rank: by validation, and the newest
/// first where there was none.
///
/// @param checkpoints by rank
/// @param meanBps the mean of their advantages
/// @param deviationBps the standard deviation of their advantages; NaN for fewer than two. Qlib's
///   table shows the mean and the deviation
/// @param winner index in `checkpoints`
/// @param reason one sentence
/// @param chosen the winner as it was when it was chosen: at other prices than `checkpoints` if
///   [#shownAt] says so
public record Selection(
    List<TestedCheckpoint> checkpoints,
    double meanBps,
    double deviationBps,
    int winner,
    String reason,
    TestedCheckpoint chosen) {

  public Selection {
    checkpoints = List.copyOf(checkpoints);
  }

  /// Compares and chooses.
  ///
  /// @param results of each checkpoint on the same orders, by rank
  /// @param twap the results of TWAP
  /// @throws IllegalArgumentException if there are no checkpoints, or their orders are not the same
  public static Selection of(List<PolicyResults> results, PolicyResults twap) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("checkpoints must be at least one, was none");
    }
    List<TestedCheckpoint> tested = tested(results, twap);
    int winner = winner(tested);
    return of(tested, winner, reason(tested, winner), tested.get(winner));
  }

  /// Compares, and chooses the first in rank whatever the results are.
  ///
  /// @param results of each checkpoint on the test orders, by rank
  /// @throws IllegalArgumentException as [#of]
  public static Selection byRank(List<PolicyResults> results, PolicyResults twap) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("checkpoints must be at least one, was none");
    }
    List<TestedCheckpoint> tested = tested(results, twap);
    String reason =
        "%s, ranked first before the test (%s)"
            .formatted(tested.getFirst().name(), figures(tested, 0));
    return of(tested, 0, reason, tested.getFirst());
  }

  /// Returns the same choice beside the results at other prices than it was made at.
  ///
  /// @param results of each checkpoint on the same orders, by rank
  /// @param chosenAt the prices that the choice was made at, such as `without the market's moves`
  public Selection shownAt(List<PolicyResults> results, PolicyResults twap, String chosenAt) {
    return of(tested(results, twap), winner, reason + " " + chosenAt, chosen);
  }

  private static Selection of(
      List<TestedCheckpoint> tested, int winner, String reason, TestedCheckpoint chosen) {
    var advantages =
        new Distribution(
            tested.stream().mapToDouble(each -> each.results().meanBps(null)).toArray());
    return new Selection(tested, advantages.mean(), advantages.deviation(), winner, reason, chosen);
  }

  private static List<TestedCheckpoint> tested(List<PolicyResults> results, PolicyResults twap) {
    double[] adjusted = adjusted(results, twap);
    return IntStream.range(0, adjusted.length)
        .mapToObj(i -> TestedCheckpoint.of(results.get(i), twap, adjusted[i]))
        .toList();
  }

  private static double[] adjusted(List<PolicyResults> results, PolicyResults reference) {
    return holm(
        results.stream().mapToDouble(each -> TestedCheckpoint.pValue(each, reference)).toArray());
  }

  /// Corrects p-values for their number: the smallest is multiplied by the count, the next by one
  /// less, and so on, and none becomes smaller than the one before.
  public static double[] holm(double[] values) {
    List<Integer> order =
        IntStream.range(0, values.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> values[i]))
            .toList();
    double[] adjusted = new double[values.length];
    double before = 0;
    for (int i = 0; i < order.size(); i++) {
      before = Math.max(before, Math.min(1, (values.length - i) * values[order.get(i)]));
      adjusted[order.get(i)] = before;
    }
    return adjusted;
  }

  private static int winner(List<TestedCheckpoint> tested) {
    int winner = 0;
    for (int i = 1; i < tested.size(); i++) {
      if (bound(tested.get(i)) > bound(tested.get(winner))) {
        winner = i;
      }
    }
    return winner;
  }

  /// Returns the lower bound of a checkpoint that completes its orders. One that does the same
  /// whatever it sees has none: what buys win, sells lose.
  private static double bound(TestedCheckpoint checkpoint) {
    Comparison over = checkpoint.overTwap();
    return over.completion() < Verdict.LEAST_COMPLETION
            || over.cancels()
            || Double.isNaN(over.together().low())
        ? Double.NEGATIVE_INFINITY
        : over.together().low();
  }

  private static String figures(List<TestedCheckpoint> tested, int chosen) {
    Difference over = tested.get(chosen).overTwap().together();
    return String.format(
        Locale.ROOT,
        "%+.2f bps against TWAP, 95 %% %.2f to %.2f, p %.3f of %d",
        over.meanBps(),
        over.low(),
        over.high(),
        tested.get(chosen).adjustedPValue(),
        tested.size());
  }

  private static String reason(List<TestedCheckpoint> tested, int winner) {
    TestedCheckpoint chosen = tested.get(winner);
    return "%s, the best lower bound of %d%s (%s)"
        .formatted(
            chosen.name(),
            tested.size(),
            chosen.isBetter() ? "" : "; none is shown to be better than TWAP",
            figures(tested, winner));
  }

  /// Returns how much better than TWAP each checkpoint is.
  public List<CheckpointScore> scores() {
    return checkpoints.stream()
        .map(each -> new CheckpointScore(each.name(), each.overTwap().together()))
        .toList();
  }

  /// Returns the verdict about the chosen checkpoint.
  public Verdict verdict() {
    return Verdict.of(checkpoints.get(winner).overTwap());
  }

  /// Returns a report of what backtests on an exchange know of the chosen checkpoint.
  ///
  /// @param training the curve of the run
  /// @param config the configuration of the run, as text
  /// @param version of the code
  public ReportData report(
      String title, List<TrainingPoint> training, String config, String version) {
    TestedCheckpoint chosen = checkpoints.get(winner);
    return new ReportData(
        title,
        "Test orders, backtested. Chosen: " + reason + ".",
        verdict(),
        new Results(
            List.of(chosen.overTwap()),
            chosen.results().orders().stream().map(OrderRow::of).toList(),
            List.of(),
            List.of()),
        new Learning(training, scores()),
        new Origin(List.of(), config, version));
  }
}
