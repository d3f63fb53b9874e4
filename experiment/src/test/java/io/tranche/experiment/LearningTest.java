package io.tranche.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Difference;
import io.tranche.analysis.Evaluation;
import io.tranche.analysis.PolicyResults;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.Yardsticks;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.execution.interpreter.TeacherPermit;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.synthetic.Split;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.ppo.Ppo;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The native recipe learns where there is something to learn, and says so where there is not.
class LearningTest {

  private static final NativeDefaults RECIPE = NativeDefaults.DEFAULT;
  private static final TeacherPermit PERMIT = new TeacherPermit("teacher of a distillation");

  /// Trains, keeps what was best on the validation days, and judges it on the test days.
  private static Assessment learnt(
      SmallRun run, @Nullable Distillation<FullHistoryObservation> teacher, int iterations) {
    Evaluation validation = run.evaluation(Split.VALID);
    Evaluation test = run.evaluation(Split.TEST);
    Ppo<FullHistoryObservation> agent = run.newAgent(teacher);
    float[] weights = agent.agent().model().weights().values();
    float[] best = weights.clone();
    double[] bestBps = {Double.NEGATIVE_INFINITY};
    int[] iteration = {0};
    run.train(
        agent,
        run.states,
        run.orders(Split.TRAIN),
        iterations,
        () -> {
          if (++iteration[0] % RECIPE.iterationsPerValidation() == 0) {
            double bps = run.evaluate(validation, agent, run.states).meanBps(null);
            if (bps > bestBps[0]) {
              bestBps[0] = bps;
              System.arraycopy(weights, 0, best, 0, best.length);
            }
          }
        });
    System.arraycopy(best, 0, weights, 0, best.length);
    agent.agent().model().weights().changed();
    return Assessment.of(
        run.evaluate(test, agent, run.states), run.yardsticks(test), run.yardsticks(validation));
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void beatsTwapAndConstantActionsOnBothSides(long seed) {
    try (var run = new SmallRun(RECIPE, SyntheticConfig.DEFAULT.withSeed(seed), 2)) {
      Assessment standing = learnt(run, null, RECIPE.iterations());

      assertThat(standing.verdict().kind())
          .as(standing.verdict().sentence())
          .isEqualTo(Verdict.Kind.BETTER);
      for (Side side : Side.values()) {
        assertThat(standing.overTwap().sides().get(side)).matches(Difference::isAboveZero);
      }
      assertThat(standing.shareOfOptimum()).isGreaterThan(0.6);
    }
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void findsNoDifferenceWhereThereIsNothingToLearn(long seed) {
    var config = SyntheticConfig.DEFAULT.withSeed(seed).withSignal(0);
    try (var run = new SmallRun(RECIPE, config, 2)) {
      Assessment standing = learnt(run, null, RECIPE.iterations());

      assertThat(standing.verdict().kind())
          .as(standing.verdict().sentence())
          .isEqualTo(Verdict.Kind.NO_DIFFERENCE);
    }
  }

  @Tag("full")
  @Test
  void aStudentOfATeacherThatSeesTheWholeDayBeatsTwap() {
    try (var run = new SmallRun(RECIPE, SyntheticConfig.DEFAULT, 2)) {
      FullHistoryInterpreter eyes = run.states.inHindsight(PERMIT);
      Ppo<FullHistoryObservation> teacher = run.newAgent(null);
      run.train(teacher, eyes, run.orders(Split.TRAIN), RECIPE.iterations() / 2, () -> {});
      Evaluation test = run.evaluation(Split.TEST);
      double taught = run.evaluate(test, teacher, eyes).meanBps(null);
      assertThat(taught).isGreaterThan(0.7 * run.yardsticks(test).oracle().meanBps(null));

      Assessment student =
          learnt(
              run,
              Distillation.of(teacher.agent().newPolicy(256), eyes::review, 0.1),
              RECIPE.iterations() / 2);

      assertThat(student.verdict().kind())
          .as(student.verdict().sentence())
          .isEqualTo(Verdict.Kind.BETTER);
    }
  }

  /// Small enough for every build: two iterations on a few days.
  private static NativeDefaults small() {
    return new NativeDefaults(
        RECIPE.mirrors(),
        RECIPE.bothSides(),
        RECIPE.startsNearTwap(),
        RECIPE.shares(),
        RECIPE.rewardScale(),
        RECIPE.network(),
        RECIPE.ppo(),
        RECIPE.update(),
        16,
        64,
        2,
        1);
  }

  private static float[] afterTwoIterations(int threads, boolean teaches) {
    try (var run = new SmallRun(small(), SyntheticConfig.DEFAULT.withSize(4, 15), threads)) {
      List<Order> orders = run.orders(Split.TRAIN);
      FullHistoryInterpreter eyes = run.states.inHindsight(PERMIT);
      Ppo<FullHistoryObservation> teacher = run.newAgent(null);
      Distillation<FullHistoryObservation> distillation =
          Distillation.of(teacher.agent().newPolicy(64), eyes::review, 0.1);
      Ppo<FullHistoryObservation> agent = run.newAgent(teaches ? distillation : null);
      run.train(agent, run.states, orders, 2, () -> {});
      return SmallRun.weights(agent.agent().model());
    }
  }

  @Test
  void threadsChangeNothingAndATeacherSomething() {
    float[] alone = afterTwoIterations(1, true);

    assertThat(afterTwoIterations(3, true)).isEqualTo(alone);
    assertThat(Arrays.equals(afterTwoIterations(1, false), alone)).isFalse();
  }

  @Test
  void beforeItLearnsAnAgentTreatsBothSidesAlikeAndFillsEveryOrder() {
    try (var run = new SmallRun(small(), SyntheticConfig.DEFAULT.withSize(4, 15), 1)) {
      Evaluation evaluation = run.evaluation(Split.TEST);
      PolicyResults results = run.evaluate(evaluation, run.newAgent(null), run.states);

      assertThat(results.fillRate(null)).isEqualTo(1);
      Yardsticks yardsticks = run.yardsticks(evaluation);
      assertThat(Assessment.of(results, yardsticks).verdict().kind())
          .isEqualTo(Verdict.Kind.TOO_FEW_DAYS);
    }
  }

  @Test
  void fineTuningGoesOnFromTheWeightsOfAUniversalAgent() {
    try (var run = new SmallRun(small(), SyntheticConfig.DEFAULT.withSize(4, 15), 1)) {
      List<Order> all = run.orders(Split.TRAIN);
      Ppo<FullHistoryObservation> universal = run.newAgent(null);
      run.train(universal, run.states, all, 1, () -> {});
      String instrument = all.getFirst().instrument();
      Ppo<FullHistoryObservation> tuned = run.newAgent(null);
      tuned.agent().model().weights().copyFrom(universal.agent().model().weights());

      run.train(
          tuned,
          run.states,
          all.stream().filter(order -> order.instrument().equals(instrument)).toList(),
          1,
          () -> {});

      double moved = 0;
      for (int i = 0; i < tuned.agent().model().weights().size(); i++) {
        float distance =
            tuned.agent().model().weights().values()[i]
                - universal.agent().model().weights().values()[i];
        moved += distance * distance;
      }
      assertThat(Math.sqrt(moved)).isPositive().isCloseTo(0, within(2.0));
    }
  }
}
