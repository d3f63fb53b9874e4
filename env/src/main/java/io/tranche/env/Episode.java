package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The observations, actions and rewards of one episode so far. Qlib: `EnvWrapperStatus`.
///
/// @param <I> what it began with
/// @param <O> what the policy sees
public final class Episode<I extends @Nullable Object, O extends Observation> {

  private final I initialState;
  private final List<O> observations = new ArrayList<>();
  private final List<Action> actions = new ArrayList<>();
  private double[] rewards = new double[8];
  private int rewardCount;
  private int step;
  private boolean done;

  Episode(I initialState) {
    this.initialState = initialState;
  }

  public I initialState() {
    return initialState;
  }

  /// Returns the number of decisions, including the current one.
  public int step() {
    return step;
  }

  public boolean isDone() {
    return done;
  }

  /// Returns the observations, one more than there were decisions. A view.
  public List<O> observations() {
    return Collections.unmodifiableList(observations);
  }

  /// Returns the actions of the policy. A view.
  public List<Action> actions() {
    return Collections.unmodifiableList(actions);
  }

  /// Returns a copy of the rewards of the steps.
  public double[] rewards() {
    return Arrays.copyOf(rewards, rewardCount);
  }

  void observe(O observation) {
    observations.add(observation);
  }

  void decide(Action action) {
    actions.add(action);
  }

  void advance() {
    step++;
  }

  void finish(boolean isDone) {
    done = isDone;
  }

  void pay(double reward) {
    if (rewardCount == rewards.length) {
      rewards = Arrays.copyOf(rewards, 2 * rewardCount);
    }
    rewards[rewardCount++] = reward;
  }
}
