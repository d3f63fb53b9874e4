package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Plays episodes side by side with a policy until all are over.
///
/// The only such loop besides [io.tranche.env.vector.Collector], which also records experience to
/// learn from.
public final class Player {

  /// An episode that is being played.
  ///
  /// @param <O> what the policy sees
  public interface Round<O extends Observation> {

    /// Returns the next observation for the policy; null if the episode is over.
    @Nullable O observation();

    /// Returns the random key of the next decision.
    long drawKey();

    void step(Action action);
  }

  private Player() {}

  /// @param rounds at most as many as `policy` accepts in a batch
  /// @param <O> what the policy sees
  public static <O extends Observation> void play(
      List<? extends Round<O>> rounds, Policy<O> policy, Policy.Mode mode) {
    List<Round<O>> running = new ArrayList<>(rounds);
    while (true) {
      List<Round<O>> left = new ArrayList<>(running.size());
      List<O> observations = new ArrayList<>(running.size());
      for (Round<O> round : running) {
        O observation = round.observation();
        if (observation != null) {
          left.add(round);
          observations.add(observation);
        }
      }
      if (left.isEmpty()) {
        return;
      }
      long[] keys = new long[left.size()];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = left.get(i).drawKey();
      }
      Action[] actions = policy.act(observations, keys, mode);
      for (int i = 0; i < actions.length; i++) {
        left.get(i).step(actions[i]);
      }
      running = left;
    }
  }
}
