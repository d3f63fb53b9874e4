package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadedModelTest {

  private static final StateDict NONE = new StateDict(Map.of());

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {class: VolumeInterpreter}
          {class: TwapRelativeInterpreter}
          """)
  void actionsWithoutABoundCannotRunLive(String actions) {
    ModelSpec spec = TestModel.spec(TestModel.RECURRENT, TestModel.PPO, actions);

    assertThatThrownBy(() -> LoadedModel.of(spec, List.of(NONE)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("whose actions are discrete or have finite bounds");
  }

  @Test
  void aPolicyWithoutANetworkCannotRunLive() {
    ModelSpec spec =
        TestModel.spec(
            TestModel.RECURRENT,
            "{class: AllOne, module_path: qlib.rl.order_execution}",
            TestModel.SHARES);

    assertThatThrownBy(() -> LoadedModel.of(spec, List.of(NONE)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("policy: expected one that can decide tick by tick, was RuleAgent");
  }

  @Test
  void weightsOfAnotherModelAreRefused() {
    assertThatThrownBy(() -> LoadedModel.of(TestModel.plainSpec(), List.of(NONE)))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("weights 0: expected the weights of this model");
    assertThatThrownBy(() -> LoadedModel.of(TestModel.plainSpec(), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aDayThatIsTooLongForTheNetworkIsRefusedAtOnce() {
    ModelSpec spec =
        TestModel.spec(
            "{class: CausalTransformer, kwargs: {hidden: 4, heads: 1, ticks: 100}}",
            TestModel.PPO,
            TestModel.SHARES);
    TestModel model = TestModel.draw(spec, 1, 1);

    assertThatThrownBy(model::load)
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected a network for days of 240 ticks")
        .hasMessageContaining("at most 100 ticks");
  }

  @Test
  void columnsThatCannotBeMirroredAreRefused() {
    ModelSpec plain = TestModel.plainSpec();
    var spec =
        plain
            .withMirrors(true)
            .withFeatures(
                new GivenFeatures(
                    new FeatureColumns(
                        List.of("high", "a", "b", "c"), List.of("high", "a", "b", "c"))));
    StateDict weights = TestModel.draw(plain, 1, 1).agents().getFirst().weights().stateDict();

    assertThatThrownBy(() -> LoadedModel.of(spec, List.of(weights)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("features: expected columns that can be mirrored");
  }

  @Test
  void warmingUpChangesNothing() {
    LoadedModel model = TestModel.draw(TestModel.plainSpec(), 1, 1).load();
    byte[] before = new DecisionRuntime(model).snapshot();

    model.warmUp();

    assertThat(new DecisionRuntime(model).snapshot()).isEqualTo(before);
  }

  @Test
  void modelsAreToldApartByTheirFingerprint() {
    String first = TestModel.draw(TestModel.plainSpec(), 1, 1).load().fingerprint();

    assertThat(TestModel.draw(TestModel.plainSpec(), 1, 1).load().fingerprint()).isEqualTo(first);
    assertThat(TestModel.draw(TestModel.plainSpec(), 1, 2).load().fingerprint())
        .isNotEqualTo(first);
    assertThat(TestModel.draw(TestModel.plainSpec().withQlib(true), 1, 1).load().fingerprint())
        .isNotEqualTo(first);
  }
}
