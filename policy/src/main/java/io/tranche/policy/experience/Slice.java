package io.tranche.policy.experience;

import io.tranche.env.Observation;
import java.util.ArrayList;
import java.util.List;

/// Observations that go through a network together. Those of one lane are adjacent, and within a
/// lane those of one episode, in step order.
///
/// Hot path: made once and refilled; allocates nothing once it has reached its size.
public final class Slice<O extends Observation> {

  private final List<O> observations;
  private final int[] rows;
  private final int[] lanes;
  private final long[] episodes;
  private int laneCount;

  public Slice(int maxRows) {
    observations = new ArrayList<>(maxRows);
    rows = new int[maxRows];
    lanes = new int[maxRows];
    episodes = new long[maxRows];
  }

  public void clear() {
    observations.clear();
    laneCount = 0;
  }

  /// Adds an observation.
  ///
  /// @param row the caller's index of the observation
  /// @param isNewLane whether it starts a new lane instead of sharing the previous one
  public void add(O observation, int row, long episode, boolean isNewLane) {
    int size = observations.size();
    if (size == rows.length) {
      throw new IllegalStateException("size must be below " + rows.length + ", was " + size);
    }
    if (isNewLane || size == 0) {
      laneCount++;
    }
    observations.add(observation);
    rows[size] = row;
    episodes[size] = episode;
    lanes[size] = laneCount - 1;
  }

  public int size() {
    return observations.size();
  }

  public boolean isFull() {
    return observations.size() == rows.length;
  }

  public int lanes() {
    return laneCount;
  }

  public O observation(int index) {
    return observations.get(index);
  }

  /// Returns the caller's index of observation `index`.
  public int row(int index) {
    return rows[index];
  }

  /// Returns the lane of observation `index`; the first is in lane 0.
  public int lane(int index) {
    return lanes[index];
  }

  public long episode(int index) {
    return episodes[index];
  }

  /// Returns whether observation `index` belongs to another episode or lane than the previous one.
  public boolean startsEpisode(int index) {
    return index == 0 || lanes[index] != lanes[index - 1] || episodes[index] != episodes[index - 1];
  }
}
