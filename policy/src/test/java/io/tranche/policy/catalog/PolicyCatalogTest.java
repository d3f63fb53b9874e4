package io.tranche.policy.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.tranche.config.Component;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.dqn.Dqn;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Untrained;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.DualAttentionConfig;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.network.TransformerConfig;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.tensor.AdamConfig;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layer;
import io.tranche.tensor.layer.Layers;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyCatalogTest {

  private static final ParallelFor PARALLEL = new ParallelFor(1);
  private static final BuildContext FIVE = context(new Space.Discrete(5));
  private static final Network.Factory<FullHistoryObservation> NETWORK =
      Recurrent.factory(new RecurrentConfig(4, 3, RnnType.GRU, 1), 2);

  private static BuildContext context(Space actions) {
    return BuildContext.of(FullHistoryInterpreter.space(8, 240, 5), actions, 5);
  }

  @AfterAll
  static void dismiss() {
    PARALLEL.close();
  }

  @Test
  void makesWhatQlibsExampleAsksFor() {
    AgentSpec<FullHistoryObservation> spec =
        make(
            """
            {class: PPO, module_path: qlib.rl.order_execution.policy,
             kwargs: {lr: 0.0001, weight_file: weights/latest.pth}}""");

    assertThat(spec.weightFile()).isEqualTo("weights/latest.pth");
    assertThat(ppo(algorithm(spec))).isEqualTo(PpoConfig.QLIB.withLearningRate(1e-4));
    assertThat(spec.create(RandomTree.generator(1)))
        .isNotSameAs(spec.create(RandomTree.generator(1)));
  }

  @Test
  void acceptsEveryKeyOfQlib() {
    assertThat(
            ppo(
                """
                {class: PPO, module_path: qlib.rl.order_execution, kwargs: {lr: 0.01,
                 weight_decay: 0.1, discount_factor: 0.9, max_grad_norm: null,
                 reward_normalization: false, eps_clip: 0.2, value_clip: false, vf_coef: 0.5,
                 gae_lambda: 0.9, max_batch_size: 64, deterministic_eval: false,
                 weight_file: null}}"""))
        .isEqualTo(
            PpoConfig.QLIB
                .withOptimiser(AdamConfig.of(0.01).withWeightDecay(0.1))
                .withDiscount(0.9)
                .withLambda(0.9)
                .withClip(0.2)
                .withNormalizedRewards(false)
                .withValueWeight(0.5)
                .withMaxNorm(0)
                .withDeterministicEvaluation(false));
    Algorithm<FullHistoryObservation> made =
        algorithm(
            """
            {class: DQN, module_path: qlib.rl.order_execution.policy, kwargs: {lr: 0.01,
             weight_decay: 0.1, discount_factor: 0.9, estimation_step: 2, target_update_freq: 3,
             reward_normalization: false, is_double: false, clip_loss_grad: true}}""");

    assertThat(dqn(made))
        .isEqualTo(
            DqnConfig.QLIB
                .withOptimiser(AdamConfig.of(0.01).withWeightDecay(0.1))
                .withDiscount(0.9)
                .withSteps(2)
                .withTargetInterval(3)
                .withDoubles(false)
                .withLoss(DqnConfig.Loss.HUBER));
    ValueAgent<FullHistoryObservation> agent = ((Dqn<FullHistoryObservation>) made).agent();
    assertThat(agent.target()).isNotNull();
    assertThat(agent.model().weights().parameter("model.layer_out.0.weight")).isNotNull();
  }

  @Test
  void acceptsEveryNativeKey() {
    assertThat(
            ppo(
                """
                {class: Ppo, kwargs: {learning_rate: 0.01, weight_decay: 0, discount: 1,
                 lambda: 0.9, clip: 0.2, dual_clip: 3, value_clip: true, value_weight: 1,
                 entropy_weight: 0, max_norm: 0, normalize_rewards: true,
                 normalize_advantages: true, advantage_epsilon: 0.00001,
                 recompute_advantages: true, deterministic_evaluation: true}}"""))
        .isEqualTo(
            PpoConfig.DEFAULT
                .withLearningRate(0.01)
                .withLambda(0.9)
                .withClip(0.2)
                .withDualClip(3.0)
                .withEntropyWeight(0)
                .withMaxNorm(0)
                .withAdvantageEpsilon(1e-5)
                .withRecomputedAdvantages(true));
    assertThat(
            dqn(
                """
                {class: Dqn, kwargs: {learning_rate: 0.01, weight_decay: 0, discount: 0.99,
                 steps: 3, target_interval: 0, double: false, loss: squared, max_norm: 1,
                 minibatches: 4, exploration: {start: 0.5, end: 0.1, duration: 100,
                 fade: exponential, clock: steps}}}"""))
        .isEqualTo(
            DqnConfig.DEFAULT
                .withLearningRate(0.01)
                .withDiscount(0.99)
                .withSteps(3)
                .withTargetInterval(0)
                .withDoubles(false)
                .withLoss(DqnConfig.Loss.SQUARED)
                .withMaxNorm(1)
                .withMinibatches(4)
                .withExploration(
                    new Exploration(
                        0.5, 0.1, 100, Exploration.Fade.EXPONENTIAL, Exploration.Clock.STEPS)));
    Weights weights =
        algorithm("{class: QuantileDqn, kwargs: {learning_rate: 0.01, quantiles: 7, tail: 0.25}}")
            .agent()
            .weights()
            .parts()
            .getFirst()
            .weights();

    assertThat(weights.parameter("model.layer_out.0.bias"))
        .isNotNull()
        .satisfies(bias -> assertThat(bias.rows()).isEqualTo(35));
  }

  @Test
  void nothingMoreThanARateIsRequired() {
    List<String> names = PolicyCatalog.agents().components().stream().map(Component::name).toList();
    assertThat(names).containsExactly("PPO", "DQN", "AllOne", "Ppo", "Sac", "Dqn", "QuantileDqn");

    assertThat(ppo("{class: PPO, kwargs: {lr: 0.002}}"))
        .isEqualTo(PpoConfig.QLIB.withLearningRate(0.002));
    assertThat(ppo("{class: Ppo, kwargs: {learning_rate: 0.002}}"))
        .isEqualTo(PpoConfig.DEFAULT.withLearningRate(0.002));
    assertThat(dqn("{class: DQN, kwargs: {lr: 0.002}}"))
        .isEqualTo(DqnConfig.QLIB.withLearningRate(0.002));
    assertThat(dqn("{class: Dqn, kwargs: {learning_rate: 0.002}}"))
        .isEqualTo(DqnConfig.DEFAULT.withLearningRate(0.002));
    assertThat(dqn("{class: QuantileDqn, kwargs: {learning_rate: 0.002}}"))
        .isEqualTo(DqnConfig.QUANTILES.withLearningRate(0.002));
    assertThat(algorithm("{class: AllOne, kwargs: {}}")).isInstanceOf(Untrained.class);
  }

  private static PpoConfig ppo(String text) {
    return ppo(algorithm(text));
  }

  private static PpoConfig ppo(Algorithm<FullHistoryObservation> made) {
    return ((Ppo<FullHistoryObservation>) made).config();
  }

  private static DqnConfig dqn(String text) {
    return dqn(algorithm(text));
  }

  private static DqnConfig dqn(Algorithm<FullHistoryObservation> made) {
    return ((Dqn<FullHistoryObservation>) made).config();
  }

  @Test
  void aNativePpoWithoutNormalRewardsDoesNotClipValues() {
    PpoConfig made = ppo("{class: Ppo, kwargs: {learning_rate: 0.01, normalize_rewards: false}}");

    assertThat(made.normalizesRewards()).isFalse();
    assertThat(made.valueClip()).isFalse();
  }

  @Test
  void allOneNeedsNeitherANetworkNorChoices() {
    var real = context(Space.Box.scalar(ElementType.FLOAT32, 0, 10));

    assertThat(
            algorithm(
                PolicyCatalog.agent(
                    node("{class: AllOne, module_path: qlib.rl.order_execution.policy}"),
                    null,
                    real)))
        .isInstanceOf(Untrained.class);
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> PolicyCatalog.agent(node("{class: PPO, kwargs: {lr: 1}}"), null, real))
        .withMessageContaining("expected a network beside the policy, was none");
  }

  @ParameterizedTest
  @ValueSource(strings = {"PPO", "DQN"})
  void actionsMustBeDiscrete(String name) {
    var real = context(Space.Box.scalar(ElementType.FLOAT32, 0, 1));

    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                PolicyCatalog.agent(
                    node("{class: %s, kwargs: {lr: 1}}".formatted(name)), NETWORK, real))
        .withMessageContaining("expected an action interpreter whose actions are discrete");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PPO | {}                                                | kwargs.lr: expected a value
          PPO | {lr: 0}                                           | kwargs.lr: expected a positive
          PPO | {lr: 1, weight_decay: -1}                         | kwargs.weight_decay
          PPO | {lr: 1, discount_factor: 1.1}                     | kwargs.discount_factor
          PPO | {lr: 1, gae_lambda: -0.1}                         | kwargs.gae_lambda
          PPO | {lr: 1, max_batch_size: 0}                        | kwargs.max_batch_size
          PPO | {lr: 1, reward_normalization: false}              | value_clip only together with
          PPO | {lr: 1, value_clip: true, reward_normalization: false} | kwargs.value_clip
          PPO | {lr: 1, dual_clip: 2}                             | dual_clip
          PPO | {lr: 1, weight_file: 3}                           | kwargs.weight_file
          DQN | {lr: 1, reward_normalization: true}               | kwargs.reward_normalization
          DQN | {lr: 1, estimation_step: 0}                       | kwargs.estimation_step
          DQN | {lr: 1, discount_factor: 2}                       | kwargs.discount_factor
          DQN | {lr: 1, epsilon: 0.1}                             | epsilon
          Ppo | {lr: 1}                                           | learning_rate
          Ppo | {learning_rate: 1, dual_clip: 1}                  | kwargs.dual_clip: expected a number above 1
          Ppo | {learning_rate: 1, value_clip: true, normalize_rewards: false} | kwargs.value_clip
          Dqn | {learning_rate: 1, loss: absolute}                | kwargs.loss: expected squared or huber
          Dqn | {learning_rate: 1, target_interval: -1}           | kwargs.target_interval
          Dqn | {learning_rate: 1, minibatches: 0}                | kwargs.minibatches
          Dqn | {learning_rate: 1, quantiles: 3}                  | quantiles
          Dqn | {learning_rate: 1, exploration: {start: 2}}       | kwargs.exploration.start
          Dqn | {learning_rate: 1, exploration: {duration: -1}}   | kwargs.exploration.duration
          Dqn | {learning_rate: 1, exploration: {speed: 1}}       | speed
          QuantileDqn | {learning_rate: 1, quantiles: 1}          | kwargs.quantiles: expected an integer of at least 2
          QuantileDqn | {learning_rate: 1, tail: 0}               | kwargs.tail
          AllOne | {fill: 1}                                      | fill
          """)
  void refusesWithThePlaceAndTheRule(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> make("{class: %s, kwargs: %s}".formatted(name, settings)))
        .withMessageContaining(complaint);
  }

  @Test
  void knowsQlibsModulesOnly() {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(() -> make("{class: PPO, module_path: tianshou.policy, kwargs: {lr: 1}}"))
        .withMessageContaining("qlib.rl.order_execution.policy");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Recurrent        | {}                                                     | 32
          Recurrent        | {hidden_dim: 8, output_dim: 6, rnn_type: lstm, rnn_num_layers: 2} | 6
          RecurrentNetwork | {}                                                     | 32
          RecurrentNetwork | {hidden: 8, output: 6, cell: rnn, depth: 3}            | 6
          """)
  void makesNetworks(String name, String settings, int width) {
    Network<FullHistoryObservation> network =
        PolicyCatalog.<FullHistoryObservation>network(
                node("{class: %s, kwargs: %s}".formatted(name, settings)), FIVE)
            .create(new Weights(), "");

    assertThat(network.width()).isEqualTo(width);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Recurrent        | {hidden_dim: 0}        | kwargs.hidden_dim
          Recurrent        | {rnn_type: transformer} | kwargs.rnn_type: expected rnn, lstm or gru
          Recurrent        | {hidden: 8}            | hidden_dim
          RecurrentNetwork | {hidden_dim: 8}        | hidden
          """)
  void refusesNetworks(String name, String settings, String complaint) {
    assertThatExceptionOfType(ConfigException.class)
        .isThrownBy(
            () ->
                PolicyCatalog.network(
                    node("{class: %s, kwargs: %s}".formatted(name, settings)), FIVE))
        .withMessageContaining(complaint);
  }

  @Test
  void typedSettingsAreReadAgainFromTheirDescription() {
    PpoConfig ppo =
        PpoConfig.DEFAULT.withLearningRate(3e-4).withDualClip(3.0).withNormalizedRewards(false);
    DqnConfig dqn = DqnConfig.DEFAULT.withSteps(3).withLoss(DqnConfig.Loss.SQUARED);
    DqnConfig quantiles = DqnConfig.QUANTILES.withQuantiles(7, 0.5);

    assertThat(described(PolicyCatalog.describe(ppo)))
        .isEqualTo(new PpoSpec<>(NETWORK, new Categorical(5), ppo, null));
    assertThat(described(PolicyCatalog.describe(dqn)))
        .isEqualTo(new DqnSpec<>(NETWORK, 5, dqn, null));
    assertThat(described(PolicyCatalog.describe(quantiles)))
        .isEqualTo(new DqnSpec<>(NETWORK, 5, quantiles, null));
    for (DayNetworkConfig network :
        List.of(
            RecurrentConfig.DEFAULT.withDepth(2).withType(RnnType.LSTM),
            DualAttentionConfig.DEFAULT.withHidden(8),
            TransformerConfig.DEFAULT.withTicks(390),
            LayersConfig.of(
                Layers.concat(
                    Layers.sequence(Layers.dense(6), Layers.tanh()),
                    Layers.sequence(Layers.gru(2))),
                Layers.norm(),
                Layers.positions(240),
                Layers.residual(Layers.attention(2), Layers.dropout(0.5), Layers.sigmoid()),
                Layers.relu(),
                Layers.lstm(3)))) {
      assertThat(
              PolicyCatalog.<FullHistoryObservation>network(
                  Objects.requireNonNull(PolicyCatalog.describe(network)), FIVE))
          .isEqualTo(new DayNetworkFactory<>(network, 5));
    }
  }

  @Test
  void settingsThatAConfigurationCannotSayHaveNoDescription() {
    assertThat(PolicyCatalog.describe(DqnConfig.QLIB)).isNull();
    Layer.Factory own = (weights, name, inputs) -> Layers.dense(5).create(weights, name, inputs);
    assertThat(PolicyCatalog.describe(LayersConfig.of(Layers.residual(own)))).isNull();
    assertThat(
            PolicyCatalog.describe(
                PpoConfig.DEFAULT.withOptimiser(new AdamConfig(1e-3, 0.8, 0.9, 1e-8, 0))))
        .isNull();
  }

  private static AgentSpec<FullHistoryObservation> described(@Nullable ConfigNode node) {
    return PolicyCatalog.agent(Objects.requireNonNull(node), NETWORK, FIVE);
  }

  private static Algorithm<FullHistoryObservation> algorithm(String yaml) {
    return algorithm(make(yaml));
  }

  private static Algorithm<FullHistoryObservation> algorithm(
      AgentSpec<FullHistoryObservation> spec) {
    return spec.algorithm(spec.create(RandomTree.generator(0)), null, PARALLEL);
  }

  private static AgentSpec<FullHistoryObservation> make(String yaml) {
    return PolicyCatalog.agent(node(yaml), NETWORK, FIVE);
  }

  private static ConfigNode node(String yaml) {
    return ConfigFiles.parse("test.yml", yaml);
  }
}
