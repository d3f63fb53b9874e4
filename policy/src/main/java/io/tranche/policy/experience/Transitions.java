package io.tranche.policy.experience;

import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Recorded steps, in order: those of one environment are adjacent, and so are those of one
/// episode. Holds references to observations, never copies.
///
/// Made once and refilled; allocates only to grow.
public final class Transitions<O extends Observation> {

  private static final int TERMINATED = 1;
  private static final int TRUNCATED = 2;

  /// Flag of the newest step of an environment.
  private static final int NEWEST = 4;

  private final List<O> observations = new ArrayList<>();
  private final List<O> next = new ArrayList<>();
  private Action[] actions = new Action[0];
  private double[] rewards = new double[0];
  private long[] episodes = new long[0];
  private int[] steps = new int[0];
  private byte[] flags = new byte[0];

  public void clear() {
    observations.clear();
    next.clear();
  }

  /// Adds a step.
  ///
  /// @param episode its unique number
  /// @param step index of the decision within the episode, from 0
  /// @param terminated whether the step ended the episode
  /// @param truncated whether the episode was cut off after the step before its end
  /// @param following the observation after the step
  public void add(
      O observation,
      Action action,
      double reward,
      boolean terminated,
      boolean truncated,
      O following,
      long episode,
      int step) {
    int row = size();
    if (row == actions.length) {
      grow(Math.max(64, 2 * row));
    }
    observations.add(observation);
    next.add(following);
    actions[row] = action;
    rewards[row] = reward;
    episodes[row] = episode;
    steps[row] = step;
    flags[row] = (byte) ((terminated ? TERMINATED : 0) | (truncated ? TRUNCATED : 0));
  }

  private void grow(int capacity) {
    actions = Arrays.copyOf(actions, capacity);
    rewards = Arrays.copyOf(rewards, capacity);
    episodes = Arrays.copyOf(episodes, capacity);
    steps = Arrays.copyOf(steps, capacity);
    flags = Arrays.copyOf(flags, capacity);
  }

  /// Marks the last added step as the newest of its environment: later steps belong to another.
  public void endEnvironment() {
    if (size() > 0) {
      flags[size() - 1] |= NEWEST;
    }
  }

  public int size() {
    return observations.size();
  }

  public O observation(int row) {
    return observations.get(row);
  }

  /// Returns the observation after the step.
  public O next(int row) {
    return next.get(row);
  }

  public Action action(int row) {
    return actions[row];
  }

  /// Returns the choice that was taken, where actions are discrete.
  public int choice(int row) {
    return (int) actions[row].number();
  }

  public double reward(int row) {
    return rewards[row];
  }

  public long episode(int row) {
    return episodes[row];
  }

  public int step(int row) {
    return steps[row];
  }

  /// Whether this step ended the episode.
  public boolean isTerminated(int row) {
    return (flags[row] & TERMINATED) != 0;
  }

  /// Whether the next row does not continue this step: the episode ended, was cut off, or is still
  /// running and this is its newest step.
  public boolean isEnd(int row) {
    return flags[row] != 0 || row == size() - 1;
  }

  /// Returns the row of the step after this one, or `row` itself if there is none.
  public int following(int row) {
    return isEnd(row) ? row : row + 1;
  }

  /// Whether the observation after this step is the same object as the observation before the next
  /// row's step.
  @SuppressWarnings("ReferenceEquality") // asks for identity
  public boolean isNextFollowing(int row) {
    return row + 1 < size() && next.get(row) == observations.get(row + 1);
  }

  /// Whether this row and the previous one belong to different episodes.
  public boolean startsEpisode(int row) {
    return row == 0 || episodes[row] != episodes[row - 1];
  }
}
