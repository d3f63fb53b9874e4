package io.tranche.benchmarks.learning;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.judge.Judge;
import io.tranche.analysis.report.TrainingPoint;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.cli.console.Text;
import io.tranche.config.ConfigFiles;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Difference;
import io.tranche.trainer.TrainingProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The validations of one agent during training, and its assessment.
///
/// @param age wall and CPU time of its training
/// @param curve its validations
/// @param assessment of the weights that were best in validation, on the test days
record LearningRun(
    String algorithm, int seed, Timing age, List<TrainingPoint> curve, Assessment assessment) {

  private static final int STEP_SECONDS = 30 * 60;

  LearningRun {
    curve = List.copyOf(curve);
  }

  /// Judges a run as the demo does its own.
  static LearningRun judge(
      String algorithm, int seed, TrainingProcess.Trained trained, SyntheticMarket market)
      throws IOException {
    var run = new RunFolder(trained.folder());
    Path best = RunCheckpoints.chosen(run, "best").file();
    var benchmarks = new Benchmarks(market, market.wholeDay(STEP_SECONDS));
    try (TrainingRun<?> training =
        TrainingRun.open(
            ExecutionRun.read(ConfigFiles.load(run.config()), _ -> {}),
            TrainingOptions.in(run.folder()).withThreads(1),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.system())) {
      training.load(best);
      Assessment assessment =
          Judge.of(training)
              .judge(
                  (test, yardsticks) -> yardsticks.withOptimum(test, market, benchmarks.optimum()))
              .assessment();
      return new LearningRun(algorithm, seed, trained.age(), curve(run.folder()), assessment);
    }
  }

  /// Reads the validations of a run.
  static List<TrainingPoint> curve(Path folder) {
    return TrainingPoint.read(new RunFolder(folder).metrics()).stream()
        .filter(point -> !Double.isNaN(point.validationBps()))
        .toList();
  }

  /// Returns the validation whose weights were kept: the earliest of the best.
  TrainingPoint best() {
    return curve.stream()
        .max(
            Comparator.comparingDouble(TrainingPoint::validationBps)
                .thenComparing(TrainingPoint::iteration, Comparator.reverseOrder()))
        .orElseThrow();
  }

  static String table(List<LearningRun> runs) {
    var table = new StringBuilder();
    table.append("| algorithm | seed | iterations | CPU seconds | best validation (at) |");
    table.append(
        " test, over TWAP | sells | buys | share |\n|---|---|---|---|---|---|---|---|---|\n");
    runs.forEach(run -> table.append(run.row()).append('\n'));
    return table.toString();
  }

  /// Returns the run as a row of Markdown.
  String row() {
    TrainingPoint best = best();
    Double share = assessment.shareOfOptimum();
    return Text.of(
        "| %s | %d | %d | %.0f | %.1f (%d) | %s | %s | %s | %s |",
        algorithm,
        seed,
        curve.getLast().iteration(),
        age.cpuSeconds(),
        best.validationBps(),
        best.iteration(),
        interval(assessment.overTwap().together()),
        interval(assessment.overTwap().sides().get(Side.SELL)),
        interval(assessment.overTwap().sides().get(Side.BUY)),
        share == null ? "" : Text.of("%.0f %%", 100 * share));
  }

  private static String interval(@Nullable Difference difference) {
    return difference == null
        ? ""
        : Text.of("%.1f (%.1f to %.1f)", difference.meanBps(), difference.low(), difference.high());
  }
}
