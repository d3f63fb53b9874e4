package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.run.play.Difference;
import io.tranche.runtime.LoadedModel;
import io.tranche.tensor.layer.GradientCheck;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnNetworkTest {

  @TempDir private Path folder = Path.of("");

  @Test
  void theGradientsOfTheWholeAreItsDerivatives() {
    GradientCheck.require(
        Layers.sequence(OwnNetwork.network().layers().toArray(Layer.Factory[]::new)), 4, 1);
  }

  /// A market in which there is more to learn, so that a few iterations are enough.
  @Test
  void theAgentBeatsTwapAndIsExported() {
    ExecutionRun run =
        OwnNetwork.run()
            .withMarket(SyntheticConfig.DEFAULT.withSize(30, 120).withSignal(1.5))
            .withIterations(12);

    try (TrainedAgent agent = Tranche.train(run, folder.resolve("run"))) {
      assertThat(agent.judge().assessment().overTwap().together()).matches(Difference::isAboveZero);
      agent.export(folder.resolve("model.tranche"));
    }
    assertThat(LoadedModel.open(folder.resolve("model.tranche")).spec().network().toLine())
        .contains("concat", "residual", "gru");
  }
}
