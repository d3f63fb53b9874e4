package io.tranche.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.config.ConfigException;
import io.tranche.market.Side;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.StateDict;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  /// Outputs far beyond what squashing can tell apart.
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "beta"})
  void saturatedActionsAreTheEndsOfTheirRange(String head) {
    assertThat(firstVolume(head, "error", 3e38f, -3e38f))
        .isCloseTo(1e6 * 4 * 30 / 239, within(1e-6));
    assertThat(firstVolume(head, "error", -3e38f, 3e38f)).isZero();
    assertThatThrownBy(() -> firstVolume(head, "bound", Float.NaN, 0))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("actor.layer_out.0.bias not finite");
  }

  /// Returns the first volume of an actor whose outputs are these.
  private static double firstVolume(String head, String invalid, float... outputs) {
    ModelSpec spec =
        TestModel.spec(
            TestModel.RECURRENT,
            "{class: Ppo, kwargs: {learning_rate: 0.001, head: %s, invalid_actions: %s}}"
                .formatted(head, invalid),
            "{class: TwapRelativeInterpreter, kwargs: {max_rate: 4}}");
    TestModel model = TestModel.draw(spec, 1, 1);
    Weights weights = model.agents().getFirst().weights().parts().getFirst().weights();
    weights.load(Objects.requireNonNull(weights.parameter(ActorCritic.ACTOR + ".bias")), outputs);
    var day = new TestDay(spec, "A", new SplittableRandom(1));
    LiveOrder order =
        day.open(model.newRuntime())
            .openOrder(
                "1", Side.SELL, 1e6, TestDay.DATE.atTime(9, 30), TestDay.DATE.atTime(14, 59));
    order.decide();
    return order.volume();
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
