package io.tranche.policy.network;

import static io.tranche.tensor.layer.Layers.attention;
import static io.tranche.tensor.layer.Layers.concat;
import static io.tranche.tensor.layer.Layers.dense;
import static io.tranche.tensor.layer.Layers.dropout;
import static io.tranche.tensor.layer.Layers.gru;
import static io.tranche.tensor.layer.Layers.lstm;
import static io.tranche.tensor.layer.Layers.norm;
import static io.tranche.tensor.layer.Layers.positions;
import static io.tranche.tensor.layer.Layers.residual;
import static io.tranche.tensor.layer.Layers.tanh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.DataException;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import io.tranche.testkit.Allocation;
import io.tranche.testkit.Derivatives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One run over a day gives every step the same features as a separate run with zeros for future
/// ticks.
class SharedPassTest {

  private static final int HIDDEN = 6;
  private static final int OUTPUT = 5;

  /// Features with one row per minute, like the ticks, and others.
  private static final int[] MINUTES = {1, 5};

  private final Weights weights = new Weights();

  static Stream<Named<Network.Factory<FullHistoryObservation>>> networks() {
    var all = new ArrayList<Named<Network.Factory<FullHistoryObservation>>>();
    for (RnnType type : RnnType.values()) {
      for (int depth = 1; depth <= 3; depth++) {
        var config = new RecurrentConfig(HIDDEN, OUTPUT, type, depth);
        all.add(
            Named.of(
                "Recurrent %s %d".formatted(type, depth), Recurrent.factory(config, Seen.WIDTH)));
      }
    }
    all.addAll(smallOnes());
    all.add(
        Named.of(
            "Mlp",
            new MlpFactory<>(
                List.of(dense(7), tanh(), residual(norm(), dense(7)), dense(OUTPUT)),
                new NetworkInput.Day(Seen.WIDTH))));
    return all.stream();
  }

  /// One of each kind.
  static List<Named<Network.Factory<FullHistoryObservation>>> smallOnes() {
    return List.of(
        Named.of(
            "Recurrent",
            Recurrent.factory(new RecurrentConfig(HIDDEN, OUTPUT, RnnType.GRU, 1), Seen.WIDTH)),
        Named.of(
            "DualAttention",
            DualAttention.factory(
                new DualAttentionConfig(HIDDEN, OUTPUT, RnnType.GRU, 1), Seen.WIDTH)),
        Named.of(
            "DualAttention LSTM 2",
            DualAttention.factory(
                new DualAttentionConfig(HIDDEN, OUTPUT, RnnType.LSTM, 2), Seen.WIDTH)),
        Named.of(
            "CausalTransformer",
            CausalTransformer.factory(
                new TransformerConfig(HIDDEN, OUTPUT, 2, 2, 9, 20), Seen.WIDTH)),
        Named.of(
            "Layers",
            LayersNetwork.factory(
                LayersConfig.of(
                        dense(HIDDEN),
                        tanh(),
                        positions(21),
                        residual(norm(), attention(2), dropout(0.1), dense(HIDDEN)),
                        concat(gru(4), lstm(3)))
                    .withHidden(HIDDEN)
                    .withOutput(OUTPUT),
                Seen.WIDTH)));
  }

  private Network<FullHistoryObservation> network(
      Network.Factory<FullHistoryObservation> factory, long seed) {
    Network<FullHistoryObservation> network = factory.create(weights, "");
    network.initialise(new SplittableRandom(seed));
    return network;
  }

  /// Returns all observations in one slice, those of one lane side by side.
  private static Slice<FullHistoryObservation> together(
      Network<FullHistoryObservation> network, List<Seen> all) {
    var lanes = new LinkedHashMap<Object, List<Integer>>();
    for (int i = 0; i < all.size(); i++) {
      lanes.computeIfAbsent(network.lane(all.get(i).observation()), _ -> new ArrayList<>()).add(i);
    }
    var slice = new Slice<FullHistoryObservation>(all.size());
    for (List<Integer> lane : lanes.values()) {
      for (int row : lane) {
        boolean isNew = row == lane.getFirst();
        slice.add(all.get(row).observation(), row, all.get(row).episode(), isNew);
      }
    }
    return slice;
  }

