package io.tranche.policy.experience;

import io.tranche.env.Observation;
import java.util.ArrayList;
import java.util.List;

/// Observations that go through a network together. Those of one lane are neighbours, and within it
/// those of one episode, in the order of their steps.
///
/// Made once and refilled: hot path, allocates nothing once it has its size.
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
  /// @param row the caller's number of it
  /// @param isNewLane whether it does not share a lane with the observation before it
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

  /// Returns what the caller knows observation `index` by.
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

  /// Returns whether observation `index` is of another episode, or in another lane, than the one
  /// before it.
  public boolean startsEpisode(int index) {
    return index == 0 || lanes[index] != lanes[index - 1] || episodes[index] != episodes[index - 1];
  }
}
