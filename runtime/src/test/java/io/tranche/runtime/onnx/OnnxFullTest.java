package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.weights.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The full graph in ONNX Runtime against our own engine.
class OnnxFullTest {

  private static final String PPO = "{class: Ppo, kwargs: {learning_rate: 0.001}}";
  private static final String NETWORK =
      "{class: RecurrentNetwork, kwargs: {hidden: 12, output: 6}}";

  static Stream<Arguments> models() {
    var all = new ArrayList<Arguments>();
    for (String cell : List.of("gru", "lstm", "rnn")) {
      for (int depth = 1; depth <= 3; depth++) {
        all.add(
            Arguments.of(
                "{class: RecurrentNetwork, kwargs: {hidden: %d, output: 7, cell: %s, depth: %d}}"
                    .formatted(11 - depth, cell, depth),
                PPO,
                2 + depth,
                20 * depth,
                3 + depth));
      }
      all.add(
          Arguments.of(
              "{class: DualAttention, kwargs: {hidden: 8, output: 6, cell: %s, depth: 2}}"
                  .formatted(cell),
              PPO,
              3,
              30,
              4));
    }
    all.add(Arguments.of("{class: Recurrent}", PPO, 6, TrainedModel.TICKS, 8));
    all.add(Arguments.of("{class: DualAttention}", PPO, 6, 48, 8));
    all.add(Arguments.of("{class: CausalTransformer}", PPO, 6, 60, 8));
    all.add(
        Arguments.of(
            "{class: Layers, kwargs: {hidden: 7, output: 6, layers: [dense: 8, relu, positions: 240,"
                + " residual: [norm, attention: 2, dense: 8], dropout: 0.1,"
                + " concat: [[gru: {width: 3, depth: 2}, tanh], lstm: 4, sigmoid], rnn: 5]}}",
            PPO,
            3,
            60,
            4));
    all.add(
        Arguments.of(
            "{class: CausalTransformer,"
                + " kwargs: {hidden: 9, output: 4, heads: 3, depth: 1, inner: 5, ticks: 40}}",
            PPO,
            1,
            31,
            1));
    for (int width : new int[] {0, 3}) {
      all.add(Arguments.of("{class: Mlp}", PPO, width, 40, 8));
      all.add(
          Arguments.of(
              "{class: Mlp, kwargs: {layers: [dense: 8, norm, tanh, residual: [dense: 8, dropout:"
                  + " 0.2], concat: [[gru: 4, sigmoid], attention: 2]]}}",
              "{class: Dqn, kwargs: {learning_rate: 0.001}}",
              width,
              40,
              8));
    }
    all.add(Arguments.of(NETWORK, "{class: PPO, kwargs: {lr: 0.001}}", 3, 25, 5));
    all.add(Arguments.of(NETWORK, "{class: DQN, kwargs: {lr: 0.001}}", 3, 25, 5));
    all.add(Arguments.of(NETWORK, "{class: Dqn, kwargs: {learning_rate: 0.001}}", 3, 25, 5));
    all.add(
        Arguments.of(NETWORK, "{class: QuantileDqn, kwargs: {learning_rate: 0.001}}", 3, 25, 5));
    all.add(
        Arguments.of(
            NETWORK,
            "{class: QuantileDqn, kwargs: {learning_rate: 0.001, quantiles: 7, tail: 0.3}}",
            3,
            25,
            5));
    return all.stream();
  }

  @ParameterizedTest
  @MethodSource("models")
  void saysWhatOurEngineSays(String network, String policy, int width, int ticks, int steps)
      throws OrtException {
    TrainedModel model = TrainedModel.of(network, policy, width, steps, 7);
    var random = new SplittableRandom(ticks);
    try (var session = new OnnxSession(model.onnx().full())) {
      for (int batch : new int[] {1, 3, 32}) {
        var observations = new ArrayList<FullHistoryObservation>();
        for (int i = 0; i < batch; i++) {
          var day = RandomDay.of(random, ticks, width);
          int step = random.nextInt(steps);
          var order = RandomDay.Order.of(random, random.nextBoolean(), step + 1, steps);
          // The ends of the day are where readings go wrong.
          int tick = i == 0 ? 0 : i == 1 ? ticks - 1 : random.nextInt(ticks);
          observations.add(day.observe(tick, order, step));
        }
        Tensor said = session.run(observations).of(model.output());
        assertThat(said.shape()).containsExactly(batch, TrainedModel.CHOICES);
        assertThat(said.toArray()).containsExactly(model.values(observations), within(1e-5f));
        assertThat(Best.of(said)).containsExactly(model.choices(observations));
      }
    }
  }
}
