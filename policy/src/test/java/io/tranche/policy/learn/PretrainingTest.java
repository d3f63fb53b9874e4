package io.tranche.policy.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.env.ParallelFor;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Weights;
import io.tranche.tensor.layer.Layers;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PretrainingTest {

  private static final SmallMarket MARKET = new SmallMarket(30);

  private static ActorCritic<FullHistoryObservation> agent() {
    return ActorCritic.create(
        LayersNetwork.factory(
            LayersConfig.of(Layers.dense(8), Layers.gru(8)).withHidden(8).withOutput(8),
            SmallMarket.FEATURES),
        SmallMarket.CHOICES,
        new SplittableRandom(7));
  }

  /// Returns two numbers for each sample: the newest feature of the day that was seen, and the
  /// step.
  private static float[] targets(Transitions<FullHistoryObservation> samples) {
    float[] targets = new float[2 * samples.size()];
    float[] row = new float[SmallMarket.FEATURES];
    for (int i = 0; i < samples.size(); i++) {
      FullHistoryObservation seen = samples.observation(i);
      if (seen.visibleTicks() > 0) {
        seen.copyToday(seen.visibleTicks() - 1, row, 0);
        targets[2 * i] = row[0];
      }
      targets[2 * i + 1] = seen.step() - 1;
    }
    return targets;
  }

  private static List<Double> run(
      ActorCritic<FullHistoryObservation> agent, int epochs, int threads) {
    Transitions<FullHistoryObservation> samples = MARKET.experience(agent().newPolicy(3));
    try (var parallel = new ParallelFor(threads)) {
      return Pretraining.run(agent.model(), samples, targets(samples), epochs, 5, parallel);
    }
  }

  @Test
  void theNetworkLearnsToForecastAndTheHeadsStay() {
    ActorCritic<FullHistoryObservation> fresh = agent();
    ActorCritic<FullHistoryObservation> taught = agent();

    List<Double> errors = run(taught, 200, 1);

    assertThat(errors).hasSize(200);
    assertThat(errors.getLast()).isLessThan(0.5 * errors.getFirst());
    for (Parameter each : fresh.model().weights().parameters()) {
      float[] before = values(fresh, each);
      float[] after = values(taught, each);
      if (each.name().contains("extractor")) {
        assertThat(after).as(each.name()).isNotEqualTo(before);
      } else {
        assertThat(after).as(each.name()).isEqualTo(before);
      }
    }
  }

  private static float[] values(ActorCritic<FullHistoryObservation> agent, Parameter parameter) {
    return Weights.rowMajor(parameter, agent.model().weights().values());
  }

  @Test
  void threadsChangeNothing() {
    ActorCritic<FullHistoryObservation> alone = agent();
    ActorCritic<FullHistoryObservation> together = agent();

    assertThat(run(alone, 3, 1)).isEqualTo(run(together, 3, 4));

    assertThat(together.model().weights().values()).isEqualTo(alone.model().weights().values());
  }

  @Test
  void frozenWeightsAreNotTrained() {
    ActorCritic<FullHistoryObservation> agent = agent();

    agent.weights().freeze("trainer.freeze", List.of("actor.extractor."));

    assertThat(agent.model().weights().parameters())
        .allSatisfy(
            each ->
                assertThat(each.isTrained())
                    .isEqualTo(!each.name().startsWith("actor.extractor.")));
    assertThatThrownBy(() -> agent.weights().freeze("trainer.freeze", List.of("encoder.")))
        .hasMessageContaining("trainer.freeze: expected the beginning of the names of some weights")
        .hasMessageEndingWith("was encoder.");
  }
}
