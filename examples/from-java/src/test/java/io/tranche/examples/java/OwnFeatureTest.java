package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.runtime.LoadedModel;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnFeatureTest {

  @TempDir private Path folder = Path.of("");

  private static ExecutionRun small() {
    ExecutionRun run =
        Tranche.run().withMarket(SyntheticConfig.DEFAULT.withSize(3, 40)).withIterations(2);
    return run.withTrainer(run.trainer().withVessel(run.trainer().vessel().withEpisodes(40)));
  }

  private TrainedAgent train(ExecutionRun run) {
    return Tranche.train(run, TrainingOptions.in(folder).withThreads(1), TrainingProgress.NONE);
  }

  @Test
  void anObjectIsTrainedWithAndStaysInThisProcess() {
    ExecutionRun run = small().withFeatures(new PriceMoves(), new RangePlace());

    try (TrainedAgent agent = train(run)) {
      assertThat(agent.training().parts().problem().stateInterpreter())
          .isInstanceOfSatisfying(
              FullHistoryInterpreter.class,
              seen ->
                  assertThat(seen.source().columns().today())
                      .hasSize(new PriceMoves().columns().size() + 1)
                      .endsWith("$momentum_place"));
      assertThat(agent.backtest().completion(null)).isEqualTo(1);
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> agent.export(folder.resolve("model.tranche")))
          .withMessageContaining("data.features: expected a part with a name in the catalog")
          .withMessageContaining("RangePlace");
    }
  }

  @Test
  void installedProvidersAreExported() {
    ExecutionRun run = small().withFeatures(new PriceMoves(), new TimeOfDay());

    try (TrainedAgent agent = train(run)) {
      agent.export(folder.resolve("model.tranche"));
    }

    assertThat(
            LoadedModel.open(folder.resolve("model.tranche")).spec().features().columns().today())
        .endsWith("$time_of_day");
  }
}
