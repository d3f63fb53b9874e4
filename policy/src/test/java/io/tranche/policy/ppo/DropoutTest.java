package io.tranche.policy.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.ParallelFor;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.SmallMarket;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.policy.network.MlpFactory;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.NetworkInput;
import io.tranche.tensor.layer.Layers;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Dropout changes updates, and nothing else: no decision, and no result of threads or resuming.
class DropoutTest {

  private static final SmallMarket MARKET = new SmallMarket(30);
  private static final UpdateSettings SETTINGS = new UpdateSettings(64, 2, Batching.EPISODES);

  /// Makes the same network with another rate.
  @FunctionalInterface
  interface Dropping {
    Network.Factory<FullHistoryObservation> with(double rate);
  }

  static Stream<Named<Dropping>> networks() {
    return Stream.of(
        Named.of(
            "Layers",
            rate ->
                LayersNetwork.factory(
                    LayersConfig.of(
                            Layers.dense(12), Layers.relu(), Layers.dropout(rate), Layers.gru(8))
                        .withHidden(8)
                        .withOutput(8),
                    SmallMarket.FEATURES)),
        Named.of(
            "Mlp",
            rate ->
                new MlpFactory<>(
                    List.of(Layers.dense(12), Layers.dropout(rate), Layers.dense(8)),
                    new NetworkInput.Day(SmallMarket.FEATURES))));
  }

  private static Ppo<FullHistoryObservation> ppo(
      Network.Factory<FullHistoryObservation> network, ParallelFor parallel) {
    return new Ppo<>(
        ActorCritic.create(network, SmallMarket.CHOICES, new SplittableRandom(7)),
        PpoConfig.QLIB,
        parallel);
  }

  private static Transitions<FullHistoryObservation> experience(Ppo<FullHistoryObservation> ppo) {
    return MARKET.experience(ppo.agent().newPolicy(3));
  }

  private static float[] weights(Ppo<FullHistoryObservation> ppo) {
    return ppo.agent().model().weights().values();
  }

  @ParameterizedTest
  @MethodSource("networks")
  void decisionsAreThoseWithoutDropoutAndUpdatesAreNot(Dropping network) {
    try (var parallel = new ParallelFor(1)) {
      var dropping = ppo(network.with(0.5), parallel);
      var whole = ppo(network.with(0), parallel);
      assertThat(weights(dropping)).containsExactly(weights(whole));
      var steps = experience(dropping);
      var same = experience(whole);
      assertThat(steps.size()).isEqualTo(same.size());
      for (int row = 0; row < steps.size(); row++) {
        assertThat(steps.action(row)).isEqualTo(same.action(row));
      }

      dropping.update(steps, SETTINGS, 1);
      whole.update(same, SETTINGS, 1);

      assertThat(weights(dropping)).isNotEqualTo(weights(whole));
    }
  }

  @ParameterizedTest
  @MethodSource("networks")
  void anyNumberOfThreadsGivesTheSameBits(Dropping network) {
    List<float[]> weights =
        IntStream.of(1, 3)
            .mapToObj(
                threads -> {
                  try (var parallel = new ParallelFor(threads)) {
                    var ppo = ppo(network.with(0.3), parallel);
                    ppo.update(experience(ppo), SETTINGS, 1);
                    ppo.update(experience(ppo), SETTINGS, 2);
                    return weights(ppo).clone();
                  }
                })
            .toList();

    assertThat(weights.get(1)).containsExactly(weights.get(0));
  }

  @ParameterizedTest
  @MethodSource("networks")
  void goesOnBitForBit(Dropping network) {
    try (var parallel = new ParallelFor(2)) {
      var whole = ppo(network.with(0.3), parallel);
      var steps = experience(whole);
      whole.update(steps, SETTINGS, 1);
      var resumed = ppo(network.with(0.3), parallel);
      resumed.restore(whole.state());
      resumed.agent().model().weights().copyFrom(whole.agent().model().weights());
      UpdateReport expected = whole.update(steps, SETTINGS, 2);

      assertThat(resumed.update(steps, SETTINGS, 2)).isEqualTo(expected);
      assertThat(weights(resumed)).containsExactly(weights(whole));
    }
  }
}
