package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.analysis.judge.Judgement;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.run.play.Difference;
import io.tranche.runtime.LoadedModel;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnRewardTest {

  @TempDir private Path folder = Path.of("");

  /// A market in which there is more to learn, so that a few iterations are enough.
  @Test
  void theAgentBeatsTwapAndIsExported() {
    ExecutionRun run =
        OwnReward.run().withMarket(SyntheticConfig.DEFAULT.withSignal(1.5)).withIterations(12);

    try (TrainedAgent agent = Tranche.train(run, folder.resolve("run"))) {
      Judgement judgement = agent.judge();
      assertThat(judgement.assessment().overTwap().together()).matches(Difference::isAboveZero);
      assertThat(agent.backtest()).isEqualTo(judgement.assessment().agent());
      agent.export(folder.resolve("model.tranche"));
    }
    assertThat(LoadedModel.open(folder.resolve("model.tranche")).spec().ticksPerStep())
        .isEqualTo(6);
  }
}
