package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.weights.Tensor;
import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The streaming graphs in ONNX Runtime over a whole day, against our own engine.
class OnnxStreamTest {

  private static final String PPO = "{class: Ppo, kwargs: {learning_rate: 0.001}}";
  private static final int TICKS = TrainedModel.TICKS;
  private static final int WIDTH = 5;
  private static final int STEPS = 8;
  private static final int TICKS_PER_STEP = 30;

  /// Ours encodes the day anew for each of these.
  private static final int TICKS_PER_FIRST = Cases.count(11, 1);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{class: Mlp, kwargs: {widths: [9, 8]}}",
        "{class: Mlp, kwargs: {layers: [dense: 8, tanh, residual: [norm, dense: 8]]}}",
        "{class: Recurrent}",
        "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 6, cell: gru, depth: 3}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 9, output: 6, cell: lstm, depth: 1}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 6, cell: lstm, depth: 2}}",
        "{class: RecurrentNetwork, kwargs: {hidden: 8, output: 6, cell: rnn, depth: 2}}",
        "{class: DualAttention, kwargs: {hidden: 8, output: 6, cell: gru, depth: 1}}",
        "{class: DualAttention, kwargs: {hidden: 8, output: 6, cell: lstm, depth: 2}}",
        "{class: CausalTransformer, kwargs: {hidden: 8, output: 6, heads: 2, depth: 1, inner: 9}}",
        "{class: CausalTransformer, kwargs: {hidden: 8, output: 6, heads: 2, depth: 3, inner: 9}}",
        "{class: Layers, kwargs: {hidden: 7, output: 6, layers: [dense: 8, relu, positions: 240,"
            + " residual: [norm, attention: 2, dense: 8], dropout: 0.1,"
            + " concat: [[gru: {width: 3, depth: 2}, tanh], lstm: 4, sigmoid], rnn: 5]}}"
      })
  void saysWhatOurEngineSaysAllDayLong(String network) throws OrtException {
    TrainedModel model = TrainedModel.of(network, PPO, WIDTH, STEPS, 3);
    var random = new SplittableRandom(5);
    RandomDay day = RandomDay.of(random, TICKS, WIDTH);
    List<RandomDay.Order> orders =
        List.of(
            RandomDay.Order.of(random, true, STEPS, STEPS),
            RandomDay.Order.of(random, false, STEPS, STEPS));
    OnnxModel onnx = model.onnx();
    var observations = new ArrayList<FullHistoryObservation>();
    var said = new ArrayList<Tensor>();
    try (var ticks = new OnnxSession(Objects.requireNonNull(onnx.tick()));
        var decisions = new OnnxSession(onnx.decision())) {
      Map<String, Object> market = ticks.begin(1);
      market.putAll(opening(onnx, day));
      Map<String, Object> privates = decisions.begin(orders.size());
      for (int tick = 0; tick < TICKS; tick++) {
        // Before the first tick comes a row of zeros.
        market.put("row", Tensor.of(List.of(1, WIDTH), day.row(tick - 1)));
        OnnxSession.Given read = ticks.advance(market);
        if (tick % TICKS_PER_FIRST == 0) {
          // A first decision, of which nothing is kept.
          observe(day, tick, orders, 0, observations);
          said.add(decide(decisions, decisions.begin(orders.size()), read, orders, 0));
        }
        if (tick % TICKS_PER_STEP == 0) {
          int step = tick / TICKS_PER_STEP;
          observe(day, tick, orders, step, observations);
          said.add(decide(decisions, privates, read, orders, step));
        }
      }
    }
    Tensor all = rows(said);
    assertThat(all.toArray()).containsExactly(model.values(observations), within(1e-5f));
    assertThat(Best.of(all)).containsExactly(model.choices(observations));
  }

  private static void observe(
      RandomDay day,
      int tick,
      List<RandomDay.Order> orders,
      int step,
      List<FullHistoryObservation> observations) {
    orders.forEach(order -> observations.add(day.observe(tick, order, step)));
  }

  /// Puts the rows of all parts below one another.
  private static Tensor rows(List<Tensor> parts) {
    int size = parts.getFirst().size();
    float[] all = new float[parts.size() * size];
    for (int i = 0; i < parts.size(); i++) {
      System.arraycopy(parts.get(i).toArray(), 0, all, i * size, size);
    }
    return Tensor.of(List.of(all.length / TrainedModel.CHOICES, TrainedModel.CHOICES), all);
  }

  private static Map<String, Tensor> opening(OnnxModel onnx, RandomDay day) throws OrtException {
    byte[] opening = onnx.opening();
    if (opening == null) {
      return Map.of();
    }
    try (var session = new OnnxSession(opening)) {
      float[] yesterday = new float[TICKS * WIDTH];
      for (int i = 0; i < yesterday.length; i++) {
        yesterday[i] = day.yesterday().get(i);
      }
      return session
          .run(Map.of("data_processed_prev", Tensor.of(List.of(1, TICKS, WIDTH), yesterday)))
          .tensors();
    }
  }

  private static Tensor decide(
      OnnxSession decisions,
      Map<String, Object> state,
      OnnxSession.Given read,
      List<RandomDay.Order> orders,
      int step)
      throws OrtException {
    int count = orders.size();
    float[] row = read.of("day").toArray();
    float[] rows = new float[count * row.length];
    float[] positions = new float[count];
    float[] targets = new float[count];
    int[] sides = new int[count];
    for (int i = 0; i < count; i++) {
      System.arraycopy(row, 0, rows, i * row.length, row.length);
      positions[i] = orders.get(i).remained().get(step);
      targets[i] = orders.get(i).target();
      sides[i] = orders.get(i).buys() ? 1 : 0;
    }
    state.put("day", Tensor.of(List.of(count, row.length), rows));
    state.put("position", Tensor.of(List.of(count), positions));
    state.put("target", Tensor.of(List.of(count), targets));
    state.put("cur_step", new int[] {step, step});
    state.put("num_step", new int[] {STEPS, STEPS});
    state.put("acquiring", sides);
    return decisions.advance(state).of("probabilities");
  }
}
