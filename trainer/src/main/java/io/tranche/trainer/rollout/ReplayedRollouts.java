package io.tranche.trainer.rollout;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.vector.Collector;
import io.tranche.env.vector.TrajectoryListener;
import io.tranche.env.vector.Transition;
import io.tranche.market.DataException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;

/// Replays episodes that were played elsewhere: passes on their initial states, returns the actions
/// chosen there in place of the policy's, and checks that rewards and lengths are the same here.
///
/// The collector does everything else itself, so experience, logs and failures are its own. The
/// policy decides where there is no action from elsewhere: in an episode that replaces a failed
/// one, or in one that is begun and not needed.
///
/// @param <I> what an episode begins with
/// @param <O> the observation
public final class ReplayedRollouts<I, O extends Observation>
    implements Iterator<I>, Policy<O>, TrajectoryListener<O> {

  /// Number of episodes played elsewhere at a time: all their trajectories are in memory.
  private static final int BLOCK = 1 << 16;

  /// In one of this many episodes the policy is asked as well. Different prices show in the
  /// rewards, different features only here.
  private static final int CHECKED = 64;

  private final Rollouts<I> rollouts;
  private final Mode mode;
  private final long drawRoot;
  private final Iterator<I> states;
  private final Policy<O> policy;
  private final TrajectoryListener<O> listener;
  private final Queue<I> ahead = new ArrayDeque<>();

  /// The running episodes, by the draw key of their next decision.
  private final Map<Long, Part> parts = new HashMap<>();

  private long wanted;
  private long taken;

  /// @param wanted number of episodes that will certainly be played
  /// @param policy decides where there is no action from elsewhere
  /// @param listener receives the steps
  public ReplayedRollouts(
      Rollouts<I> rollouts,
      Mode mode,
      long drawRoot,
      Iterator<I> states,
      long wanted,
      Policy<O> policy,
      TrajectoryListener<O> listener) {
    this.rollouts = rollouts;
    this.mode = mode;
    this.drawRoot = drawRoot;
    this.states = states;
    this.wanted = wanted;
    this.policy = policy;
    this.listener = listener;
  }

  @Override
  public boolean hasNext() {
    if (ahead.isEmpty() && wanted > 0) {
      play();
    }
    return !ahead.isEmpty() || states.hasNext();
  }

  @Override
  public I next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    I next = ahead.poll();
    return next == null ? states.next() : next;
  }

  private void play() {
    var block = new ArrayList<I>();
    while (block.size() < Math.min(wanted, BLOCK) && states.hasNext()) {
      block.add(states.next());
    }
    wanted = block.size() < Math.min(wanted, BLOCK) ? 0 : wanted - block.size();
    if (block.isEmpty()) {
      return;
    }
    List<Trajectory> played = rollouts.play(mode, drawRoot, taken, block);
    for (int i = 0; i < block.size(); i++) {
      long episode = taken + i;
      parts.put(
          Collector.drawKey(drawRoot, episode, 0), new Part(block.get(i), episode, played.get(i)));
    }
    taken += block.size();
    ahead.addAll(block);
  }

  @Override
  public Action[] act(List<O> observations, long[] drawKeys, Mode asked) {
    var actions = new Action[drawKeys.length];
    var open = new ArrayList<Integer>();
    for (int row = 0; row < drawKeys.length; row++) {
      Part part = parts.get(drawKeys[row]);
      if (part != null) {
        actions[row] = part.action();
      }
      if (part == null || part.episode % CHECKED == 0) {
        open.add(row);
      }
    }
    if (!open.isEmpty()) {
      ask(observations, drawKeys, open, actions);
    }
    return actions;
  }

  private void ask(List<O> observations, long[] drawKeys, List<Integer> open, Action[] actions) {
    List<O> seen = open.stream().map(observations::get).toList();
    long[] keys = open.stream().mapToLong(row -> drawKeys[row]).toArray();
    Action[] own = policy.act(seen, keys, mode);
    for (int i = 0; i < own.length; i++) {
      int row = open.get(i);
      Part part = parts.get(drawKeys[row]);
      if (part != null && !own[i].equals(actions[row])) {
        throw part.other("the action " + own[i] + " at step " + part.step, actions[row]);
      }
      actions[row] = own[i];
    }
  }

  @Override
  public void step(Transition<O> step) {
    Part part = parts.remove(step.drawKey());
    if (part != null) {
      part.went(step.reward(), step.done());
      if (!step.done()) {
        parts.put(Collector.drawKey(drawRoot, part.episode, step.step() + 1), part);
      }
    }
    listener.step(step);
  }

  @Override
  public void abandoned(int env, long episode) {
    listener.abandoned(env, episode);
  }

  /// An episode that is replayed.
  private static final class Part {
    private final Object state;
    private final long episode;
    private final Trajectory trajectory;
    private int step;
    private long rewards = Trajectory.NO_REWARDS;

    Part(Object state, long episode, Trajectory trajectory) {
      this.state = state;
      this.episode = episode;
      this.trajectory = trajectory;
    }

    Action action() {
      if (step < trajectory.actions().size()) {
        return trajectory.actions().get(step);
      }
      throw other("an episode of more than %d steps".formatted(step), outcome());
    }

    void went(double reward, boolean done) {
      step++;
      rewards = Trajectory.fold(rewards, reward);
      if (done) {
        if (step != trajectory.actions().size() || trajectory.failure() != null) {
          throw other("an episode of %d steps".formatted(step), outcome());
        }
        if (rewards != trajectory.rewards()) {
          throw other("the same rewards as here", "others");
        }
      }
    }

    private String outcome() {
      String failure = trajectory.failure();
      return failure == null ? "one of %d".formatted(trajectory.actions().size()) : failure;
    }

    DataException other(String expected, Object found) {
      return new DataException(
          "%s, played elsewhere on data that must be the same".formatted(state), expected, found);
    }
  }
}
