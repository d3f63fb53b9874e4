package io.tranche.env.vector;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// Runs a policy in a vector of environments and passes each step to a listener. Qlib: tianshou's
/// `Collector`.
///
/// The random draws of a decision come from the key (seed, "action", iteration, episode, step), so
/// actions do not depend on the number of threads.
///
/// @param <O> the observation
public final class Collector<O extends Observation> {

  /// When environments are reset. Each reset takes an initial state.
  public enum Resets {
    /// When an episode is needed: every initial state taken is run to the end, unless a collect by
    /// steps stops halfway.
    NEEDED,
    /// As in tianshou: all when the collector is made, each when it has finished, and all again
    /// after a collect by episodes. Episodes that are begun and not needed are lost.
    EAGER
  }

  private final Policy<O> policy;
  private final Policy.Mode mode;
  private final VectorEnv<O> environments;
  private final TrajectoryListener<O> listener;
  private final Resets resets;
  private final long drawRoot;
  private final double[] episodeRewards;
  private final List<Double> rewards = new ArrayList<>();
  private final List<Integer> lengths = new ArrayList<>();
  private long firstEpisode;
  private long steps;
  private boolean begun;
  private boolean exhausted;

  /// @param iteration distinguishes the draws of collectors with the same seed
  public Collector(
      Policy<O> policy,
      Policy.Mode mode,
      VectorEnv<O> environments,
      TrajectoryListener<O> listener,
      Resets resets,
      long seed,
      long iteration) {
    this.policy = policy;
    this.mode = mode;
    this.environments = environments;
    this.listener = listener;
    this.resets = resets;
    this.drawRoot = drawRoot(seed, iteration);
    this.episodeRewards = new double[environments.size()];
    if (resets == Resets.EAGER) {
      begin(allIds());
    }
  }

  /// Numbers the listener's episodes from `first` on, so that no two collects use the same numbers.
  /// Random draws do not depend on it.
  public Collector<O> numberingFrom(long first) {
    firstEpisode = first;
    return this;
  }

  /// Returns the root key of all draws of a collector.
  public static long drawRoot(long seed, long iteration) {
    return RandomTree.key(seed, "action", iteration);
  }

  /// Returns the key of the draws for one decision.
  ///
  /// @param step index of the decision within the episode, from 0
  public static long drawKey(long drawRoot, long episode, int step) {
    return RandomTree.child(RandomTree.child(drawRoot, episode), step);
  }

  /// Whether the initial states ran out. Nothing more can be collected then.
  public boolean isExhausted() {
    return exhausted;
  }

  /// Collects until the initial states run out.
  public CollectResult collectAll() {
    return collectSteps(Long.MAX_VALUE);
  }

  /// Collects until at least `count` steps were taken, or the initial states run out. Episodes
  /// under way continue in the next collect.
  public CollectResult collectSteps(long count) {
    requirePositive(count);
    int[] ready = allIds();
    if (!begun) {
      begin(ready);
    }
    while (!exhausted && steps < count) {
      ready = advance(ready, Integer.MAX_VALUE);
    }
    return result();
  }

  /// Collects `count` episodes, or fewer if the initial states run out.
  public CollectResult collectEpisodes(int count) {
    requirePositive(count);
    int[] ready = IntStream.range(0, Math.min(count, environments.size())).toArray();
    if (resets == Resets.NEEDED && !exhausted) {
      begin(ready);
    }
    while (!exhausted && rewards.size() < count) {
      ready = advance(ready, count);
    }
    if (resets == Resets.EAGER && !exhausted) {
      begin(allIds());
    }
    begun = resets == Resets.EAGER;
    return result();
  }

  private void begin(int[] ids) {
    begun = true;
    exhausted = !environments.reset(ids);
    Arrays.fill(episodeRewards, 0);
  }

  /// Takes one step in the environments `ready` and returns those that continue.
  private int[] advance(int[] ready, int episodesWanted) {
    int[] alive = Arrays.stream(ready).filter(environments::isAlive).toArray();
    if (alive.length == 0) {
      // All living environments were dropped as surplus, so the wanted number cannot be reached.
      exhausted = true;
      return ready;
    }
    step(ready, alive);
    int[] finished = Arrays.stream(alive).filter(environments::isDone).toArray();
    for (int id : finished) {
      rewards.add(episodeRewards[id]);
      lengths.add(environments.stepsTaken(id));
    }
    int[] over = Arrays.stream(alive).filter(this::isOver).toArray();
    for (int id : over) {
      episodeRewards[id] = 0;
    }
    // The wanted episodes must not favour short ones: an environment that finishes while enough
    // others are running is dropped.
    int surplus = Math.max(0, ready.length - (episodesWanted - rewards.size()));
    int[] leaving = Arrays.copyOf(finished, Math.min(surplus, finished.length));
    int[] begin = resets == Resets.EAGER ? over : without(leaving, over);
    if (begin.length > 0) {
      exhausted = !environments.reset(begin);
    }
    return leaving.length == 0 ? ready : without(leaving, ready);
  }

  /// @param some ascending
  private static int[] without(int[] some, int[] ids) {
    return Arrays.stream(ids).filter(id -> Arrays.binarySearch(some, id) < 0).toArray();
  }

  private boolean isOver(int id) {
    return environments.isDone(id) || environments.hasFailed(id);
  }

  private void step(int[] ready, int[] alive) {
    var observations = new ArrayList<O>(alive.length);
    var keys = new long[alive.length];
    for (int row = 0; row < alive.length; row++) {
      int id = alive[row];
      observations.add(environments.observation(id));
      keys[row] = drawKey(drawRoot, environments.episode(id), environments.stepsTaken(id));
    }
    Action[] actions = policy.act(observations, keys, mode);
    if (actions.length != alive.length) {
      throw new IllegalStateException(
          "a policy must choose %d actions, was %d".formatted(alive.length, actions.length));
    }
    // Dead environments get an action too, as in Qlib, and ignore it.
    environments.step(ready, spread(ready, alive, actions));
    for (int row = 0; row < alive.length; row++) {
      record(alive[row], observations.get(row), actions[row], keys[row]);
    }
  }

  private static Action[] spread(int[] ready, int[] alive, Action[] actions) {
    if (ready.length == alive.length) {
      return actions;
    }
    var spread = new Action[ready.length];
    Arrays.fill(spread, actions[0]);
    for (int row = 0; row < alive.length; row++) {
      spread[Arrays.binarySearch(ready, alive[row])] = actions[row];
    }
    return spread;
  }

  private void record(int id, O observation, Action action, long key) {
    long episode = firstEpisode + environments.episode(id);
    if (environments.hasFailed(id)) {
      listener.abandoned(id, episode);
      return;
    }
    steps++;
    episodeRewards[id] += environments.reward(id);
    listener.step(
        new Transition<>(
            id,
            episode,
            environments.stepsTaken(id) - 1,
            observation,
            action,
            environments.reward(id),
            environments.isDone(id),
            environments.observation(id),
            key));
  }

  private CollectResult result() {
    var result = new CollectResult(steps, rewards, lengths, exhausted, environments.takeFailures());
    rewards.clear();
    lengths.clear();
    steps = 0;
    return result;
  }

  private int[] allIds() {
    return IntStream.range(0, environments.size()).toArray();
  }

  private static void requirePositive(long count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
  }
}
