package io.tranche.tensor.layer;

import static io.tranche.tensor.layer.Layers.attention;
import static io.tranche.tensor.layer.Layers.concat;
import static io.tranche.tensor.layer.Layers.dense;
import static io.tranche.tensor.layer.Layers.dropout;
import static io.tranche.tensor.layer.Layers.gru;
import static io.tranche.tensor.layer.Layers.lstm;
import static io.tranche.tensor.layer.Layers.norm;
import static io.tranche.tensor.layer.Layers.positions;
import static io.tranche.tensor.layer.Layers.relu;
import static io.tranche.tensor.layer.Layers.residual;
import static io.tranche.tensor.layer.Layers.sequence;
import static io.tranche.tensor.layer.Layers.sigmoid;
import static io.tranche.tensor.layer.Layers.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.tensor.Parameter;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import io.tranche.testkit.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers composed at random: derivatives, streams, dropout and names.
class CompositionTest {

  private static final int INPUTS = 5;
  private static final int STEPS = 7;
  private static final int LANES = 3;

  /// A layer of a user's own among the others.
  private static final Layer.Factory OWN = (_, _, inputs) -> new Scale(inputs, 1.5f, 1.5f);

  /// Returns one to four layers, nested up to `depth` levels.
  private static Layers.Sequence composed(RandomGenerator random, int inputs, int depth) {
    var layers = new ArrayList<Layer.Factory>();
    int width = inputs;
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      Layer.Factory next = layer(random, width, depth);
      layers.add(next);
      width = next.create(new Weights(), "", width).outputs();
    }
    return new Layers.Sequence(layers);
  }

  private static Layer.Factory layer(RandomGenerator random, int width, int depth) {
    return switch (random.nextInt(depth > 0 ? 16 : 12)) {
      case 0, 1 -> dense(random.nextInt(1, 7));
      case 2 -> sigmoid();
      case 3 -> tanh();
      case 4 -> sequence(dense(random.nextInt(2, 6)), relu());
      case 5 -> sequence(dense(6), norm());
      case 6 -> random.nextBoolean() ? gru(4) : lstm(3);
      case 7 -> sequence(dense(4), attention(2));
      case 8 -> positions(STEPS);
      case 9 -> dropout(0.5);
      case 10 ->
          new Layers.Recurrence(
              List.of(RnnType.RNN, RnnType.GRU, RnnType.LSTM).get(random.nextInt(3)),
              random.nextInt(2, 5),
              random.nextInt(1, 3));
      case 11 -> OWN;
      case 12, 13 -> residual(composed(random, width, depth - 1), dense(width));
      default -> concat(composed(random, width, depth - 1), composed(random, width, depth - 1));
    };
  }

  private static Rows drawn(long seed, int count, int width) {
    var random = new SplittableRandom(seed);
    Rows rows = Rows.zeros(count, width);
    for (int i = 0; i < rows.data().length; i++) {
      rows.data()[i] = (float) random.nextDouble(-1, 1);
    }
    return rows;
  }

  private static float[] row(Rows rows, int i) {
    return Arrays.copyOfRange(rows.data(), rows.offset(i), rows.offset(i) + rows.stride());
  }

  private static List<String> names(Layer.Factory factory) {
    var weights = new Weights();
    factory.create(weights, "day", INPUTS);
    return weights.parameters().stream().map(Parameter::name).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void gradientsOfRandomCompositionsAreTheDerivatives(long seed) {
    GradientCheck.require(composed(new SplittableRandom(seed), INPUTS, 2), INPUTS, seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {41, 42, 43, 44, 45, 46})
  void alsoWhenTheyAreNestedThreeLevelsDeep(long seed) {
    var random = new SplittableRandom(seed);
    Layer.Factory nested =
        residual(
            concat(
                residual(composed(random, INPUTS, 1), dense(INPUTS)),
                sequence(concat(composed(random, INPUTS, 1), OWN), dense(4))),
            dense(INPUTS));

    GradientCheck.require(nested, INPUTS, seed);
  }

  @Test
  void theCasesHaveEveryKindOfLayer() {
    var seen = new HashSet<String>();
    for (long seed = 1; seed <= 20; seed++) {
      note(composed(new SplittableRandom(seed), INPUTS, 2), seen);
    }

    assertThat(seen)
        .contains("Dense", "RELU", "TANH", "SIGMOID", "Norm", "Dropout", "RNN", "GRU", "LSTM")
        .contains("CausalAttention", "Places", "Residual", "Concat", "Sequence", "own");
  }

  private static void note(Layer.Factory layer, Set<String> seen) {
    switch (layer) {
      case Layers.Activation kind -> seen.add(kind.name());
      case Layers.Recurrence(RnnType type, _, _) -> seen.add(type.name());
      case Layers.Kind kind -> seen.add(kind.getClass().getSimpleName());
      default -> seen.add("own");
    }
    switch (layer) {
      case Layers.Sequence(var inner) -> inner.forEach(each -> note(each, seen));
      case Layers.Concat(var parts) -> parts.forEach(each -> note(each, seen));
      case Layers.Residual(var inner) -> note(inner, seen);
      default -> {}
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36})
  void streamsGiveTheBitsOfTheBatchAndEachLaneThoseOfItselfAlone(long seed) {
    Layer layer = composed(new SplittableRandom(seed), INPUTS, 2).create(new Weights(), "", INPUTS);
    layer.initialise(new SplittableRandom(seed));
    Rows x = drawn(seed, STEPS * LANES, INPUTS);
    Rows y = Rows.zeros(STEPS * LANES, layer.outputs());
    layer.newPass(STEPS, LANES).forward(STEPS, LANES, x, y);

    for (int lane = 0; lane < LANES; lane++) {
      Layer.Stream stream = layer.newStream(STEPS);
      Rows own = Rows.zeros(STEPS, INPUTS);
      Rows alone = Rows.zeros(STEPS, layer.outputs());
      for (int step = 0; step < STEPS; step++) {
        own.copyRow(step, INPUTS, x, step * LANES + lane);
      }
      layer.newPass(STEPS, 1).forward(STEPS, 1, own, alone);
      Rows streamed = Rows.zeros(1, layer.outputs());
      for (int step = 0; step < STEPS; step++) {
        stream.step(own.fromRow(step), streamed);
        float[] expected = row(y, step * LANES + lane);

        assertThat(row(streamed, 0)).isEqualTo(expected);
        assertThat(row(alone, step)).isEqualTo(expected);
      }
    }
  }

  @Test
  void warmPassesAndStreamsAllocateNothing() {
    var weights = new Weights();
    Layer layer =
        sequence(
                dense(8),
                relu(),
                positions(STEPS),
                residual(norm(), attention(2), dense(8)),
                concat(gru(4), lstm(4)),
                dropout(0.2),
                tanh())
            .create(weights, "", INPUTS);
    layer.initialise(new SplittableRandom(1));
    Layer.Pass pass = layer.newPass(STEPS, LANES);
    pass.training(true);
    Rows x = drawn(1, STEPS * LANES, INPUTS);
    Rows y = Rows.zeros(STEPS * LANES, layer.outputs());
    Rows dy = drawn(2, STEPS * LANES, layer.outputs());
    float[] gradients = new float[weights.size()];

    assertThat(
            Allocation.settledBytesOf(
                () -> {
                  pass.forward(STEPS, LANES, x, y);
                  pass.backward(x, y, dy, null, gradients);
                }))
        .isZero();
  }

  @Test
  void dropoutDropsInTrainingOnlyAndItsGradientsFollow() {
    int width = 1000;
    var weights = new Weights();
    Layer layer = dropout(0.25).create(weights, "drop", width);
    Layer.Pass pass = layer.newPass(1, 1);
    Rows x = Rows.zeros(1, width);
    Arrays.fill(x.data(), 1);
    Rows y = Rows.zeros(1, width);
    Rows dx = Rows.zeros(1, width);

    pass.forward(1, 1, x, y);
    assertThat(y.data()).isEqualTo(x.data());

    pass.training(true);
    pass.forward(1, 1, x, y);
    pass.backward(x, y, Rows.of(x.data().clone(), width), dx, new float[0]);
    float[] first = y.data().clone();
    int dropped = 0;
    for (float each : first) {
      dropped += each == 0 ? 1 : 0;
      assertThat(each).isIn(0f, (float) (1 / 0.75));
    }
    assertThat(dropped).isBetween(200, 300);
    assertThat(dx.data()).isEqualTo(first);

    pass.forward(1, 1, x, y);
    assertThat(y.data()).as("the same weights and row").isEqualTo(first);
    weights.vector("other", 1);
    pass.forward(1, 1, x, y);
    assertThat(y.data()).as("other weights").isNotEqualTo(first);
  }

  @Test
  void parametersHaveTorchsNames() {
    assertThat(names(sequence(dense(4), relu(), gru(3), residual(norm(), dense(3)))))
        .containsExactly(
            "day.0.weight",
            "day.0.bias",
            "day.2.weight_ih_l0",
            "day.2.weight_hh_l0",
            "day.2.bias_ih_l0",
            "day.2.bias_hh_l0",
            "day.3.0.weight",
            "day.3.0.bias",
            "day.3.1.weight",
            "day.3.1.bias");
  }

  @Test
  void wrongSizesAreRefused() {
    assertThatThrownBy(() -> names(residual(dense(4))))
        .hasMessage("residual layers must keep the width 5, was 4");
    assertThatThrownBy(() -> names(attention(2)))
        .hasMessage("heads must divide the width 5, was 2");
    assertThatThrownBy(() -> dense(0)).hasMessage("width must be at least 1, was 0");
    assertThatThrownBy(() -> dropout(1)).hasMessage("rate must be in [0, 1), was 1.0");
    assertThatThrownBy(Layers::sequence).hasMessage("number of layers must be at least 1, was 0");
  }

  /// A layer of a user's own: each number times `factor`.
  private record Scale(int outputs, float factor, float slope) implements RowLayer {

    @Override
    public void forward(int count, Rows x, Rows y) {
      for (int i = 0; i < count; i++) {
        for (int j = 0; j < outputs; j++) {
          y.data()[y.offset(i) + j] = factor * x.data()[x.offset(i) + j];
        }
      }
    }

    @Override
    public void backward(int count, Rows x, Rows y, Rows dy, @Nullable Rows dx, float[] gradients) {
      for (int i = 0; dx != null && i < count; i++) {
        for (int j = 0; j < outputs; j++) {
          dx.data()[dx.offset(i) + j] = slope * dy.data()[dy.offset(i) + j];
        }
      }
    }
  }

  @Test
  void theCheckFindsAWrongBackwardPass() {
    GradientCheck.require((_, _, inputs) -> new Scale(inputs, 3, 3), INPUTS, 1);
    GradientCheck.require(
        sequence(dense(4), (_, _, inputs) -> new Scale(inputs, 3, 3), gru(2)), INPUTS, 2);

    assertThatThrownBy(
            () -> GradientCheck.require((_, _, inputs) -> new Scale(inputs, 3, 2), INPUTS, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("gradient of the input, element 0: expected ");
  }
}
