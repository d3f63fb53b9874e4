package io.tranche.policy.ppo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.space.Value;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.UpdateReport;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Network;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Students and teachers on a bet: the signal is above or below zero, and the right choice pays.
class DistillationTest {

  private static final int CHOICES = 3;

  private static final UpdateSettings ONCE = new UpdateSettings(0, 1, Batching.TRANSITIONS);

  /// @param signal what the student sees
  /// @param truth what only the teacher sees
  private record View(float signal, int truth) implements Observation {
    @Override
    public Value toValue() {
      return new Value.Plain((double) signal);
    }
  }

  /// One layer on the signal.
  private static final class Layer implements Network<View> {
    private final Linear linear;

    Layer(Weights weights, String prefix) {
      linear = Linear.withRelu(weights, prefix + "layer", 1, 8);
    }

    @Override
    public int width() {
      return 8;
    }

    @Override
    public void initialise(RandomGenerator random) {
      linear.initialise(random);
    }

    @Override
    public Object lane(View observation) {
      return observation;
    }

    @Override
    public Run newPass(int maxRows, int maxLanes) {
      return new Run(maxRows);
    }

    @Override
    public Run newInference(int maxRows) {
      return new Run(maxRows);
    }

    private final class Run implements Pass<View>, Inference<View> {
      private final Rows input;
      private final Rows features;
      private final Rows gradients;
      private int count;

      Run(int maxRows) {
        input = Rows.zeros(maxRows, 1);
        features = Rows.zeros(maxRows, 8);
        gradients = Rows.zeros(maxRows, 8);
      }

      @Override
      public void forward(Slice<View> slice) {
        for (int i = 0; i < slice.size(); i++) {
          input.data()[input.offset(i)] = slice.observation(i).signal();
        }
        count = slice.size();
        linear.forward(count, input, features);
      }

      @Override
      public Rows features(List<View> observations) {
        for (int i = 0; i < observations.size(); i++) {
          input.data()[input.offset(i)] = observations.get(i).signal();
        }
        linear.forward(observations.size(), input, features);
        return features;
      }

      @Override
      public Rows features() {
        return features;
      }

      @Override
      public Rows featureGradients() {
        return gradients;
      }

      @Override
      public void backward(float[] sum) {
        linear.backward(count, input, features, gradients, null, sum);
      }
    }
  }

  private static final Policy<View> ORACLE =
      (observations, _, _) ->
          observations.stream().map(v -> new Action.Discrete(v.truth())).toArray(Action[]::new);

  private static PpoConfig config(double learningRate) {
    return PpoConfig.DEFAULT
        .withLearningRate(learningRate)
        .withNormalizedRewards(false)
        .withNormalizedAdvantages(false)
        .withMaxNorm(0);
  }

  private static Ppo<View> student(
      @Nullable Distillation<View> distillation, double learningRate, ParallelFor parallel) {
    ActorCritic<View> agent = ActorCritic.create(Layer::new, CHOICES, new SplittableRandom(7));
    return new Ppo<>(agent, config(learningRate), distillation, parallel);
  }

  /// The truth is what the signal's third of the range says.
  private static View draw(SplittableRandom random) {
    float signal = (float) random.nextDouble(-1, 1);
    return new View(signal, signal < -1.0 / 3 ? 0 : signal < 1.0 / 3 ? 1 : 2);
  }

  private static void play(
      Transitions<View> steps,
      Policy<View> policy,
      int count,
      SplittableRandom random,
      double pay) {
    steps.clear();
    for (int i = 0; i < count; i++) {
      View view = draw(random);
      Action[] actions =
          policy.act(List.of(view), new long[] {random.nextLong()}, Policy.Mode.TRAIN);
      int choice = ((Action.Discrete) actions[0]).index();
      double reward = choice == view.truth() ? pay : 0;
      steps.add(view, new Action.Discrete(choice), reward, true, false, view, i, 0);
      steps.endEnvironment();
    }
  }

