package io.tranche.policy.dqn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Returns;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.DivergenceException;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.learn.SmallMarket;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.policy.toy.Lots;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import io.tranche.tensor.Weights;
import io.tranche.testkit.Allocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DqnTest {

  private static final UpdateSettings SETTINGS = new UpdateSettings(32, 1, Batching.EPISODES);
  private static final ParallelFor PARALLEL = new ParallelFor(1);

  @AfterAll
  static void dismiss() {
    PARALLEL.close();
  }

  /// The switches that change what is computed.
  enum Kind {
    QLIB(1, true, DqnConfig.Loss.SQUARED, 0),
    PLAIN(1, false, DqnConfig.Loss.SQUARED, 3),
    HUBER(1, false, DqnConfig.Loss.HUBER, 3),
    QUANTILE(5, false, DqnConfig.Loss.HUBER, 3);

    final int quantiles;
    final boolean softmax;
    final DqnConfig.Loss loss;
    final int minibatches;

    Kind(int quantiles, boolean softmax, DqnConfig.Loss loss, int minibatches) {
      this.quantiles = quantiles;
      this.softmax = softmax;
      this.loss = loss;
      this.minibatches = minibatches;
    }

    DqnConfig config(int steps, int targetInterval) {
      return (softmax ? DqnConfig.QLIB : DqnConfig.DEFAULT)
          .withLearningRate(0.01)
          .withDiscount(0.9)
          .withSteps(steps)
          .withTargetInterval(targetInterval)
          .withLoss(loss)
          .withQuantiles(quantiles, quantiles > 1 ? 0.5 : 1)
          .withMaxNorm(0)
          .withMinibatches(minibatches)
          .withExploration(
              new Exploration(1, 0, 4, Exploration.Fade.LINEAR, Exploration.Clock.STEPS));
    }
  }

  @ParameterizedTest
  @EnumSource
  void gradientsAreTheSlopesOfTheLoss(Kind kind) {
    DqnConfig config = kind.config(2, 0);
    var values = config.values(Lots.CHOICES);
    Dqn<Lots.View> dqn = dqn(config, PARALLEL);
    var sliced = new SlicedModel<>(dqn.agent().model(), PARALLEL);
    var targets = new DqnTargets<>(config, values, sliced, sliced);
    var loss = new DqnLoss<>(config, values, targets);
    Transitions<Lots.View> steps = experience(20, 1);
    int[] rows = IntStream.range(0, steps.size()).toArray();
    targets.begin(steps);
    targets.compute(rows, 0, rows.length);
    loss.begin(rows.length);
    float[] gradients = sliced.gradients(steps, rows, 0, rows.length, loss).clone();

    Weights weights = dqn.agent().model().weights();
    var random = new SplittableRandom(1);
    for (int i = 0; i < 60; i++) {
      int at = random.nextInt(weights.size());
      float before = weights.values()[at];
      float step = 4e-3f;
      double[] losses = new double[2];
      for (int side = 0; side < 2; side++) {
        weights.values()[at] = before + (side == 0 ? -step : step);
        weights.changed();
        loss.begin(rows.length);
        sliced.gradients(steps, rows, 0, rows.length, loss);
        losses[side] = loss.mean();
      }
      weights.values()[at] = before;
      weights.changed();

      double slope = (losses[1] - losses[0]) / (2 * step);
      assertThat((double) gradients[at]).isCloseTo(slope, within(2e-3));
    }
    assertThat(Arrays.equals(gradients, new float[gradients.length])).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4})
  void anyNumberOfThreadsGivesTheSameBits(int threads) {
    try (var parallel = new ParallelFor(threads)) {
      for (Kind kind : Kind.values()) {
        Dqn<Lots.View> alone = dqn(kind.config(3, 2), PARALLEL);
        Dqn<Lots.View> many = dqn(kind.config(3, 2), parallel);

        UpdateReport one = alone.update(experience(300, 1), SETTINGS, 5);
        UpdateReport other = many.update(experience(300, 1), SETTINGS, 5);

        assertThat(other).isEqualTo(one);
        assertThat(many.agent().model().weights().values())
            .isEqualTo(alone.agent().model().weights().values());
      }
    }
  }

  @Test
  void theTargetIsACopyAtFirstAndAfterEveryInterval() {
    Dqn<Lots.View> dqn = dqn(Kind.QLIB.config(1, 3), PARALLEL);
    Weights target = Objects.requireNonNull(dqn.agent().target()).weights();
    float[] expected = new float[0];
    for (int update = 0; update < 7; update++) {
      if (update % 3 == 0) {
        expected = dqn.agent().model().weights().values().clone();
      }

      dqn.update(experience(20, update), SETTINGS, update);

      assertThat(target.values())
          .isEqualTo(expected)
          .isNotEqualTo(dqn.agent().model().weights().values());
    }
  }

  @Test
  void keepsATargetThatWasLoaded() {
    Dqn<Lots.View> dqn = dqn(Kind.PLAIN.config(1, 100), PARALLEL);
    Dqn<Lots.View> other = dqn(Kind.PLAIN.config(1, 100), PARALLEL);
    Weights loaded = Objects.requireNonNull(dqn.agent().target()).weights();
    Arrays.fill(loaded.values(), 0.1f);
    loaded.changed();

    dqn.update(experience(20, 1), SETTINGS, 1);
    other.update(experience(20, 1), SETTINGS, 1);

    assertThat(dqn.agent().model().weights().values())
        .isNotEqualTo(other.agent().model().weights().values());
  }

  @Test
  void qlibsTakesOneStepOnEverythingWhateverTheSettingsSay() {
    Dqn<Lots.View> one = dqn(Kind.QLIB.config(1, 0), PARALLEL);
    Dqn<Lots.View> other = dqn(Kind.QLIB.config(1, 0), PARALLEL);

    UpdateReport report = one.update(experience(40, 1), SETTINGS, 1);
    other.update(experience(40, 1), new UpdateSettings(3, 9, Batching.TRANSITIONS), 2);

    assertThat(report.series().get("loss")).hasSize(1);
    assertThat(one.agent().model().weights().values())
        .isEqualTo(other.agent().model().weights().values());
    assertThat(one.isOffPolicy()).isFalse();
  }

  @Test
  void drawsAsManyMinibatchesAsAskedFor() {
    Dqn<Lots.View> dqn = dqn(Kind.PLAIN.config(1, 2), PARALLEL);

    UpdateReport report =
        dqn.update(experience(200, 1), new UpdateSettings(16, 2, Batching.TRANSITIONS), 1);

    assertThat(report.series().get("loss")).hasSize(6);
    assertThat(dqn.agent().steps()).isEqualTo(6);
    assertThat(dqn.isOffPolicy()).isTrue();
  }

  @Test
  void nothingToLearnFromChangesNothing() {
    Dqn<Lots.View> dqn = dqn(Kind.PLAIN.config(1, 2), PARALLEL);
    float[] before = dqn.agent().model().weights().values().clone();

    UpdateReport report = dqn.update(new Transitions<>(), SETTINGS, 1);

    assertThat(report.mean("loss")).isNaN();
    assertThat(dqn.agent().model().weights().values()).isEqualTo(before);
  }

  @ParameterizedTest
  @EnumSource
  void goesOnFromItsStateBitForBit(Kind kind) {
    Dqn<Lots.View> straight = dqn(kind.config(2, 2), PARALLEL);
    straight.update(experience(50, 1), SETTINGS, 1);
    Dqn<Lots.View> resumed = dqn(kind.config(2, 2), PARALLEL);
    resumed.agent().model().weights().copyFrom(straight.agent().model().weights());
    resumed.restore(straight.state());

    assertThat(resumed.agent().epsilon()).isEqualTo(straight.agent().epsilon());
    for (int update = 2; update < 5; update++) {
      UpdateReport one = straight.update(experience(50, update), SETTINGS, update);
      UpdateReport other = resumed.update(experience(50, update), SETTINGS, update);

      assertThat(other).isEqualTo(one);
    }
    assertThat(resumed.agent().model().weights().values())
        .isEqualTo(straight.agent().model().weights().values());
  }

  @Test
  void stateBeforeTheFirstUpdateHasTheTargetToo() {
    Dqn<Lots.View> straight = dqn(Kind.PLAIN.config(1, 5), PARALLEL);
    Dqn<Lots.View> resumed = dqn(Kind.PLAIN.config(1, 5), PARALLEL);
    resumed.restore(straight.state());

    straight.update(experience(50, 1), SETTINGS, 1);
    resumed.update(experience(50, 1), SETTINGS, 1);

    assertThat(resumed.agent().model().weights().values())
        .isEqualTo(straight.agent().model().weights().values());
    assertThat(straight.state().tensors().tensors()).containsKey("model_old.layer_out.0.weight");
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
  void stopsAtARewardThatIsNotFinite(double reward) {
    Dqn<Lots.View> dqn = dqn(Kind.QUANTILE.config(1, 2), PARALLEL);
    Transitions<Lots.View> steps = experience(20, 1);
    var view = new Lots.View(0, 0, 4);
    steps.add(view, new Action.Discrete(0), reward, true, false, view, 999, 0);

    assertThatExceptionOfType(DivergenceException.class)
        .isThrownBy(() -> dqn.update(steps, new UpdateSettings(0, 1, Batching.EPISODES), 1))
        .satisfies(
            e -> {
              assertThat(e.term()).isEqualTo("loss");
              assertThat(e.minibatch()).isZero();
            });
  }

  @Test
  void exploresLessAndLessAndNotWhenItDoesItsBest() {
    Dqn<Lots.View> dqn = dqn(Kind.PLAIN.config(1, 2), PARALLEL);
    Policy<Lots.View> policy = dqn.agent().newPolicy(64);
    List<Lots.View> views = views(200);
    long[] keys = IntStream.range(0, 200).mapToLong(i -> RandomTree.child(7, i)).toArray();
    Action[] best = policy.act(views, keys, Policy.Mode.EVALUATE).clone();

    Action[] tried = policy.act(views, keys, Policy.Mode.TRAIN).clone();

    // At first every action is drawn at random, each about equally often.
    assertThat(dqn.agent().epsilon()).isEqualTo(1);
    assertThat(tried).isNotEqualTo(best);
    for (int choice = 0; choice < Lots.CHOICES; choice++) {
      var action = new Action.Discrete(choice);
      assertThat(Arrays.stream(tried).filter(action::equals).count()).isBetween(20L, 65L);
    }
    assertThat(policy.act(views.subList(3, 4), new long[] {keys[3]}, Policy.Mode.TRAIN))
        .containsExactly(tried[3]);

    dqn.update(experience(50, 1), SETTINGS, 1);
    assertThat(dqn.agent().epsilon()).isEqualTo(0.25);
    dqn.update(experience(50, 2), SETTINGS, 2);
    assertThat(dqn.agent().epsilon()).isZero();
    assertThat(policy.act(views, keys, Policy.Mode.TRAIN).clone())
        .isEqualTo(policy.act(views, keys, Policy.Mode.EVALUATE));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("full") // when the compilers settle depends on what else the machine does
  void warmStepsAndDecisionsAllocateNothing(Kind kind) {
    Dqn<Lots.View> dqn = dqn(kind.config(2, 2), PARALLEL);
    Transitions<Lots.View> steps = experience(40, 1);
    Policy<Lots.View> policy = dqn.agent().newPolicy(16);
    List<Lots.View> views = views(16);
    long[] keys = new long[16];

    // A whole update also makes its report, so the cost of more minibatches is the difference.
    var many = new UpdateSettings(32, 9, Batching.EPISODES);
    long few = least(() -> dqn.update(steps, SETTINGS, 1));
    long more = least(() -> dqn.update(steps, many, 1));
    long decision = Allocation.settledBytesOf(1, () -> policy.act(views, keys, Policy.Mode.TRAIN));

    // Their numbers in the report: two each, as objects in a list.
    assertThat(more - few).isLessThanOrEqualTo(8L * kind.minibatches * 2 * 64);
    assertThat(decision).isZero();
  }

  private static long least(Runnable work) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 1_000 && least > 0; i++) {
      least = Math.min(least, Allocation.bytesOf(work));
    }
    return least;
  }

  @Test
  void targetsAreThoseOfEveryStepByItself() {
    var spec =
        new DqnSpec<FullHistoryObservation>(
            Recurrent.factory(new RecurrentConfig(8, 6, RnnType.GRU, 1), SmallMarket.FEATURES),
            SmallMarket.CHOICES,
            Kind.QLIB.config(2, 5),
            null);
    var dqn = spec.algorithm(spec.create(new SplittableRandom(7)), null, PARALLEL);
    Transitions<FullHistoryObservation> steps =
        new SmallMarket(20).experience(dqn.agent().newPolicy(3));
    var evaluation = dqn.agent().model().newEvaluation(1);
    float[] naive = new float[steps.size()];
    for (int row = 0; row < naive.length; row++) {
      int last = Returns.lastOfNStep(steps, row, 2);
      evaluation.evaluate(List.of(steps.next(last)));
      Rows values = evaluation.output(0);
      Softmax.forward(1, SmallMarket.CHOICES, values);
      float best = Float.NEGATIVE_INFINITY;
      for (int i = 0; i < SmallMarket.CHOICES; i++) {
        best = Math.max(best, values.data()[values.offset(0) + i]);
      }
      float rest = steps.isTerminated(last) ? 0 : best;
      naive[row] = (float) Returns.nStep(steps, row, 2, 0.9, rest);
    }

    dqn.update(steps, SETTINGS, 1);

    for (int row = 0; row < naive.length; row++) {
      assertThat(dqn.targets().target(row, 0)).isEqualTo(naive[row]);
    }
  }

  private static Dqn<Lots.View> dqn(DqnConfig config, ParallelFor parallel) {
    var spec = new DqnSpec<>(Lots.network(), Lots.CHOICES, config, null);
    return spec.algorithm(spec.create(new SplittableRandom(3)), null, parallel);
  }

  private static List<Lots.View> views(int count) {
    var random = new SplittableRandom(9);
    var views = new ArrayList<Lots.View>();
    for (int i = 0; i < count; i++) {
      views.add(view(random, random.nextInt(Lots.STEPS)));
    }
    return views;
  }

  private static Lots.View view(SplittableRandom random, int step) {
    return new Lots.View(random.nextInt(Lots.REGIMES), step, random.nextInt(Lots.CHOICES));
  }

  /// Returns whole episodes of random steps, the last one still under way.
  private static Transitions<Lots.View> experience(int episodes, long seed) {
    var random = new SplittableRandom(seed);
    var steps = new Transitions<Lots.View>();
    for (int episode = 0; episode < episodes; episode++) {
      Lots.View now = view(random, 0);
      for (int step = 0; step < Lots.STEPS; step++) {
        Lots.View next = view(random, Math.min(step + 1, Lots.STEPS - 1));
        boolean done = step == Lots.STEPS - 1 && episode < episodes - 1;
        double reward = random.nextDouble(-2, 2);
        int action = random.nextInt(Lots.CHOICES);
        steps.add(now, new Action.Discrete(action), reward, done, false, next, episode, step);
        now = next;
      }
    }
    return steps;
  }
}
