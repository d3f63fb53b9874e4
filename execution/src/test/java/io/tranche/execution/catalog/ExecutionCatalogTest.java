package io.tranche.execution.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.backtest.ChildOrder;
import io.tranche.config.Catalog;
import io.tranche.config.Component;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.RewardCombination;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.QuoteInterpreter;
import io.tranche.execution.reward.AdvantagePenaltyReward;
import io.tranche.execution.reward.AdvantagePenaltyReward.Weight;
import io.tranche.execution.reward.PriceTierReward;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.feature.pipeline.FeatureConfig;
import io.tranche.market.feature.pipeline.FeaturePipeline;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutionCatalogTest {

  private static final SyntheticMarket MARKET =
      new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(2, 12));

  private static final String HANDLER =
      """
      {class: HandlerProcessedDataProvider, module_path: qlib.rl.data.native, kwargs:
        {data_dir: ./data, feature_columns_today: [$close], feature_columns_yesterday: [$close_1]}}\
      """;

  private static final String POLICY_STRATEGY =
      """
      {policy: {class: AllOne}, state_interpreter: {class: DummyInterpreter},
       action_interpreter: {class: VolumeInterpreter}}\
      """;

  /// Settings with which each name of the catalogs can be made; those not listed need none.
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry(
              "FullHistoryStateInterpreter",
              "{max_step: 8, data_ticks: 48, data_dim: 1, processed_data_provider: %s}"
                  .formatted(HANDLER)),
          Map.entry("CurrentStepStateInterpreter", "{max_step: 8}"),
          Map.entry(
              "FullHistoryInterpreter",
              "{max_steps: 8, ticks: 48, dimension: 1, features: %s}".formatted(HANDLER)),
          Map.entry("CurrentStepInterpreter", "{max_steps: 8}"),
          Map.entry("CategoricalActionInterpreter", "{values: [0.2, 2, -0.5], max_step: 4}"),
          Map.entry("CategoricalInterpreter", "{shares: 4}"),
          Map.entry("QuoteInterpreter", "{shares: [0.5, 1], offsets_bps: [market, 0, 5.5]}"),
          Map.entry("PPOReward", "{max_step: 8, start_time_index: 0, end_time_index: 46}"),
          Map.entry(
              "RewardCombination",
              "{rewards: {advantage: [{class: PAPenaltyReward}, 0.7], tier: [{class: PriceTierReward},"
                  + " 2]}}"),
          Map.entry("VariancePenalisedReward", "{risk_aversion: 0.01}"),
          Map.entry("FrontLoadedBaseline", "{urgency: 2}"),
          Map.entry(
              "AlmgrenChrissBaseline",
              "{risk_aversion: 1e-6, volatility: 0.1, temporary_impact: 1e-5}"),
          Map.entry("PovBaseline", "{participation: 0.1, days: 5}"),
          Map.entry(
              "HandlerProcessedDataProvider",
              "{data_dir: d, feature_columns_today: [], feature_columns_yesterday: []}"),
          Map.entry("PickleProcessedDataProvider", "{data_dir: d}"),
          Map.entry(
              "SingleAssetOrderExecution",
              """
              {exchange_config: {freq: 5min, deal_price: close},
               qlib_config: {provider_uri_5min: "%s"},
               executor_config: {class: NestedExecutor, module_path: qlib.backtest.executor, kwargs: {
                 time_per_step: 1day,
                 inner_strategy: {class: ProxySAOEStrategy, kwargs: {data_granularity: 5}},
                 inner_executor: {class: NestedExecutor, kwargs: {
                   time_per_step: 30min,
                   inner_strategy: {class: TWAPStrategy},
                   inner_executor: {class: SimulatorExecutor, kwargs: {time_per_step: 5min}}}}}}}\
              """
                  .formatted(Shared.root().resolve("conformance/golden/dataset/bin_5min"))),
          Map.entry("PolicyStrategy", POLICY_STRATEGY),
          Map.entry("SAOEIntStrategy", POLICY_STRATEGY));

  @TempDir private Path folder;

  private ConfigNode yaml(String text) throws IOException {
    return ConfigFiles.load(Files.writeString(folder.resolve("part.yml"), text));
  }

  private static String settings(String name) {
    return SETTINGS.getOrDefault(name, "{}");
  }

  private ComponentSpec spec(String name, String settings) throws IOException {
    return ComponentSpec.from(yaml("class: %s\nkwargs: %s\n".formatted(name, settings)));
  }

  @Test
  void theRealisticSimulatorDecidesAtTheStepsBelowItsOwnLevel() throws IOException {
    String name = "SingleAssetOrderExecution";

    assertThat(ExecutionCatalog.simulators(1).make(spec(name, settings(name))).minutesPerStep())
        .isEqualTo(30);
  }

  @Test
  void everyNameCanBeMade() throws IOException {
    var names = new ArrayList<String>();
    names.addAll(makeAll(ExecutionCatalog.simulators(1)));
    names.addAll(makeAll(ExecutionCatalog.stateInterpreters(null)));
    names.addAll(makeAll(ExecutionCatalog.actionInterpreters()));
    names.addAll(makeAll(ExecutionCatalog.rewards()));
    names.addAll(makeAll(ExecutionCatalog.policies(MARKET)));
    names.addAll(
        makeAll(
            ExecutionCatalog.strategies(
                StrategySources.of(MARKET, _ -> (_, _, _, _) -> (_, _) -> Double.NaN))));
    names.addAll(makeAll(ExecutionCatalog.featureSources(5)));

    assertThat(names).hasSizeGreaterThan(30).containsAll(SETTINGS.keySet());
    assertThat(names).noneMatch(name -> name.contains("Oracle") || name.contains("Hindsight"));
  }

  private <T> List<String> makeAll(Catalog<T> catalog) throws IOException {
    for (Component<T> component : catalog.components()) {
      if (List.of("FeatureStore", "BarFiles", "ComputedFeatures").contains(component.name())) {
        continue; // open their folders at once: see below
      }
      String settings = settings(component.name());
      T made = catalog.make(spec(component.name(), settings));
      // Each of Qlib's modules that it may be named with gives the same.
      for (String module : component.modulePaths()) {
        assertThat(catalog.make(spec(module + "." + component.name(), settings)))
            .hasSameClassAs(made);
      }
      requireEffect(catalog, component.name(), settings, made);
    }
    return catalog.components().stream().map(Component::name).toList();
  }

  /// Settings are read, not only accepted: a name that takes some is refused with a wrong one.
  private <T> void requireEffect(Catalog<T> catalog, String name, String settings, T made)
      throws IOException {
    String wrong =
        settings.equals("{}") ? "{nonsense: 1}" : settings.replaceFirst("\\{", "{nonsense: 1, ");
    ComponentSpec spec = spec(name, wrong);
    assertThatThrownBy(() -> catalog.make(spec))
        .as(name + " made " + made)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nonsense");
  }

  @Test
  void featuresComeFromAStoreOfOurOwn() throws IOException {
    ConfigNode settings =
        yaml(
            """
            start: "2024-01-08"
            end: "2024-01-12"
            day_length: 48
            columns: [$open, $close]
            norm_groups: {price: 4, volume: 2}
            """);
    Path store = folder.resolve("features");
    FeaturePipeline.run(MARKET, FeatureConfig.from(settings), store, 1, (_, _, _) -> {});

    var interpreter =
        ExecutionCatalog.stateInterpreters(null)
            .make(
                spec(
                    "FullHistoryInterpreter",
                    """
                    {max_steps: 8, ticks: 48, dimension: 2,
                      features: {class: FeatureStore, kwargs: {path: "%s", today: [$close, $volume]}}}\
                    """
                        .formatted(store)));

    assertThat(interpreter).isInstanceOf(FullHistoryInterpreter.class);
    DayFeatures day =
        ExecutionCatalog.featureSources(5)
            .make(spec("FeatureStore", "{path: \"%s\", today: [$close, $volume]}".formatted(store)))
            .day(MARKET.instruments().getFirst(), LocalDate.of(2024, 1, 10));
    assertThat(day.ticks()).isEqualTo(48);
    assertThat(day.columns().today()).containsExactly("$close", "$volume");
    assertThat(day.today(47, 0)).isFinite().isNotZero();
  }

  @Test
  void featuresAreComputedFromBarsAndMirrored() throws IOException {
    Path bars = folder.resolve("bars.csv");
    Files.writeString(
        bars,
        """
        instrument,datetime,open,close,volume
        A,2024-01-08 09:30:00,10,10,100
        A,2024-01-08 09:35:00,10,11,200
        """);
    String features =
        "{class: ComputedFeatures, kwargs: {path: '%s', providers: [%s, time_of_day]}}";
    String settings = "{max_steps: 8, ticks: 2, dimension: 5, mirror: true, features: %s}";

    assertThat(
            ExecutionCatalog.stateInterpreters(null)
                .make(
                    spec(
                        "FullHistoryInterpreter",
                        settings.formatted(features.formatted(bars, "price_moves")))))
        .isInstanceOf(FullHistoryInterpreter.class);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                ExecutionCatalog.stateInterpreters(null)
                    .make(
                        spec(
                            "FullHistoryInterpreter",
                            settings.formatted(features.formatted(bars, "price_move")))))
        .withMessageContaining("providers.0")
        .withMessageContaining("price_moves");
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_train_opds.yml", "run_train_ppo.yml"})
  void thePartsOfQlibsTrainingConfigsAreMade(String name) {
    ConfigNode config = ConfigFiles.load(Shared.orSkip("qlib-run/exp_configs/" + name));

    var state =
        ExecutionCatalog.stateInterpreters(null)
            .make(ComponentSpec.from(config.required("state_interpreter")));
    var action =
        ExecutionCatalog.actionInterpreters()
            .make(ComponentSpec.from(config.required("action_interpreter")));
    var reward = ExecutionCatalog.rewards().make(ComponentSpec.from(config.required("reward")));

    assertThat(state.observationSpace()).isInstanceOf(Space.Dict.class);
    assertThat(action).isEqualTo(new CategoricalInterpreter(List.of(0.0, 0.25, 0.5, 0.75, 1.0), 8));
    if (name.contains("opds")) {
      assertThat(reward).isEqualTo(new AdvantagePenaltyReward(4, 0.01, Weight.REQUESTED));
    } else {
      assertThat(reward).isInstanceOf(PriceTierReward.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"run_backtest_opds.yml", "run_backtest_ppo.yml"})
  void thePartsOfQlibsBacktestConfigsAreMade(String name) {
    ConfigNode strategy =
        ConfigFiles.load(Shared.orSkip("qlib-run/exp_configs/" + name))
            .required("strategies")
            .required("1day")
            .required("kwargs");

    assertThat(
            ExecutionCatalog.stateInterpreters(null)
                .make(ComponentSpec.from(strategy.required("state_interpreter"))))
        .isInstanceOf(FullHistoryInterpreter.class);
    assertThat(
            ExecutionCatalog.actionInterpreters()
                .make(ComponentSpec.from(strategy.required("action_interpreter"))))
        .isInstanceOf(CategoricalInterpreter.class);
  }

  @Test
  void aMenuOfQuotesIsRead() throws IOException {
    var made =
        ExecutionCatalog.actionInterpreters()
            .make(spec("QuoteInterpreter", settings("QuoteInterpreter")));

    assertThat(made instanceof QuoteInterpreter quotes ? quotes.quoting() : made)
        .isEqualTo(
            new QuoteInterpreter.Menu(
                List.of(0.5, 1.0),
                List.of(
                    new ChildOrder.Kind.Market(),
                    new ChildOrder.Kind.Limit(0),
                    new ChildOrder.Kind.Limit(5.5))));
    assertThat(
            ExecutionCatalog.actionInterpreters()
                .make(spec("QuoteInterpreter", "{max_offset_bps: 20}"))
                .actionSpace())
        .isInstanceOf(Space.Box.class);
  }

  @Test
  void aCombinationKeepsItsOrderAndWeights() throws IOException {
    var made =
        ExecutionCatalog.rewards().make(spec("RewardCombination", settings("RewardCombination")));

    assertThat(made instanceof RewardCombination<ExecutionState>(var terms) ? terms : Map.of())
        .hasToString(
            "{advantage=Term[reward=FiniteReward[term=advantage, reward=AdvantagePenaltyReward[penalty=100.0,"
                + " scale=1.0, weight=REQUESTED]], weight=0.7],"
                + " tier=Term[reward=FiniteReward[term=tier, reward=PriceTierReward[once]],"
                + " weight=2.0]}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CurrentStepInterpreter | {} | kwargs.max_steps: expected a value, was missing",
        "CurrentStepInterpreter | {max_steps: 0}"
            + " | kwargs.max_steps: expected an integer of at least 1, was 0",
        "CurrentStepInterpreter | {max_steps: 2, max_step: 3} | kwargs: expected a key",
        "FullHistoryStateInterpreter"
            + " | {max_step: 8, data_ticks: 48, data_dim: 5, processed_data_provider: {class: No}}"
            + " | kwargs.processed_data_provider.class: expected a name",
        "DummyInterpreter | {x: 1} | kwargs: expected a key",
      })
  void aWrongStateInterpreterIsNamedByItsPath(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ExecutionCatalog.stateInterpreters(null).make(spec(name, settings)))
        .withMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CategoricalInterpreter | {shares: [0.5, 2]}"
            + " | kwargs.shares.1: expected a number in [0.0, 1.0], was 2",
        "CategoricalInterpreter | {shares: []} | kwargs.shares: expected at least one share",
        "CategoricalActionInterpreter | {values: 0}"
            + " | kwargs.values: expected an integer of at least 1, was 0",
        "QuoteInterpreter | {shares: 2, offsets_bps: [limit]}"
            + " | kwargs.offsets_bps.0: expected market or a number, was 'limit'",
        "QuoteInterpreter | {max_offset_bps: -1}"
            + " | kwargs.max_offset_bps: expected a number of at least 0.0, was -1",
      })
  void aWrongActionInterpreterIsNamedByItsPath(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ExecutionCatalog.actionInterpreters().make(spec(name, settings)))
        .withMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VariancePenalisedReward | {risk_aversion: -1}"
            + " | kwargs.risk_aversion: expected a number of at least 0.0, was -1",
        "RewardCombination | {rewards: {a: [{class: PAPenaltyReward}]}}"
            + " | kwargs.rewards.a: expected a reward and its weight",
        "RewardCombination | {rewards: {a: [{class: Nothing}, 1]}}"
            + " | kwargs.rewards.a.0.class: expected a name",
      })
  void aWrongRewardIsNamedByItsPath(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ExecutionCatalog.rewards().make(spec(name, settings)))
        .withMessageContaining(complaint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PovBaseline | {participation: 2}"
            + " | kwargs.participation: expected a fraction in (0, 1], was 2",
        "AlmgrenChrissBaseline"
            + " | {risk_aversion: 1, volatility: 1, temporary_impact: 1, permanent_impact: 2}"
            + " | kwargs.temporary_impact: expected more than half of permanent_impact, was 1",
        "FrontLoadedBaseline | {urgency: 0.5}"
            + " | kwargs.urgency: expected a number of at least 1.0, was 0.5",
      })
  void aWrongPolicyIsNamedByItsPath(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> ExecutionCatalog.policies(MARKET).make(spec(name, settings)))
        .withMessageContaining(complaint);
  }
}
