package io.tranche.analysis.report;

import io.tranche.market.DataException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Where training stood after one iteration. NaN where nothing was measured.
///
/// @param reward the mean of an episode of training
/// @param trainingBps the mean advantage of the orders trained on
/// @param validationBps the mean advantage of the orders held out
public record TrainingPoint(
    int iteration, double reward, double trainingBps, double validationBps) {

  public TrainingPoint {
    Known.requireNotInfinite("reward", reward);
    Known.requireNotInfinite("trainingBps", trainingBps);
    Known.requireNotInfinite("validationBps", validationBps);
  }

  /// Reads the curve out of a run's `metrics.jsonl`; no file is no curve.
  ///
  /// @throws DataException if a line is no JSON
  public static List<TrainingPoint> read(Path metrics) {
    if (!Files.exists(metrics)) {
      return List.of();
    }
    return JsonPlace.lines(metrics).stream()
        .map(
            line ->
                new TrainingPoint(
                    (int) line.in("iteration").number(),
                    line.numberOrNaN("reward"),
                    line.numberOrNaN("pa"),
                    line.numberOrNaN("val/pa")))
        .toList();
  }
}
