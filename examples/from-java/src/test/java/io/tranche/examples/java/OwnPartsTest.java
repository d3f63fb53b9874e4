package io.tranche.examples.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.env.Numbers;
import io.tranche.env.space.Value;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.run.ExecutionRun;
import io.tranche.run.TrainingOptions;
import io.tranche.trainer.Hook;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.start.TrainedAgent;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnPartsTest {

  @TempDir private Path folder = Path.of("");

  private static ExecutionRun byObject() {
    ExecutionRun run =
        Tranche.run()
            .withMarket(SyntheticConfig.DEFAULT.withSize(3, 40))
            .withSimulator(new FirstTickSimulator(30, 5))
            .withObservation(OwnParts.observation(), OwnParts.network())
            .withActions(OwnParts.actions())
            .withReward(OwnParts.reward())
            .withMetrics(OwnParts.metric())
            .withIterations(6);
    return run.withTrainer(run.trainer().withVessel(run.trainer().vessel().withEpisodes(100)));
  }

  private TrainedAgent train(ExecutionRun run, Map<String, Double> metrics) {
    return Tranche.train(
        run.withCallbacks((_, trainer) -> metrics.putAll(trainer.metrics())),
        TrainingOptions.in(folder).withThreads(1),
        TrainingProgress.NONE);
  }

  /// The reward pays for early fills, so an agent that learnt has little left at each step.
  @Test
  void partsThatAreObjectsAreTrained() {
    var metrics = new HashMap<String, Double>();

    try (TrainedAgent agent = train(byObject(), metrics)) {
      assertThat(metrics.get("left")).isLessThan(0.25);
      assertThat(agent.backtest().completion(null)).isEqualTo(1);
      assertThatExceptionOfType(ConfigException.class)
          .isThrownBy(() -> agent.export(folder.resolve("model.tranche")))
          .withMessageContaining(
              "simulator: expected a part with a name in the catalog, because exported models");
    }
  }

  @Test
  void anotherAlgorithmNeedsNoOtherParts() {
    var metrics = new HashMap<String, Double>();

    try (TrainedAgent agent = train(byObject().withAlgorithm(DqnConfig.DEFAULT), metrics)) {
      assertThat(agent.backtest().completion(null)).isEqualTo(1);
    }
  }

  @Test
  void theSamePartsComeByNameFromAPlugIn() {
    ExecutionRun run =
        ExecutionRun.read(
            ConfigFiles.parse(
                "own.yml",
                """
                tranche: 1
                data: {market: {instruments: 3, days: 40}}
                simulator: {class: FirstTick}
                state_interpreter: {class: Place}
                action_interpreter: {class: Thirds}
                reward: {class: Early}
                network: {class: Small}
                policy: {class: LoggingPpo, kwargs: {rate: 0.01}}
                metrics: [{class: Left}]
                aux_info: {class: Steps}
                callbacks: [{class: Hooks}, {class: EarlyStopping, kwargs: {patience: 50}}]
                log_writers: [{class: Tally}, {class: JsonLinesWriter}]
                trainer: {max_iterations: 4, episodes_per_iteration: 100}
                validation: {judge: false}
                """),
            _ -> {});
    OwnProvider.Tally.steps = 0;

    try (TrainedAgent agent =
        Tranche.train(run, TrainingOptions.in(folder).withThreads(1), TrainingProgress.NONE)) {
      assertThat(folder.resolve("metrics.jsonl"))
          .content()
          .contains("\"left\"", "\"passes\"", "\"hooks\"");
      assertThat(folder.resolve("episodes.jsonl")).isNotEmptyFile();
      assertThat(OwnProvider.Tally.steps).isPositive();
      assertThat(agent.backtest().completion(null)).isEqualTo(1);
    }
  }

  /// An algorithm sees how far the run is; a log writer and side information see every step.
  @Test
  void algorithmsCallbacksAndLogWritersAreObjects() {
    var metrics = new HashMap<String, Double>();
    var passes = new ArrayList<Double>();
    OwnProvider.Tally.steps = 0;
    ExecutionRun run =
        byObject()
            .withAlgorithm(
                (AgentSpec.Maker<Numbers>)
                    (network, context) ->
                        new LoggingPpo<>(
                            PpoSpec.<Numbers>maker(PpoConfig.DEFAULT).make(network, context)))
            .withAuxInfo((_, context) -> new Value.Plain((long) context.step()))
            .withLogWriters(new OwnProvider.Tally())
            .withCallbacks(
                new OwnProvider.Hooks(),
                (hook, trainer) -> {
                  metrics.putAll(trainer.metrics());
                  if (hook == Hook.ITERATION_END) {
                    passes.add(Objects.requireNonNull(trainer.metrics().get("passes")));
                  }
                });

    Tranche.train(run, TrainingOptions.in(folder).withThreads(1), TrainingProgress.NONE).close();

    assertThat(passes).hasSize(6).isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(passes.getLast()).isLessThan(passes.getFirst());
    assertThat(metrics).containsKey("hooks");
    assertThat(OwnProvider.Tally.steps).isPositive();
  }

  @Test
  void theStagesOfTrainingCanBeReplaced() {
    ExecutionRun run = byObject().withStages(new OwnStages()).withIterations(4);
    var metrics = new HashMap<String, Double>();

    train(run, metrics).close();

    assertThat(metrics).containsEntry("updates", 2.0).containsKey("val/validated");
  }
}
