package io.tranche.policy.ppo;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.env.ParallelFor;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.SmallMarket;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Rows;
import java.util.Arrays;
import java.util.HashSet;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Counts the work of an update, which no clock can do reliably: whoever makes it encode days twice
/// finds out here.
class UpdateWorkTest {

  private static final int REPEATS = 3;
  private static final int MINIBATCH = 64;

  private long forward;
  private long backward;
  private long rows;
  private long lanes;
  private long ticks;

  /// As [#ticks], if no lane were computed as far as a longer one beside it.
  private long needed;

  /// Rows whose values and chances were computed before learning.
  private long estimated;

  @Test
  void wholeEpisodesEncodeEachDayOncePerRepeat() {
    Transitions<FullHistoryObservation> steps =
        update(new SmallMarket(60), Batching.EPISODES, MINIBATCH);

    var episodes = new HashSet<Object>();
    long longest = 0;
    for (int row = 0; row < steps.size(); row++) {
      episodes.add(steps.episode(row));
      longest = Math.max(longest, steps.observation(row).visibleTicks());
    }
    assertThat(backward).isEqualTo(forward);
    assertThat(rows).isEqualTo((long) REPEATS * steps.size());
    // Two episodes may be on the same day, so there can be fewer lanes, but never more.
    assertThat(lanes).isPositive().isLessThanOrEqualTo((long) REPEATS * episodes.size());
    assertThat(estimated).isPositive().isLessThanOrEqualTo(2L * steps.size());
    assertThat(ticks).isLessThanOrEqualTo((long) REPEATS * episodes.size() * (longest + 1));
  }

  @Test
  void singleStepsEncodeNoMoreDaysThanAMinibatchHas() {
    Transitions<FullHistoryObservation> steps =
        update(new SmallMarket(60), Batching.TRANSITIONS, MINIBATCH);

    assertThat(backward).isEqualTo(forward);
    assertThat(rows).isEqualTo((long) REPEATS * steps.size());
    assertThat(lanes).isPositive().isLessThanOrEqualTo(rows);
  }

  @Test
  void daysThatAreReadEarlyDoNotWaitForThoseThatAreReadLate() {
    update(new SmallMarket(240, 80), Batching.TRANSITIONS, 4 * MINIBATCH);

    assertThat(ticks).isGreaterThanOrEqualTo(needed).isLessThan(needed * 4 / 3);
  }

  private Transitions<FullHistoryObservation> update(
      SmallMarket market, Batching batching, int minibatch) {
    Network.Factory<FullHistoryObservation> factory =
        Recurrent.factory(new RecurrentConfig(8, 6, RnnType.GRU, 1), SmallMarket.FEATURES);
    try (var parallel = new ParallelFor(1)) {
      var ppo =
          new Ppo<>(
              ActorCritic.create(
                  (weights, prefix) -> new Counting(factory.create(weights, prefix)),
                  SmallMarket.CHOICES,
                  new SplittableRandom(7)),
              PpoConfig.QLIB,
              parallel);
      Transitions<FullHistoryObservation> steps = market.experience(ppo.agent().newPolicy(3));
      var settings = new UpdateSettings(minibatch, REPEATS, batching);
      ppo.update(steps, settings, 1);
      return steps;
    }
  }

  private final class Counting implements Network<FullHistoryObservation> {
    private final Network<FullHistoryObservation> network;

    Counting(Network<FullHistoryObservation> network) {
      this.network = network;
    }

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
      return network.lane(observation);
    }

    @Override
    public int reach(FullHistoryObservation observation) {
      return network.reach(observation);
    }

    @Override
    public Pass<FullHistoryObservation> newPass(int maxRows, int maxLanes) {
      Pass<FullHistoryObservation> pass = network.newPass(maxRows, maxLanes);
      return new Pass<>() {
        private boolean isLearning;

        @Override
        public void training(boolean on) {
          isLearning = on;
          pass.training(on);
        }

        @Override
        public void forward(Slice<FullHistoryObservation> slice) {
          if (isLearning) {
            count(slice);
          } else {
            estimated += slice.size();
          }
          pass.forward(slice);
        }

        private void count(Slice<FullHistoryObservation> slice) {
          forward++;
          rows += slice.size();
          lanes += slice.lanes();
          int[] reached = new int[slice.lanes()];
          for (int i = 0; i < slice.size(); i++) {
            int lane = slice.lane(i);
            reached[lane] = Math.max(reached[lane], reach(slice.observation(i)));
          }
          needed += Arrays.stream(reached).sum();
          ticks += (long) slice.lanes() * Arrays.stream(reached).max().orElseThrow();
        }

        @Override
        public Rows features() {
          return pass.features();
        }

        @Override
        public Rows featureGradients() {
          return pass.featureGradients();
        }

        @Override
        public void backward(float[] gradients) {
          backward++;
          pass.backward(gradients);
        }
      };
    }

    @Override
    public Inference<FullHistoryObservation> newInference(int maxRows) {
      return network.newInference(maxRows);
    }
  }
}
