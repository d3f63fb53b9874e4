package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.interpreter.QuoteInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.agent.ActionDistribution.Head;
import io.tranche.policy.agent.InvalidActions;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.sac.SacConfig;
import io.tranche.run.DataSettings.BarData;
import io.tranche.trainer.TrainingProgress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A run put together from typed values, without any YAML.
class ExecutionRunTest {

  @TempDir private Path folder = Path.of("");

  private static ExecutionRun small() {
    ExecutionRun recipe = ExecutionRun.DEFAULT;
    return recipe
        .withData(BarData.DEFAULT.withMarket(SyntheticConfig.DEFAULT.withSize(2, 12)))
        .withTrainer(recipe.trainer().withMaxIterations(1))
        .withValidation(recipe.validation().withEvery(null));
  }

  private TrainingRun<?> open(ExecutionRun run, Path target) {
    return TrainingRun.open(
        run,
        TrainingOptions.in(target).withThreads(1).withFastDevRun(8),
        (_, _, _) -> {},
        TrainingProgress.NONE,
        InstantSource.fixed(Instant.EPOCH));
  }

  @Test
  void aRewardAndACallbackFromJavaTakePartInTraining() {
    var paid = new ArrayList<Double>();
    var hooks = new ArrayList<String>();
    ExecutionRun run =
        small()
            .withReward(
                (state, _) -> {
                  paid.add(state.remaining());
                  return -state.remaining() / state.order().amount();
                })
            .withCallbacks((hook, _) -> hooks.add(hook.name()));

    try (TrainingRun<?> training = open(run, folder)) {
      training.train(null);
    }

    assertThat(paid).isNotEmpty();
    assertThat(hooks).contains("ITERATION_END");
  }

  @Test
  void anObjectFromJavaIsNamedWhereTextIsNeeded() {
    ExecutionRun run = small().withReward((_, _) -> 0);

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> run.rejectObjects("other processes"))
        .withMessageStartingWith(
            "reward: expected a part with a name in the catalog, because other processes need it")
        .withMessageContaining("an object of " + ExecutionRunTest.class.getName());
    ConfigNode written = ConfigFiles.parse("config.yml", run.toConfig().toYaml());
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ExecutionRun.read(written, _ -> {}))
        .withMessageContaining("reward: expected a part with a name, which any process can make");
  }

  @Test
  void continuousAgentsAreWrittenByTheirNames() {
    var ppo = PpoConfig.DEFAULT.withHead(Head.BETA).withInvalidActions(InvalidActions.BOUND);
    var menu =
        new QuoteInterpreter.Menu(List.of(0.0, 0.5), List.of(new Kind.Market(), new Kind.Limit(2)));
    for (var actions :
        List.of(
            TwapRelativeInterpreter.upTo(6),
            VolumeInterpreter.shares(0.5),
            VolumeInterpreter.upTo(900),
            new QuoteInterpreter(new QuoteInterpreter.Dial(6)),
            new QuoteInterpreter(new QuoteInterpreter.Dials(3, 6, 0.1)),
            new QuoteInterpreter(menu))) {
      String written = small().withActions(actions).withAlgorithm(ppo).toConfig().toYaml();
      ExecutionRun again = ExecutionRun.read(ConfigFiles.parse("run", written), _ -> {});

      assertThat(written).contains("head: beta", "invalid_actions: bound");
      assertThat(again.toConfig().toYaml()).isEqualTo(written);
      assertThat(again.problem().actionInterpreter().describe().toYaml())
          .contains(actions.getClass().getSimpleName());
    }
    ExecutionRun sac =
        small()
            .withActions(TwapRelativeInterpreter.upTo(6))
            .withAlgorithm(SacConfig.DEFAULT.withMinibatches(2).withTargetEntropy(null));
    try (TrainingRun<?> training = open(sac, folder)) {
      assertThat(training.train(null).metrics()).containsKey("loss/critic");
    }
    assertThat(sac.toConfig().toYaml()).contains("class: Sac", "target_entropy: null");
  }

  @Test
  void whatWasPreparedIsPreparedAgainWithoutMakingAnything() {
    ExecutionRun run = small();
    PreparedData made = PreparedData.of(run, new RunFolder(folder), (_, _, _) -> {});
    ExecutionRun prepared =
        ExecutionRun.read(
            ConfigFiles.parse("run", run.withData(made.settings()).toConfig().toYaml()), _ -> {});

    PreparedData again =
        PreparedData.of(
            prepared,
            new RunFolder(folder.resolve("elsewhere")),
            (what, _, _) -> {
              throw new AssertionError(what);
            });

    assertThat(again.settings()).isEqualTo(made.settings());
    assertThat(again.orders(Tag.TEST).size()).isEqualTo(made.orders(Tag.TEST).size());
    assertThat(folder.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void dataThatOtherSettingsMadeAreNotUsed() {
    PreparedData.of(small(), new RunFolder(folder), (_, _, _) -> {});
    var other =
        small().withData(BarData.DEFAULT.withMarket(SyntheticConfig.DEFAULT.withSize(3, 12)));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> PreparedData.of(other, new RunFolder(folder), (_, _, _) -> {}))
        .withMessageContaining("or another --out");
  }
}
