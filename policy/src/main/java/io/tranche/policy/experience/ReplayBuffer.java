package io.tranche.policy.experience;

import io.tranche.env.Observation;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The newest steps of several environments: one ring per environment, which overwrites its oldest
/// step. Qlib: tianshou's `VectorReplayBuffer`.
public final class ReplayBuffer<O extends Observation> implements TrajectoryListener<O> {

  private final List<Ring<O>> rings = new ArrayList<>();

  /// @param capacity the number of steps in all rings together, rounded up to the same number per
  ///   ring
  public ReplayBuffer(int capacity, int environments) {
    if (capacity < 1 || environments < 1) {
      throw new IllegalArgumentException(
          "capacity and environments must be positive, was %d and %d"
              .formatted(capacity, environments));
    }
    int each = Math.ceilDiv(capacity, environments);
    for (int i = 0; i < environments; i++) {
      rings.add(new Ring<>(each));
    }
  }

  @Override
  public void step(Transition<O> step) {
    rings.get(step.env()).add(step);
  }

  @Override
  public void abandoned(int env, long episode) {
    rings.get(env).removeNewest(episode);
  }

  public int size() {
    return rings.stream().mapToInt(ring -> ring.size).sum();
  }

  public int environments() {
    return rings.size();
  }

  /// Returns the steps of an environment, oldest first.
  public List<Transition<O>> steps(int env) {
    Ring<O> ring = rings.get(env);
    return IntStream.range(0, ring.size).mapToObj(ring::at).toList();
  }

  public void clear() {
    rings.forEach(Ring::clear);
  }

  /// Replaces the contents of `target` by all steps: environment by environment, oldest first.
  public void copyTo(Transitions<O> target) {
    target.clear();
    for (Ring<O> ring : rings) {
      for (int i = 0; i < ring.size; i++) {
        Transition<O> step = ring.at(i);
        target.add(
            step.observation(),
            step.action(),
            step.reward(),
            step.done(),
            // Abandoned halfway: the next step in the ring does not continue this episode.
            !step.done() && i + 1 < ring.size && ring.at(i + 1).episode() != step.episode(),
            step.next(),
            step.episode(),
            step.step());
      }
      target.endEnvironment();
    }
  }

  private static final class Ring<O extends Observation> {
    private final List<Transition<O>> steps;
    private final int capacity;
    private int first;
    private int size;

    Ring(int capacity) {
      this.capacity = capacity;
      this.steps = new ArrayList<>();
    }

    void add(Transition<O> step) {
      if (steps.size() < capacity && first == 0 && size == steps.size()) {
        steps.add(step);
        size++;
        return;
      }
      steps.set((first + size) % capacity, step);
      if (size < capacity) {
        size++;
      } else {
        first = (first + 1) % capacity;
      }
    }

    Transition<O> at(int index) {
      return steps.get((first + index) % capacity);
    }

    void removeNewest(long episode) {
      while (size > 0 && at(size - 1).episode() == episode) {
        size--;
      }
    }

    void clear() {
      steps.clear();
      first = 0;
      size = 0;
    }
  }
}