  private static Slice<FullHistoryObservation> alone(FullHistoryObservation observation) {
    var slice = new Slice<FullHistoryObservation>(1);
    slice.add(observation, 0, 0, true);
    return slice;
  }

  private static float[] random(long seed, int length) {
    float[] drawn = new float[length];
    var random = new SplittableRandom(seed);
    for (int i = 0; i < length; i++) {
      drawn[i] = (float) random.nextDouble(-1, 1);
    }
    return drawn;
  }

  private static float[] row(Rows rows, int i) {
    return Arrays.copyOfRange(rows.data(), rows.offset(i), rows.offset(i) + OUTPUT);
  }

  @ParameterizedTest
  @MethodSource("networks")
  void featuresAndGradientsAreThoseOfEachStepAlone(
      Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 1);
    for (int minutes : MINUTES) {
      List<Seen> all = Seen.random(minutes, minutes);
      float[] projection = random(3, all.size() * OUTPUT);
      var slice = together(network, all);
      var shared = network.newPass(all.size(), all.size());
      var own = network.newPass(1, 1);
      float[] sharedGradients = new float[weights.size()];
      float[] ownGradients = new float[weights.size()];

      shared.forward(slice);
      for (int i = 0; i < slice.size(); i++) {
        int at = slice.row(i) * OUTPUT;
        own.forward(alone(all.get(slice.row(i)).alone(0)));

        assertThat(row(shared.features(), i)).isEqualTo(row(own.features(), 0));

        System.arraycopy(projection, at, own.featureGradients().data(), 0, OUTPUT);
        own.backward(ownGradients);
        System.arraycopy(projection, at, shared.featureGradients().data(), i * OUTPUT, OUTPUT);
      }
      shared.backward(sharedGradients);

      assertSameButForTheOrderOfSums(sharedGradients, ownGradients);
    }
  }

  private void assertSameButForTheOrderOfSums(float[] actual, float[] expected) {
    // The bias of keys shifts all scores equally, so its true gradient is 0.
    double rounding = 1e-7 * largest(expected);
    for (Parameter each : weights.parameters()) {
      float[] numbers = Weights.rowMajor(each, expected);
      float[] others = Weights.rowMajor(each, actual);
      double tolerance = Math.max(rounding, 2e-5 * largest(numbers));
      for (int i = 0; i < numbers.length; i++) {
        assertThat((double) others[i]).as(each.name()).isCloseTo(numbers[i], within(tolerance));
      }
    }
  }

  private static double largest(float[] numbers) {
    double largest = 0;
    for (float number : numbers) {
      largest = Math.max(largest, Math.abs(number));
    }
    return largest;
  }

  @ParameterizedTest
  @MethodSource("networks")
  void decisionsAsTheyComeGiveTheBitsOfThePass(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 2);
    for (int minutes : MINUTES) {
      List<Seen> all = Seen.random(7 + minutes, minutes);
      List<FullHistoryObservation> observations = all.stream().map(Seen::observation).toList();
      var slice = together(network, all);
      var pass = network.newPass(all.size(), all.size());
      var atOnce = network.newInference(all.size());
      var oneByOne = network.newInference(1);

      pass.forward(slice);
      Rows features = atOnce.features(observations);

      for (int i = 0; i < slice.size(); i++) {
        float[] expected = row(pass.features(), i);
        assertThat(row(features, slice.row(i))).isEqualTo(expected);
        assertThat(row(oneByOne.features(List.of(slice.observation(i))), 0)).isEqualTo(expected);
      }
    }
  }

  /// Days are encoded in advance as far as earlier ones were read, and further when that is too
  /// little.
  @ParameterizedTest
  @MethodSource("smallOnes")
  void whatIsWorkedOutAheadChangesNothing(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 3);
    var ahead = network.newInference(1);
    for (int seed = 0; seed < 40; seed++) {
      List<FullHistoryObservation> observations =
          Seen.random(seed, 1).stream().map(Seen::observation).toList();
      var asTheyCome = network.newInference(1);
      int last = seed < 35 ? 8 : Integer.MAX_VALUE;

      ahead.expect(observations.stream().filter(each -> each.tick() <= last).toList());

      for (FullHistoryObservation each : observations) {
        if (each.tick() <= last) {
          assertThat(row(ahead.features(List.of(each)), 0))
              .isEqualTo(row(asTheyCome.features(List.of(each)), 0));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("smallOnes")
  void whatIsRememberedGoesWithTheWeights(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 3);
    List<FullHistoryObservation> observations =
        Seen.random(1, 1).stream().map(Seen::observation).toList();
    var inference = network.newInference(observations.size());
    float[] before = inference.features(observations).data().clone();

    network.initialise(new SplittableRandom(4));

    assertThat(inference.features(observations).data())
        .isNotEqualTo(before)
        .isEqualTo(network.newInference(observations.size()).features(observations).data());
  }

  @ParameterizedTest
  @MethodSource("networks")
  void whatIsToComeChangesNothing(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 5);
    var pass = network.newPass(1, 1);
    var inference = network.newInference(1);
    for (Seen seen : Seen.random(11, 1)) {
      pass.forward(alone(seen.observation()));
      float[] expected = row(pass.features(), 0);
      for (float filler : new float[] {1e3f, Float.NaN}) {
        FullHistoryObservation other = seen.alone(filler);
        pass.forward(alone(other));

        assertThat(row(pass.features(), 0)).isEqualTo(expected);
        assertThat(row(inference.features(List.of(other)), 0)).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("smallOnes")
  void aDayIsSharedAsFarAsThatIsExact(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 6);
    List<Seen> aligned = Seen.random(1, 1);
    List<Seen> coarse = Seen.random(1, 5);

    assertThat(together(network, aligned).lanes()).isEqualTo(3);
    assertThat(together(network, coarse).lanes()).isBetween(4, coarse.size() - 1);
  }

  @ParameterizedTest
  @MethodSource("smallOnes")
  void gradientsAreTheDerivatives(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 7);
    keepAwayFromTheCorners();
    List<Seen> all = Seen.random(13, 1).subList(0, 6);
    var slice = together(network, all);
    var pass = network.newPass(all.size(), all.size());
    float[] projection = random(8, all.size() * OUTPUT);
    float[] gradients = new float[weights.size()];
    pass.forward(slice);
    System.arraycopy(projection, 0, pass.featureGradients().data(), 0, projection.length);
    pass.backward(gradients);

    ToDoubleFunction<float[]> loss =
        _ -> {
          weights.changed();
          pass.forward(slice);
          double sum = 0;
          for (int i = 0; i < projection.length; i++) {
            sum += (double) pass.features().data()[i] * projection[i];
          }
          return sum;
        };

    assertThat(Derivatives.worstDifference(weights.values(), gradients, loss))
        .isLessThan(Derivatives.TOLERANCE);
  }

  /// Each unit of a ReLU stays on its side.
  private void keepAwayFromTheCorners() {
    for (Parameter each : weights.parameters()) {
      if (each.name().matches(".*(fc|forward)\\.\\d\\.bias")) {
        float[] bias = new float[each.size()];
        for (int i = 0; i < bias.length; i++) {
          bias[i] = i % 3 == 0 ? -4 : 4;
        }
        weights.load(each, bias);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("smallOnes")
  void warmPassesAndDecisionsAllocateNothing(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 9);
    List<Seen> all = Seen.random(17, 1);
    List<FullHistoryObservation> observations = all.stream().map(Seen::observation).toList();
    var slice = together(network, all);
    var pass = network.newPass(all.size(), all.size());
    var inference = network.newInference(all.size());
    float[] gradients = new float[weights.size()];

    assertThat(
            Allocation.settledBytesOf(
                () -> {
                  pass.forward(slice);
                  pass.backward(gradients);
                  inference.features(observations);
                }))
        .isZero();
  }

  /// Backtests interpret states without validating them, as Qlib does.
  @ParameterizedTest
  @MethodSource("smallOnes")
  void refusesFeaturesThatAreNotFinite(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 10);
    Seen late = Seen.random(1, 1).get(1);
    var inference = network.newInference(1);
    List<FullHistoryObservation> spoilt = List.of(late.withFirst(Float.NaN, 0));

    assertThatThrownBy(() -> inference.features(spoilt))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "SH600000 2021-03-01: expected finite features of today, "
                + "was NaN or infinite at tick 0 (2021-03-01 09:30:00)");
    assertThatThrownBy(() -> network.lane(spoilt.getFirst())).isInstanceOf(DataException.class);
    assertThat(inference.features(List.of(late.withFirst(0, 0))).data()).isNotEmpty();
  }

  @Test
  void refusesAYesterdayThatIsNotFiniteWhereItIsRead() {
    var config = new DualAttentionConfig(HIDDEN, OUTPUT, RnnType.GRU, 1);
    Network<FullHistoryObservation> network =
        network(DualAttention.factory(config, Seen.WIDTH), 11);
    var inference = network.newInference(1);
    var spoilt = List.of(Seen.random(1, 1).get(1).withFirst(0, Float.POSITIVE_INFINITY));

    assertThatThrownBy(() -> inference.features(spoilt))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("finite features of yesterday");
  }

  @ParameterizedTest
  @MethodSource("smallOnes")
  void refusesATickBehindTheLastRow(Network.Factory<FullHistoryObservation> factory) {
    Network<FullHistoryObservation> network = network(factory, 12);
    Seen last =
        Seen.random(1, 1).stream()
            .max(Comparator.comparingInt(each -> each.state().tick()))
            .orElseThrow();

    assertThatThrownBy(() -> network.newInference(1).features(List.of(last.withOneRow())))
        .isInstanceOf(DataException.class)
        .hasMessage("SH600000 2021-03-01: expected at least 19 rows of features, was 1");
  }

  @Test
  void refusesAnotherNumberOfFeatures() {
    var config = new RecurrentConfig(HIDDEN, OUTPUT, RnnType.GRU, 1);
    Network<FullHistoryObservation> network =
        network(Recurrent.factory(config, Seen.WIDTH + 1), 13);
    var observations = List.of(Seen.random(1, 1).getFirst().observation());

    assertThatThrownBy(() -> network.newInference(1).features(observations))
        .isInstanceOf(DataException.class)
        .hasMessage("SH600000 2021-03-01: expected 4 features per tick, was 3");
  }

  @Test
  void layersRefuseADayThatIsTooLong() {
    Network<FullHistoryObservation> network =
        network(LayersNetwork.factory(LayersConfig.of(positions(13)), Seen.WIDTH), 1);
    List<FullHistoryObservation> observations =
        Seen.random(1, 1).stream().map(Seen::observation).toList();
    var inference = network.newInference(observations.size());

    assertThatThrownBy(() -> inference.features(observations))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "a day for this network: expected at most 12 ticks, as its layer `positions` says,"
                + " was 20");
  }

  @Test
  void dropoutChangesFeaturesInTrainingOnly() {
    Network<FullHistoryObservation> network =
        network(
            LayersNetwork.factory(
                LayersConfig.of(dense(HIDDEN), dropout(0.5)).withOutput(OUTPUT), Seen.WIDTH),
            3);
    List<Seen> all = Seen.random(13, 1);
    var slice = together(network, all);
    var pass = network.newPass(all.size(), all.size());
    pass.forward(slice);
    float[] whole = pass.features().data().clone();

    pass.training(true);
    pass.forward(slice);
    float[] dropped = pass.features().data().clone();
    pass.training(false);
    pass.forward(slice);

    assertThat(dropped).isNotEqualTo(whole);
    assertThat(pass.features().data()).isEqualTo(whole);
  }

  @Test
  void theTransformerRefusesADayThatIsTooLong() {
    var config = new TransformerConfig(HIDDEN, OUTPUT, 2, 1, 4, 12);
    Network<FullHistoryObservation> network =
        network(CausalTransformer.factory(config, Seen.WIDTH), 1);
    List<FullHistoryObservation> observations =
        Seen.random(1, 1).stream().map(Seen::observation).toList();
    var inference = network.newInference(observations.size());

    assertThatThrownBy(() -> inference.features(observations))
        .isInstanceOf(DataException.class)
        .hasMessage(
            "a day for this transformer: expected at most 12 ticks, its setting `ticks`, was 20");
  }
}
