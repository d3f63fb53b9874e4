package io.tranche.analysis.selection;

import io.tranche.analysis.PolicyResults;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Checkpoints of one run side by side, and which of them to use.
///
/// Whoever takes the best of ten on the test orders mostly takes the luckiest. So checkpoints stand
/// in line before they are tested: by validation, and the newest first where there was none. The
/// rule is: of those that are shown to be better than TWAP, the first in line, unless another of
/// them beats it on the test orders beyond chance. Where none is shown to be better it is the very
/// first, and the reason says so.
///
/// @param checkpoints as they stand in line
/// @param meanBps the mean of their advantages
/// @param deviationBps the standard deviation of these; NaN for fewer than two. With the mean it is
///   what Qlib's table gives
/// @param winner its place in `checkpoints`
/// @param reason one sentence
public record Selection(
    List<CheckpointStanding> checkpoints,
    double meanBps,
    double deviationBps,
    int winner,
    String reason) {

  public Selection {
    checkpoints = List.copyOf(checkpoints);
  }

  /// Compares and chooses.
  ///
  /// @param results what each checkpoint made of the test orders, as they stand in line
  /// @param twap what TWAP made of them
  /// @throws IllegalArgumentException if there are no checkpoints, or their orders are not the same
  public static Selection of(List<PolicyResults> results, PolicyResults twap) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("checkpoints must be at least one, was none");
    }
    double[] adjusted =
        holm(
            results.stream()
                .mapToDouble(each -> DailyDifferences.of(each, twap).pValue())
                .toArray());
    var standings = new ArrayList<CheckpointStanding>();
    for (int i = 0; i < adjusted.length; i++) {
      standings.add(CheckpointStanding.of(results.get(i), twap, adjusted[i]));
    }
    double mean = standings.stream().mapToDouble(CheckpointStanding::meanBps).average().orElse(0);
    double squares =
        standings.stream().mapToDouble(each -> Math.pow(each.meanBps() - mean, 2)).sum();
    int winner = winner(results, standings);
    return new Selection(
        standings,
        mean,
        Math.sqrt(squares / (standings.size() - 1)),
        winner,
        reason(standings, winner));
  }

  /// Returns p-values corrected for their number: the smallest times all, the next times one less,
  /// and none below the one before.
  static double[] holm(double[] values) {
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

  private static int winner(List<PolicyResults> results, List<CheckpointStanding> standings) {
    List<Integer> better =
        IntStream.range(0, results.size())
            .filter(i -> standings.get(i).isBetter())
            .boxed()
            .toList();
    if (better.isEmpty()) {
      return 0;
    }
    int first = better.getFirst();
    double[] adjusted =
        holm(
            better.stream()
                .mapToDouble(i -> DailyDifferences.of(results.get(i), results.get(first)).pValue())
                .toArray());
    int winner = first;
    for (int i = 1; i < better.size(); i++) {
      int other = better.get(i);
      boolean beatsTheFirst =
          adjusted[i] < CheckpointStanding.LEVEL
              && DailyDifferences.of(results.get(other), results.get(first)).bootstrap().low() > 0;
      if (beatsTheFirst
          && standings.get(other).differenceBps() > standings.get(winner).differenceBps()) {
        winner = other;
      }
    }
    return winner;
  }

  private static String reason(List<CheckpointStanding> standings, int winner) {
    CheckpointStanding chosen = standings.get(winner);
    long better = standings.stream().filter(CheckpointStanding::isBetter).count();
    String figures =
        String.format(
            Locale.ROOT,
            "%+.2f bps against TWAP, 95 %% %.2f to %.2f, p %.3f of %d",
            chosen.differenceBps(),
            chosen.low(),
            chosen.high(),
            chosen.adjustedPValue(),
            standings.size());
    if (!chosen.isBetter()) {
      return "%s, the first in line: none is shown to be better than TWAP (%s)"
          .formatted(chosen.checkpoint(), figures);
    }
    long before =
        standings.subList(0, winner).stream().filter(CheckpointStanding::isBetter).count();
    return before == 0
        ? "%s, the first in line of %d that are shown to be better than TWAP (%s)"
            .formatted(chosen.checkpoint(), better, figures)
        : "%s, which beats those before it in line beyond chance (%s)"
            .formatted(chosen.checkpoint(), figures);
  }
}
