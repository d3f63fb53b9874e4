package io.tranche.analysis.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.Comparison;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.TrainingProgress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A ridge on the run's own features, before anything is trained.
class LinearBaselineTest {

  @TempDir private Path folder;

  @Test
  void findsTheSignalOfTheEmbeddedMarket() {
    assertThat(overTwap(SyntheticConfig.DEFAULT.withSize(20, 150)))
        .matches(Difference::isAboveZero);
  }

  @Test
  void findsNothingWhereThereIsNothing() {
    assertThat(overTwap(SyntheticConfig.DEFAULT.withSize(20, 150).withSignal(0)))
        .matches(difference -> !difference.isAboveZero() && !difference.isBelowZero());
  }

  private Difference overTwap(SyntheticConfig market) {
    ExecutionRun run = ExecutionRun.DEFAULT.withData(BarData.DEFAULT.withMarket(market));
    try (TrainingRun<?> training =
        TrainingRun.open(
            run,
            TrainingOptions.in(folder),
            (_, _, _) -> {},
            TrainingProgress.NONE,
            InstantSource.fixed(Instant.EPOCH))) {
      Judge<?> judge = Judge.of(training);
      var linear = judge.linear();
      Judgement judgement = judge.judge((test, yardsticks) -> yardsticks.withLinear(test, linear));
      PolicyResults results = Objects.requireNonNull(judgement.yardsticks().linear());
      assertThat(judgement.policies()).contains(results);
      assertThat(results.completion(null)).isGreaterThan(0.999);
      return Comparison.of(results, judgement.yardsticks().twap()).together();
    }
  }
}
