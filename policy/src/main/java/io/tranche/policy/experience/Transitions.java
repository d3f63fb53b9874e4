package io.tranche.policy.experience;

import io.tranche.env.Observation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Steps that were taken, in order: the steps of one environment follow one another, and so do
/// those of one episode. Holds references to observations, never copies.
///
/// Made once and refilled; allocates only to grow.
public final class Transitions<O extends Observation> {

  private static final int TERMINATED = 1;
  private static final int TRUNCATED = 2;

  /// The newest of its environment.
  private static final int NEWEST = 4;

  private final List<O> observations = new ArrayList<>();
  private final List<O> next = new ArrayList<>();
  private int[] actions = new int[0];
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
  /// @param episode its number; no other episode has the same
  /// @param step which decision of the episode this is, from 0 on
  /// @param terminated whether the episode ended with it
  /// @param truncated whether the episode was cut off after it, though it could have gone on
  /// @param following what was seen afterwards
  public void add(
      O observation,
      int action,
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

  /// Says that the step added last is the newest of its environment: what is added from now on is
  /// from another.
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

  /// Returns what was seen after the step.
  public O next(int row) {
    return next.get(row);
  }

  public int action(int row) {
    return actions[row];
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

  /// Whether the episode ended with this step, so that nothing follows.
  public boolean isTerminated(int row) {
    return (flags[row] & TERMINATED) != 0;
  }

  /// Whether what follows in the list does not follow from this step: the episode ended, was cut
  /// off, or is still under way and this is its newest step.
  public boolean isEnd(int row) {
    return flags[row] != 0 || row == size() - 1;
  }

  /// Returns the row of the step after this one, or `row` itself if there is none.
  public int following(int row) {
    return isEnd(row) ? row : row + 1;
  }

  /// Whether what was seen after the step is, as an object, what was seen before the one that
  /// follows in the list.
  @SuppressWarnings("ReferenceEquality") // sameness is what is asked
  public boolean isNextFollowing(int row) {
    return row + 1 < size() && next.get(row) == observations.get(row + 1);
  }

  /// Whether this row and the one before are of different episodes.
  public boolean startsEpisode(int row) {
    return row == 0 || episodes[row] != episodes[row - 1];
  }
}
