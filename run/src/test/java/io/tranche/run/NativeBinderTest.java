package io.tranche.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.Costs;
import io.tranche.backtest.Impact;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.synthetic.SyntheticConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NativeBinderTest {

  private static final String CONFIG =
      """
      tranche: 1
      data: {market: {seed: 3}}
      """;

  private final List<String> warnings = new ArrayList<>();

  @Test
  void twoLinesAreTheRecipe() {
    ExecutionRun run = read();

    assertThat(run)
        .isEqualTo(
            ExecutionRun.DEFAULT.withData(
                DataSettings.BarData.DEFAULT.withMarket(SyntheticConfig.DEFAULT.withSeed(3))));
    assertThat(run.isQlib()).isFalse();
    assertThat(warnings).isEmpty();
  }

  @Test
  void theRecipeIsTheOneThatWasMeasured() {
    ConfigNode recipe = ExecutionRun.DEFAULT.toConfig();

    assertThat(recipe.required("network").toYaml()).contains("hidden: 32", "output: 16");
    assertThat(recipe.required("policy").toYaml())
        .contains("learning_rate: 0.001", "entropy_weight: 0.01");
    assertThat(recipe.required("trainer").toYaml())
        .contains("max_iterations: 80", "batch_size: 1024", "repeat: 5", "start_near_twap: true");
  }

  @Test
  void writesTheDefaultsOut() {
    ConfigNode resolved = read("trainer.repeat=7").toConfig();

    assertThat(resolved.required("trainer").required("repeat").asInt()).isEqualTo(7);
    assertThat(resolved.required("trainer").required("batch_size").asInt()).isEqualTo(1024);
    assertThat(resolved.required("reward").required("class").asText()).isEqualTo("HoldingReward");
    assertThat(
            ExecutionRun.read(ConfigFiles.parse("config.yml", resolved.toYaml()), warnings::add)
                .toConfig()
                .toYaml())
        .isEqualTo(resolved.toYaml());
  }

  @Test
  void costsAreAPresetOrKeysOrBoth() {
    Costs shares = Costs.preset("cn_stocks");

    assertThat(read().costs()).isEqualTo(Costs.NONE);
    assertThat(read("costs=cn_stocks").costs()).isEqualTo(shares);
    assertThat(read("costs={preset: cn_stocks, commission: 0.001, impact: {linear: 0.1}}").costs())
        .isEqualTo(shares.withCommission(0.001).withImpacts(new Impact.Linear(0.1)));
    assertThat(read("costs={minimum: 2, minimum_per: child, half_spread_bps: 3}").costs())
        .isEqualTo(Costs.NONE.withMinimum(2, Costs.Unit.CHILD).withHalfSpread(3));
  }

  @Test
  void costsAreWrittenSoThatTheyReadTheSame() {
    for (String costs :
        List.of(
            "costs=none",
            "costs=us_stocks",
            "costs={preset: crypto, impact: {square_root: 0.1, transient: {coefficient: 1, decay: 0.5}}}")) {
      ExecutionRun run = read(costs);
      ConfigNode written = ConfigFiles.parse("config.yml", run.toConfig().toYaml());

      assertThat(ExecutionRun.read(written, warnings::add).costs()).isEqualTo(run.costs());
    }
    assertThat(warnings).isEmpty();
  }

  /// `Map.of` has another order in each process, and a roll goes on only with the text that it
  /// began with.
  @Test
  void keysAreWrittenInOneOrder() {
    ConfigNode costs = read("costs={impact: {transient: {decay: 0.5, coefficient: 1}}}").toConfig();
    var formula = new DataSettings.Features.Formula("move", "$close / $open", true);

    assertThat(costs.required("costs").required("impact").required("transient").keys())
        .containsExactly("coefficient", "decay");
    assertThat(ConfigFiles.of("data", formula.toConfig()).keys())
        .containsExactly("expression", "turns");
  }

  @Test
  void theOldKeyOfAStepStillWorks() {
    ConfigNode simulator =
        read("simulator.kwargs.ticks_per_step=60").problem().simulator().describe();

    assertThat(simulator.required("kwargs").toYaml()).isEqualTo("minutes_per_step: 60\n");
    assertThat(warnings)
        .containsExactly(
            "--set:1: simulator.kwargs.ticks_per_step: write minutes_per_step instead, which means"
                + " the same");
    assertThatThrownBy(() -> read("simulator.kwargs={ticks_per_step: 60, minutes_per_step: 60}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith(
            "simulator.kwargs.ticks_per_step: expected no ticks_per_step beside minutes_per_step,"
                + " which is its new name, was 60");
  }

  @Test
  void theOldKeyOfCheckpointsStillWorks() {
    assertThat(read("trainer.checkpoint_every=5").trainer().checkpoint().every()).isEqualTo(5);
    assertThat(warnings)
        .containsExactly(
            "--set:1: trainer.checkpoint_every: write checkpoint.every_n_iters instead, which means"
                + " the same");
    assertThatThrownBy(() -> read("trainer.checkpoint_every=5", "checkpoint={every_n_iters: 5}"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(
            "checkpoint.every_n_iters: expected one of the two keys that mean the same, the other"
                + " is --set:1: trainer.checkpoint_every");
  }

  @Test
  void aComponentIsReplacedWhole() {
    ConfigNode policy =
        read("policy={class: Dqn, kwargs: {learning_rate: 0.1}}").agent().policy().describe();

    assertThat(policy.required("kwargs").keys()).containsExactly("learning_rate");
  }

  @Test
  void aComponentWithoutAClassIsTheDefaultOneWithOtherSettings() {
    ConfigNode policy = read("policy.kwargs.learning_rate=0.5").agent().policy().describe();

    assertThat(policy.required("class").asText()).isEqualTo("Ppo");
    assertThat(policy.required("kwargs").required("learning_rate").asDouble()).isEqualTo(0.5);
    assertThat(policy.required("kwargs").keys()).contains("entropy_weight");
  }

  @Test
  void threadsAreNoPartOfACheckpoint() {
    assertThat(read("runtime.threads=2").checkpointText())
        .isEqualTo(read("runtime.threads=4").checkpointText());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tranche=2 | tranche: expected version 1, was 2",
        "polcy={} | expected a key out of",
        "trainer.max_epoch=3 | trainer: expected a key out of",
        "trainer.max_iteration=3 | (nearest: max_iterations), was 'max_iteration'",
        "trainer.max_iterations=0 | trainer.max_iterations: expected an integer of at least 1, was 0",
        "trainer.episodes_per_iteration=x | trainer.episodes_per_iteration: expected an integer, was 'x'",
        "trainer.batch_size=0 | trainer.batch_size: expected an integer of at least 1, was 0",
        "trainer.repeat=0 | trainer.repeat: expected an integer of at least 1, was 0",
        "trainer.batching=episode | trainer.batching: expected a word out of [episodes, transitions] (nearest: episodes), was 'episode'",
        "trainer.buffer_size=0 | trainer.buffer_size: expected an integer of at least 1, was 0",
        "trainer.start_near_twap=1 | trainer.start_near_twap: expected true or false, was 1",
        "trainer.on_failure=stop | trainer.on_failure: expected a word out of [propagate, quarantine], was 'stop'",
        "trainer.fast_dev_run=0 | trainer.fast_dev_run: expected an integer of at least 1, was 0",
        "trainer.checkpoint_path=1 | trainer.checkpoint_path: expected a text, in quotes if need be, was 1",
        "trainer.checkpoint_every=0 | trainer.checkpoint_every: expected an integer of at least 1, was 0",
        "checkpoint.every_n_iters=0 | checkpoint.every_n_iters: expected an integer of at least 1, was 0",
        "checkpoint.every_n_iter=1 | (nearest: every_n_iters), was 'every_n_iter'",
        "checkpoint.save_latest=cpy | (nearest: copy), was 'cpy'",
        "checkpoint.time_interval=-1 | checkpoint.time_interval: expected",
        "checkpoint.keep=0 | checkpoint.keep: expected an integer of at least 1, was 0",
        "checkpoint.filename='{iter' | checkpoint.filename: expected a file name with fields such as {iter:03d}, {time} or {val/reward:.2f}, was '{iter'",
        "checkpoint.filename='a/{iter}' | checkpoint.filename: expected a file name with fields",
        "checkpoint.filename='best-{iter}' | checkpoint.filename: expected a name other than those of latest and best checkpoints, was 'best-{iter}'",
        "checkpoint={filename: one, keep: 2} | checkpoint.keep: expected no keep beside a filename without fields, of which there is one file only, was 2",
        "checkpoint={every_n_iters: null, save_on_fit_end: false} | checkpoint: expected every_n_iters, time_interval or save_on_fit_end: without them nothing is saved",
        "validation.mode=lowest | validation.mode: expected a word out of [max, min], was 'lowest'",
        "validation.min_delta=0.1 | validation.min_delta: expected a patience beside it: without one, training never stops early, was 0.1",
        "validation.baseline=1 | validation.baseline: expected a patience beside it",
        "validation.restore_best_weights=true | validation.restore_best_weights: expected a patience beside it",
        "validation={every: null, patience: 2} | validation.patience: expected no patience beside every, which says that nothing is validated, was 2",
        "validation.every=0 | validation.every: expected an integer of at least 1, was 0",
        "validation.monitor=1 | validation.monitor: expected a text, in quotes if need be, was 1",
        "validation.patience=-1 | validation.patience: expected an integer that is not negative, was -1",
        "validation.keep_best=-1 | validation.keep_best: expected an integer that is not negative, was -1",
        "validation.judge=x | validation.judge: expected true or false, was 'x'",
        "validation.guard=x | validation.guard: expected true or false, was 'x'",
        "validation={every: null, guard: true} | validation.guard: expected validation.every too, because a guard is fitted to validation orders, was true",
        "runtime.threads=0 | runtime.threads: expected an integer of at least 1, was 0",
        "runtime.seed=x | runtime.seed: expected an integer, was 'x'",
        "env.parallel_mode=threads | env.parallel_mode: expected a word out of [dummy, shmem, subproc], was 'threads'",
        "env.concurrency=0 | env.concurrency: expected an integer of at least 1, was 0",
        "data.bars=bars | data: expected either a market or bars, or else features that are a feature store",
        "data.market=null | data: expected either a market or bars, or else features that are a feature store",
        "data.market.signl=1 | data.market: expected a key out of",
        "data.market.seed=x | data.market.seed: expected an integer, was 'x'",
        "data.orders.seed=x | data.orders.seed: expected an integer, was 'x'",
        "data.orders=3 | data.orders: expected a text, in quotes if need be, was 3",
        "data.features={} | data.features.norm_groups: expected a value, was missing",
        "data.both_sides=2 | data.both_sides: expected true or false, was 2",
        "policy.class=Pppo | policy.class: expected a name out of [AllOne, DQN, Dqn, PPO, Ppo, QuantileDqn, Sac] (nearest: PPO), was 'Pppo'",
        "policy=Ppo | policy: expected a mapping, was 'Ppo'",
        "policy={class: Ppo, kwarg: {}} | policy: expected a key out of [class, kwargs, module_path] (nearest: kwargs), was 'kwarg'"
      })
  void answersAWrongValueWithItsPath(String assignment, String complaint) {
    assertThatThrownBy(() -> read(assignment))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(complaint);
  }

  private ExecutionRun read(String... assignments) {
    ConfigNode config = ConfigFiles.parse("train.yml", CONFIG);
    for (String assignment : assignments) {
      config = config.with(assignment);
    }
    return ExecutionRun.read(config, warnings::add);
  }

  @Test
  void validationChoosesByTheAdvantageAfterFeesWhereThereAreAny() {
    assertThat(monitor("")).isEqualTo("val/pa");
    assertThat(monitor("costs: us_stocks")).isEqualTo("val/net_pa");
    assertThat(monitor("costs: {half_spread_bps: 2}")).isEqualTo("val/pa"); // is in the price
    assertThat(monitor("costs: us_stocks\nvalidation: {monitor: val/pa}")).isEqualTo("val/pa");
    assertThat(monitor("costs: us_stocks\nvalidation: {guard: true}")).isEqualTo("val/lower_bound");
    ExecutionRun bars = ExecutionRun.DEFAULT.withBars(Path.of("bars.csv"));
    assertThat(bars.monitor()).isEqualTo("val/lower_bound");
    assertThat(bars.withValidation(bars.validation().withGuard(false)).monitor())
        .isEqualTo("val/pa");
  }

  private static String monitor(String more) {
    ConfigNode config = ConfigFiles.parse("test", "tranche: 1\ndata: {market: {}}\n" + more);
    ExecutionRun run = ExecutionRun.read(config, _ -> {});
    assertThat(ExecutionRun.read(run.toConfig(), _ -> {})).isEqualTo(run);
    return run.monitor();
  }
}
