package io.tranche.policy.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.DivergenceException;
import io.tranche.policy.learn.SmallMarket;
import io.tranche.policy.learn.UpdateObserver;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.tensor.Gradients;
import io.tranche.tensor.RnnType;
import io.tranche.testkit.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PpoTest {

  private static final SmallMarket MARKET = new SmallMarket(60);
  private static final UpdateSettings SETTINGS = new UpdateSettings(64, 2, Batching.EPISODES);

  private static Ppo<FullHistoryObservation> ppo(ParallelFor parallel) {
    return ppo(network -> network, parallel);
  }

  private static Ppo<FullHistoryObservation> ppo(
      UnaryOperator<Network<FullHistoryObservation>> wrapper, ParallelFor parallel) {
    Network.Factory<FullHistoryObservation> factory =
        Recurrent.factory(new RecurrentConfig(24, 16, RnnType.GRU, 1), SmallMarket.FEATURES);
    ActorCritic<FullHistoryObservation> agent =
        ActorCritic.create(
            (weights, prefix) -> wrapper.apply(factory.create(weights, prefix)),
            SmallMarket.CHOICES,
            new SplittableRandom(7));
    return new Ppo<>(agent, PpoConfig.QLIB, parallel);
  }

  private static Transitions<FullHistoryObservation> experience(Ppo<FullHistoryObservation> ppo) {
    return MARKET.experience(ppo.agent().newPolicy(3));
  }

  @ParameterizedTest
  @EnumSource
  void givesTheSameBitsWithAnyNumberOfThreads(Batching batching) {
    var settings = new UpdateSettings(64, 2, batching);
    List<float[]> weights =
        IntStream.of(1, 2, 4)
            .mapToObj(
                threads -> {
                  try (var parallel = new ParallelFor(threads)) {
                    var ppo = ppo(parallel);
                    ppo.update(experience(ppo), settings, 1);
                    ppo.update(experience(ppo), settings, 2);
                    return ppo.agent().model().weights().values().clone();
                  }
                })
            .toList();

    assertThat(weights.get(1)).containsExactly(weights.get(0));
    assertThat(weights.get(2)).containsExactly(weights.get(0));
  }

  @Test
  void goesOnFromItsStateBitForBit() {
    try (var parallel = new ParallelFor(2)) {
      var whole = ppo(parallel);
      var steps = experience(whole);
      whole.update(steps, SETTINGS, 1);
      var resumed = ppo(parallel);
      resumed.restore(whole.state());
      resumed.agent().model().weights().copyFrom(whole.agent().model().weights());
      UpdateReport expected = whole.update(steps, SETTINGS, 2);

      assertThat(resumed.update(steps, SETTINGS, 2)).isEqualTo(expected);
      assertThat(resumed.agent().model().weights().values())
          .containsExactly(whole.agent().model().weights().values());
      assertThat(resumed.state().numbers()).isEqualTo(whole.state().numbers());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "NaN, 1, 0.3, discount",
    "1, 1.5, 0.3, lambda",
    "1, 1, -0.1, clip must",
    "1, 1, NaN, clip must"
  })
  void settingsOutOfRangeAreNamed(double discount, double lambda, double clip, String name) {
    assertThatThrownBy(
            () -> PpoConfig.DEFAULT.withDiscount(discount).withLambda(lambda).withClip(clip))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(name);
  }

  @Test
  void lossesAndGradientsAreThoseOfEveryStepByItself() {
    try (var parallel = new ParallelFor(1)) {
      var shared = ppo(parallel);
      var apart = ppo(SharesNothing::new, parallel);
      var steps = experience(shared);
      var gradients = new ArrayList<float[]>();
      shared.observe((_, each) -> gradients.add(each.clone()));
      apart.observe((_, each) -> gradients.add(each.clone()));
      var everything = new UpdateSettings(0, 1, Batching.EPISODES);

      UpdateReport expected = apart.update(steps, everything, 1);
      UpdateReport report = shared.update(steps, everything, 1);

      for (String loss : List.of("loss", "loss/clip", "loss/vf", "loss/ent")) {
        assertThat(report.mean(loss)).isCloseTo(expected.mean(loss), within(1e-6));
      }
      float[] difference = gradients.get(1).clone();
      for (int i = 0; i < difference.length; i++) {
        difference[i] -= gradients.get(0)[i];
      }
      assertThat(Gradients.norm(difference)).isLessThan(1e-5 * Gradients.norm(gradients.get(0)));
    }
  }

  /// The same network, run for every observation anew.
  private record SharesNothing(Network<FullHistoryObservation> network)
      implements Network<FullHistoryObservation> {

    @Override
    public int width() {
      return network.width();
    }

    @Override
    public void initialise(RandomGenerator random) {
      network.initialise(random);
    }

    @Override
    public Object lane(FullHistoryObservation observation) {
      return observation;
    }

    @Override
    public Pass<FullHistoryObservation> newPass(int maxRows, int maxLanes) {
      return network.newPass(maxRows, maxLanes);
    }

    @Override
    public Inference<FullHistoryObservation> newInference(int maxRows) {
      return network.newInference(maxRows);
    }
  }

  @Test
  void raisesWhatPaysAndNamesItsLosses() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var report = ppo.update(experience(ppo), new UpdateSettings(64, 20, Batching.EPISODES), 1);

      List<Double> clip = report.series().getOrDefault("loss/clip", List.of());
      assertThat(report.series().keySet())
          .containsExactly("loss", "loss/clip", "loss/vf", "loss/ent", "gradient_norm", "kl");
      assertThat(mean(clip.subList(clip.size() / 2, clip.size())))
          .isLessThan(mean(clip.subList(0, clip.size() / 2)));
    }
  }

  /// The estimate is that of the ratios, and about the divergence of the distributions themselves.
  @Test
  void reportsHowFarThePolicyHasMoved() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var steps = experience(ppo);
      double[][] before = probabilities(ppo, steps);
      var everything = new UpdateSettings(0, 30, Batching.EPISODES);

      List<Double> kl = ppo.update(steps, everything, 1).series().getOrDefault("kl", List.of());

      assertThat(kl).hasSize(30).allSatisfy(each -> assertThat(each).isNotNegative());
      assertThat(kl.getFirst()).isCloseTo(0, within(1e-10));
      double exact = divergence(before, probabilities(ppo, steps));
      assertThat(exact).isGreaterThan(1e-5);
      // The last estimate was made just before the last step.
      assertThat(kl.getLast()).isCloseTo(exact, withinPercentage(25));
    }
  }

  private static double[][] probabilities(
      Ppo<FullHistoryObservation> ppo, Transitions<FullHistoryObservation> steps) {
    double[][] found = new double[SmallMarket.CHOICES][steps.size()];
    for (int choice = 0; choice < SmallMarket.CHOICES; choice++) {
      var same = new Transitions<FullHistoryObservation>();
      for (int row = 0; row < steps.size(); row++) {
        same.add(
            steps.observation(row),
            new Action.Discrete(choice),
            0,
            true,
            false,
            steps.observation(row),
            row,
            0);
      }
      try (var parallel = new ParallelFor(1)) {
        var asked = new Ppo<>(ppo.agent(), PpoConfig.QLIB, parallel);
        asked.prepare(same);
        for (int row = 0; row < steps.size(); row++) {
          found[choice][row] = Math.exp(asked.experience().logProbability(row));
        }
      }
    }
    return found;
  }

  private static double divergence(double[][] from, double[][] to) {
    double sum = 0;
    for (int choice = 0; choice < from.length; choice++) {
      for (int row = 0; row < from[choice].length; row++) {
        sum += from[choice][row] * Math.log(from[choice][row] / to[choice][row]);
      }
    }
    return sum / from[0].length;
  }

  private static double mean(List<Double> numbers) {
    return numbers.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void namesTheLossThatARewardSpoils(double reward) {
    try (var parallel = new ParallelFor(2)) {
      var ppo = ppo(parallel);
      var steps = spoilt(experience(ppo), reward);

      assertThatThrownBy(() -> ppo.update(steps, SETTINGS, 1))
          .isInstanceOf(DivergenceException.class)
          .hasMessageMatching("loss/clip must be finite, was -?(NaN|Infinity) in minibatch 0");
    }
  }

  private static Transitions<FullHistoryObservation> spoilt(
      Transitions<FullHistoryObservation> steps, double reward) {
    var spoilt = new Transitions<FullHistoryObservation>();
    for (int row = 0; row < steps.size(); row++) {
      spoilt.add(
          steps.observation(row),
          steps.action(row),
          reward,
          steps.isTerminated(row),
          false,
          steps.next(row),
          steps.episode(row),
          steps.step(row));
    }
    return spoilt;
  }

  @Test
  void namesTheFirstTensorThatIsNotFinite() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var steps = experience(ppo);
      var weight =
          Objects.requireNonNull(ppo.agent().model().weights().parameter("critic.value_out.bias"));
      ppo.observe((_, gradients) -> gradients[weight.offset()] = Float.NEGATIVE_INFINITY);

      assertThatThrownBy(() -> ppo.update(steps, SETTINGS, 1))
          .isInstanceOf(DivergenceException.class)
          .hasMessage(
              "gradient of critic.value_out.bias must be finite, was -Infinity in minibatch 0");
    }
  }

  @Test
  void actsTheSameAloneAndAmongOthers() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var steps = experience(ppo);
      var all = new ArrayList<FullHistoryObservation>();
      for (int row = 0; row < steps.size(); row++) {
        all.add(steps.observation(row));
      }
      long[] keys = new SplittableRandom(3).longs(all.size()).toArray();

      Action[] together =
          ppo.agent().newPolicy(all.size()).act(all, keys, Policy.Mode.TRAIN).clone();
      var single = ppo.agent().newPolicy(1);
      Action[] alone =
          IntStream.range(0, all.size())
              .mapToObj(
                  i -> single.act(List.of(all.get(i)), new long[] {keys[i]}, Policy.Mode.TRAIN)[0])
              .toArray(Action[]::new);

      assertThat(alone).containsExactly(together);
      assertThat(Arrays.stream(together).distinct().count()).isEqualTo(SmallMarket.CHOICES);
    }
  }

  @Test
  void forgetsWhatOldWeightsGave() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var steps = experience(ppo);
      var observations = List.of(steps.observation(0), steps.observation(1));
      var evaluation = ppo.agent().model().newEvaluation(2);
      evaluation.evaluate(observations);
      ppo.update(steps, SETTINGS, 1);

      evaluation.evaluate(observations);
      var fresh = ppo.agent().model().newEvaluation(2);
      fresh.evaluate(observations);

      assertThat(evaluation.output(1).data()).containsExactly(fresh.output(1).data());
    }
  }

  @Test
  void allocatesNothingInAWarmMinibatchAndDecision() {
    try (var parallel = new ParallelFor(1)) {
      var ppo = ppo(parallel);
      var steps = experience(ppo);
      ppo.prepare(steps);
      int[] order = IntStream.range(0, steps.size()).toArray();
      var policy = ppo.agent().newPolicy(64);
      var observations = new ArrayList<FullHistoryObservation>();
      for (int row = 0; row < 64; row++) {
        observations.add(steps.observation(row));
      }
      long[] keys = new long[64];

      var watch = new Watch();
      ppo.observe(watch);
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
      while (watch.least > 0 && System.nanoTime() - end < 0) {
        // The report is made at the end of learn, so none of it falls between two minibatches.
        ppo.learn(steps, 1, (_, target) -> target.fixed(order, 64));
      }
      long decision =
          Allocation.settledBytesOf(1, () -> policy.act(observations, keys, Policy.Mode.TRAIN));

      assertThat(watch.least).isZero();
      assertThat(decision).isZero();
    }
  }

  /// Measures the allocation from one minibatch to the next.
  private static final class Watch implements UpdateObserver {
    private long before;
    private long least = Long.MAX_VALUE;

    @Override
    public void gradients(int minibatch, float[] gradients) {
      long now = Allocation.bytesSoFar();
      if (minibatch > 0) {
        least = Math.min(least, now - before);
      }
      before = now;
    }
  }
}
