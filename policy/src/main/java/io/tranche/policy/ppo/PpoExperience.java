package io.tranche.policy.ppo;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.experience.RunningMoments;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.SlicedModel;
import io.tranche.policy.network.Model;
import io.tranche.tensor.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Computes from experience, before PPO learns, the values, advantages, returns and probabilities
/// of the actions. Hot path: allocates only to grow.
public final class PpoExperience<O extends Observation> {

  /// Number of rows in a batch for the teacher.
  private static final int QUESTIONS = 256;

  private final PpoConfig config;
  private final SlicedModel<O> model;
  private final ActionDistribution actions;
  private final @Nullable Distillation<O> distillation;
  private final RunningMoments moments = new RunningMoments();
  private Transitions<O> steps = new Transitions<>();
  private int[] all = new int[0];
  private int[] apart = new int[0];
  private float[] values = new float[0];
  private float[] nextValues = new float[0];
  private double[] scaled = new double[0];
  private double[] scaledNext = new double[0];
  private float[] logProbabilities = new float[0];
  private double[] advantages = new double[0];
  private double[] returns = new double[0];
  private float[] normalReturns = new float[0];
  private float[] codes = new float[0];
  private float[] advice = new float[0];

  PpoExperience(
      PpoConfig config,
      SlicedModel<O> model,
      ActionDistribution actions,
      @Nullable Distillation<O> distillation) {
    this.config = config;
    this.model = model;
    this.actions = actions;
    this.distillation = distillation;
  }

  /// Returns the running statistics of all returns so far.
  public RunningMoments moments() {
    return moments;
  }

  /// Starts on `experience` and evaluates it with the current weights.
  void begin(Transitions<O> experience) {
    steps = experience;
    grow(experience.size());
    for (int row = 0; row < steps.size(); row++) {
      actions.encode(steps.action(row), codes, row * actions.codeWidth());
    }
    model.index(experience);
    model.evaluate(
        steps,
        all,
        steps.size(),
        false,
        (slice, pass, _) -> {
          keepValues(slice, pass, values);
          keepProbabilities(slice, pass);
        });
    computeFromValues();
    if (distillation != null) {
      ask(distillation);
    }
  }

  private void ask(Distillation<O> teacher) {
    for (int from = 0; from < steps.size(); from += QUESTIONS) {
      int to = Math.min(steps.size(), from + QUESTIONS);
      var observations = new ArrayList<O>(to - from);
      for (int row = from; row < to; row++) {
        observations.add(steps.observation(row));
      }
      Action[] advised = teacher.advise(observations);
      for (int i = 0; i < advised.length; i++) {
        actions.encode(advised[i], advice, (from + i) * actions.codeWidth());
      }
    }
  }

  private void grow(int size) {
    if (size <= all.length) {
      return;
    }
    all = new int[size];
    Arrays.setAll(all, i -> i);
    apart = new int[size];
    values = new float[size];
    nextValues = new float[size];
    scaled = new double[size];
    scaledNext = new double[size];
    logProbabilities = new float[size];
    advantages = new double[size];
    returns = new double[size];
    normalReturns = new float[size];
    codes = new float[Math.multiplyExact(size, actions.codeWidth())];
    advice = new float[codes.length];
  }

  private void keepProbabilities(Slice<O> slice, Model<O>.Pass pass) {
    Rows parameters = pass.output(0);
    actions.read(slice.size(), parameters);
    for (int i = 0; i < slice.size(); i++) {
      int row = slice.row(i);
      logProbabilities[row] =
          actions.logProbability(
              parameters.data(), parameters.offset(i), codes, row * actions.codeWidth());
    }
  }

  private static <O extends Observation> void keepValues(
      Slice<O> slice, Model<O>.Pass pass, float[] target) {
    Rows value = pass.output(1);
    for (int i = 0; i < slice.size(); i++) {
      target[slice.row(i)] = value.data()[value.offset(i)];
    }
  }

  /// Computes values, advantages and returns with the current weights.
  void computeAdvantages() {
    evaluate(all, steps.size(), false, values);
    computeFromValues();
  }

  private void computeFromValues() {
    evaluateNext();
    PpoLoss.prepare(
        config,
        steps,
        values,
        nextValues,
        moments,
        scaled,
        scaledNext,
        advantages,
        returns,
        normalReturns);
  }

  private void evaluate(int[] rows, int count, boolean next, float[] target) {
    model.evaluate(steps, rows, count, next, (slice, pass, _) -> keepValues(slice, pass, target));
  }

  /// The observation after a step is mostly the one before the next step, whose value is known.
  private void evaluateNext() {
    int count = 0;
    for (int row = 0; row < steps.size(); row++) {
      if (steps.isTerminated(row)) {
        nextValues[row] = 0;
      } else if (steps.isNextFollowing(row)) {
        nextValues[row] = values[row + 1];
      } else {
        apart[count++] = row;
      }
    }
    if (count > 0) {
      evaluate(apart, count, true, nextValues);
    }
  }

  /// Returns the codes of the actions, in the order of the steps; not a copy.
  float[] codes() {
    return codes;
  }

  /// Returns the codes of the teacher's actions, if there is a teacher; not a copy.
  float[] advice() {
    return advice;
  }

  /// Returns the model's value before the step, in its own units.
  public float value(int row) {
    return values[row];
  }

  public float advantage(int row) {
    return (float) advantages[row];
  }

  /// Returns the return of the step, in the model's units.
  public float normalReturn(int row) {
    return normalReturns[row];
  }

  /// Returns the logarithm of the action's probability.
  public float logProbability(int row) {
    return logProbabilities[row];
  }
}
