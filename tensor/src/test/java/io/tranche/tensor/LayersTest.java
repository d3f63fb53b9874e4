package io.tranche.tensor;

import static io.tranche.tensor.Numbers.assertDerivatives;
import static io.tranche.tensor.Numbers.bits;
import static io.tranche.tensor.Numbers.random;
import static io.tranche.tensor.Numbers.randomRows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Allocation;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Hand-derived derivatives equal numerical ones, lanes are independent, and nothing allocates.
class LayersTest {

  private final Weights weights = new Weights();

  @Test
  void linearGradientsAreTheDerivatives() {
    var first = Linear.withRelu(weights, "first", 5, 19);
    var second = Linear.plain(weights, "second", 19, 3);
    first.initialise(new SplittableRandom(1));
    second.initialise(new SplittableRandom(2));
    keepAwayFromTheCorner(weights.parameters().get(1));
    int count = 7;
    Rows x = randomRows(3, count, 5);
    Rows hidden = Rows.zeros(count, 19);
    Rows y = Rows.zeros(count, 3);
    float[] projection = random(4, count * 3);

    Rows dx = Rows.zeros(count, 5);
    Rows dHidden = Rows.zeros(count, 19);
    float[] gradients = new float[weights.size()];
    first.forward(count, x, hidden);
    second.forward(count, hidden, y);
    Softmax.forward(count, 3, y);
    Rows dy = Rows.of(projection.clone(), 3);
    Softmax.backward(count, 3, y, dy);
    second.backward(count, hidden, y, dy, dHidden, gradients);
    first.backward(count, x, hidden, dHidden, dx, gradients);

    Runnable forward =
        () -> {
          first.forward(count, x, hidden);
          second.forward(count, hidden, y);
          Softmax.forward(count, 3, y);
        };
    assertDerivatives(weights, forward, y.data(), projection, x.data(), dx.data(), gradients);
  }

  /// Each unit of the ReLU stays on its side, whatever the input.
  private void keepAwayFromTheCorner(Parameter bias) {
    float[] values = new float[19];
    for (int i = 0; i < 19; i++) {
      values[i] = i % 3 == 0 ? -3 : 3;
    }
    weights.load(bias, values);
  }

  @ParameterizedTest
  @CsvSource({"RNN,1", "RNN,2", "RNN,3", "LSTM,1", "LSTM,2", "LSTM,3", "GRU,1", "GRU,2", "GRU,3"})
  void recurrentGradientsAreTheDerivatives(RnnType type, int depth) {
    var rnn = new Rnn(weights, "rnn", type, 3, 6, depth);
    rnn.initialise(new SplittableRandom(depth));
    int steps = 5;
    int batch = 2;
    Rows x = randomRows(7, steps * batch, 3);
    float[] projection = random(8, steps * batch * 6);
    var pass = rnn.newPass(steps + 1, batch + 1);
    Rows dx = Rows.zeros(steps * batch, 3);
    float[] gradients = new float[weights.size()];

    pass.forward(steps, batch, x);
    System.arraycopy(projection, 0, pass.outputGradient().data(), 0, projection.length);
    pass.backward(x, dx, gradients);

    assertDerivatives(
        weights,
        () -> pass.forward(steps, batch, x),
        pass.output().data(),
        projection,
        x.data(),
        dx.data(),
        gradients);
  }

  @Test
  void attentionGradientsAreTheDerivatives() {
    var attention = new Attention(weights, "", 3, 4);
    attention.initialise(new SplittableRandom(5));
    Rows q = randomRows(1, 2 * 3, 3);
    Rows k = randomRows(2, 2 * 5, 3);
    Rows v = randomRows(3, 2 * 5, 3);
    int[] visible = {1, 3, 5, 5, 2, 1};
    float[] projection = random(4, 6 * 4);
    var pass = attention.newPass(2, 3, 5);
    float[] gradients = new float[weights.size()];
    Rows dq = Rows.zeros(6, 3);
    Rows dk = Rows.zeros(10, 3);
    Rows dv = Rows.zeros(10, 3);

    pass.forward(2, 3, 5, q, k, v, visible);
    pass.backward(q, k, v, Rows.of(projection, 4), dq, dk, dv, gradients);

    Runnable forward = () -> pass.forward(2, 3, 5, q, k, v, visible);
    float[] y = pass.output().data();
    assertDerivatives(weights, forward, y, projection, q.data(), dq.data(), gradients);
    assertDerivatives(weights, forward, y, projection, k.data(), dk.data(), gradients);
    assertDerivatives(weights, forward, y, projection, v.data(), dv.data(), gradients);
  }