  @Test
  void theGradientIsThatOfTheLoss() {
    try (var parallel = new ParallelFor(1)) {
      double weight = 0.7;
      Distillation<View> teacher = Distillation.of(ORACLE, view -> view, weight);
      Ppo<View> with = student(teacher, 1e-3, parallel);
      Ppo<View> without = student(null, 1e-3, parallel);
      var steps = new Transitions<View>();
      play(steps, with.agent().newPolicy(1), 64, new SplittableRandom(1), 1);
      float[] gradients = gradients(with, steps);
      float[] plain = gradients(without, steps);

      // What the teacher adds is the slope of its own term, found by moving each weight.
      Weights weights = student(null, 1e-3, parallel).agent().model().weights();
      Ppo<View> probe = student(null, 1e-3, parallel);
      float[] values = probe.agent().model().weights().values();
      float step = 1e-2f;
      for (int i = 0; i < weights.size(); i++) {
        float before = values[i];
        values[i] = before + step;
        probe.agent().model().weights().changed();
        double above = teacherLoss(probe, steps);
        values[i] = before - step;
        probe.agent().model().weights().changed();
        double below = teacherLoss(probe, steps);
        values[i] = before;
        double slope = weight * (above - below) / (2 * step);
        assertThat((double) gradients[i] - plain[i]).isCloseTo(slope, within(2e-3));
      }
    }
  }

  private static float[] gradients(Ppo<View> ppo, Transitions<View> steps) {
    float[][] seen = new float[1][];
    ppo.observe((_, gradients) -> seen[0] = gradients.clone());
    UpdateReport report = ppo.update(steps, ONCE, 1);
    assertThat(report.mean("loss")).isFinite();
    return seen[0];
  }

  /// Returns the mean of `-log p(truth)` over the steps.
  private static double teacherLoss(Ppo<View> ppo, Transitions<View> steps) {
    var evaluation = ppo.agent().model().newEvaluation(1);
    double sum = 0;
    for (int row = 0; row < steps.size(); row++) {
      evaluation.evaluate(List.of(steps.observation(row)));
      Rows logits = evaluation.output(0);
      double total = 0;
      for (int i = 0; i < CHOICES; i++) {
        total += Math.exp(logits.data()[i]);
      }
      sum += Math.log(total) - logits.data()[steps.observation(row).truth()];
    }
    return sum / steps.size();
  }

  @Test
  void aStudentLearnsFromItsTeacherWhatItIsNeverPaidFor() {
    try (var parallel = new ParallelFor(1)) {
      Ppo<View> student = student(Distillation.of(ORACLE, view -> view, 1), 3e-2, parallel);
      var steps = new Transitions<View>();
      var random = new SplittableRandom(3);
      Policy<View> policy = student.agent().newPolicy(1);
      double first = Double.NaN;
      double last = Double.NaN;
      for (int i = 0; i < 60; i++) {
        play(steps, policy, 128, random, 0);
        last = student.update(steps, ONCE, i).mean("loss/teacher");
        first = Double.isNaN(first) ? last : first;
      }

      assertThat(last).isLessThan(first / 2);
      assertThat(right(student)).isGreaterThan(0.85);
    }
  }

  private static double right(Ppo<View> ppo) {
    var random = new SplittableRandom(9);
    Policy<View> policy = ppo.agent().newPolicy(1);
    int right = 0;
    for (int i = 0; i < 500; i++) {
      View view = draw(random);
      Action action = policy.act(List.of(view), new long[1], Policy.Mode.EVALUATE)[0];
      right += action.equals(new Action.Discrete(view.truth())) ? 1 : 0;
    }
    return right / 500.0;
  }

  @Test
  void withoutATeacherNothingIsSaidAboutOne() {
    try (var parallel = new ParallelFor(1)) {
      Ppo<View> alone = student(null, 1e-3, parallel);
      var steps = new Transitions<View>();
      play(steps, alone.agent().newPolicy(1), 16, new SplittableRandom(1), 1);

      assertThat(alone.update(steps, ONCE, 1).series()).doesNotContainKey("loss/teacher");
    }
  }

  @Test
  void aTeachersWordMustCountAndBeAChoice() {
    assertThatThrownBy(() -> Distillation.<View, View>of(ORACLE, view -> view, 0))
        .hasMessageContaining("was 0.0");
    Policy<View> vague = (seen, _, _) -> new Action[] {new Action.Continuous(seen.size())};
    Distillation<View> distillation = Distillation.of(vague, view -> view, 1);
    try (var parallel = new ParallelFor(1)) {
      Ppo<View> student = student(distillation, 1e-3, parallel);
      var steps = new Transitions<View>();
      play(steps, student.agent().newPolicy(1), 1, new SplittableRandom(1), 1);

      assertThatThrownBy(() -> student.prepare(steps))
          .hasMessage("action must be one of 3 choices, was Continuous[value=1.0]");
    }
  }
}