  @ParameterizedTest
  @CsvSource({"RNN,1,5", "RNN,2,64", "LSTM,1,17", "LSTM,3,64", "GRU,1,64", "GRU,2,21", "GRU,3,8"})
  void batchedSingleAndStreamedGiveTheSameBits(RnnType type, int depth, int hidden) {
    var rnn = new Rnn(weights, "rnn", type, 6, hidden, depth);
    rnn.initialise(new SplittableRandom(hidden));
    int steps = 11;
    int batch = 9;
    Rows x = randomRows(1, steps * batch, 6);
    var together = rnn.newPass(steps, batch);
    together.forward(steps, batch, x);
    var forward = rnn.newForwardPass(steps, batch);
    forward.forward(steps, batch, x);
    assertThat(bits(forward.output().data(), 0, steps * batch * hidden))
        .isEqualTo(bits(together.output().data(), 0, steps * batch * hidden));
    var alone = rnn.newPass(steps, 1);
    var stream = rnn.newStream(3);
    for (int lane = 0; lane < batch; lane++) {
      Rows own = Rows.zeros(steps, 6);
      Rows fed = Rows.zeros(3, 6);
      for (int step = 0; step < steps; step++) {
        System.arraycopy(x.data(), x.offset(step * batch + lane), own.data(), step * 6, 6);
      }
      alone.forward(steps, 1, own);
      stream.reset(0, 3);
      for (int step = 0; step < steps; step++) {
        System.arraycopy(own.data(), step * 6, fed.data(), 6, 6);
        stream.step(1, 2, fed);

        int[] expected = bits(together.output().data(), (step * batch + lane) * hidden, hidden);
        assertThat(bits(alone.output().data(), step * hidden, hidden)).isEqualTo(expected);
        assertThat(bits(stream.output().data(), hidden, hidden)).isEqualTo(expected);
      }
    }
  }

  @Test
  void aForwardPassRefusesToGoBackward() {
    var rnn = new Rnn(weights, "rnn", RnnType.GRU, 3, 4, 1);
    Rows x = randomRows(1, 2, 3);
    var pass = rnn.newForwardPass(2, 1);
    pass.forward(2, 1, x);

    assertThatThrownBy(() -> pass.backward(x, null, new float[weights.size()]))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void attentionOnAGrowingMemoryGivesTheBitsOfTheCausalPass() {
    var attention = new Attention(weights, "a.", 6, 20);
    attention.initialise(new SplittableRandom(5));
    int ticks = 37;
    Rows x = randomRows(1, 2 * ticks, 6);
    int[] visible = new int[2 * ticks];
    for (int i = 0; i < 2 * ticks; i++) {
      visible[i] = i % ticks + 1;
    }
    var pass = attention.newPass(2, ticks, ticks);
    pass.forward(2, ticks, ticks, x, x, x, visible);
    var memory = attention.newMemory(ticks);
    for (int row = 0; row < 2 * ticks; row++) {
      if (row == ticks) {
        memory.reset();
      }
      memory.add(x.fromRow(row), x.fromRow(row));

      assertThat(bits(memory.attend(x.fromRow(row)).data()))
          .isEqualTo(bits(pass.output().data(), row * 20, 20));
    }
  }

  @ParameterizedTest
  @CsvSource({"RNN,64", "LSTM,64", "GRU,64", "GRU,27", "GRU,40"})
  void warmPassesAllocateNothing(RnnType type, int hidden) {
    var in = Linear.withRelu(weights, "in", 6, hidden);
    var rnn = new Rnn(weights, "rnn", type, hidden, hidden, 1);
    var out = Linear.plain(weights, "out", hidden, 5);
    var adam = new Adam(weights, AdamConfig.of(1e-4));
    in.initialise(new SplittableRandom(1));
    rnn.initialise(new SplittableRandom(2));
    out.initialise(new SplittableRandom(3));
    int rows = 12 * 9;
    Rows x = randomRows(1, rows, 6);
    Rows encoded = Rows.zeros(rows, hidden);
    Rows dEncoded = Rows.zeros(rows, hidden);
    Rows y = Rows.zeros(rows, 5);
    var pass = rnn.newPass(12, 9);
    var stream = rnn.newStream(1);
    float[] gradients = new float[weights.size()];
    Runnable update =
        () -> {
          in.forward(rows, x, encoded);
          pass.forward(12, 9, encoded);
          stream.step(0, 1, encoded);
          out.forward(rows, pass.output(), y);
          Softmax.forward(rows, 5, y);
          out.backward(rows, pass.output(), y, y, pass.outputGradient(), gradients);
          pass.backward(encoded, dEncoded, gradients);
          in.backward(rows, x, encoded, dEncoded, null, gradients);
          Gradients.clip(gradients, 1);
          adam.step(gradients);
        };

    assertThat(Allocation.settledBytesOf(update)).isZero();
  }

  @Test
  void warmAttentionAllocatesNothing() {
    var attention = new Attention(weights, "", 6, 32);
    attention.initialise(new SplittableRandom(1));
    Rows x = randomRows(1, 2 * 9, 6);
    Rows dy = randomRows(2, 2 * 9, 32);
    var pass = attention.newPass(2, 9, 9);
    var memory = attention.newMemory(4);
    float[] gradients = new float[weights.size()];
    Runnable update =
        () -> {
          pass.forward(2, 9, 9, x, x, x, null);
          pass.backward(x, x, x, dy, null, null, null, gradients);
          memory.reset();
          memory.add(x, x);
          memory.attend(x);
        };

    assertThat(Allocation.settledBytesOf(update)).isZero();
  }

  @Test
  void weightsWithALimitRefuseMoreBeforeTheyTakeMemory() {
    var weights = Weights.upTo(12);
    weights.matrix("a", 2, 5);

    assertThatThrownBy(() -> weights.matrix("b", Integer.MAX_VALUE, Integer.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("weights must be at most 12 numbers");
    weights.vector("c", 2);
    assertThat(weights.size()).isEqualTo(12);
  }
}
