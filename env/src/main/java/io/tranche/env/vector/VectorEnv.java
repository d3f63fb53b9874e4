package io.tranche.env.vector;

import io.tranche.env.EpisodeFailure;
import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import java.util.List;
import java.util.function.Supplier;

/// Environments driven together, numbered from 0, that share initial states until these run out.
///
/// An environment is alive until a reset finds no initial state for it. A dead one may still be
/// read: it returns the first observation and reward that any environment ever returned and is
/// never done, so that callers can keep rectangular batches. Driven by one thread.
///
/// @param <O> the observation
public interface VectorEnv<O extends Observation> extends AutoCloseable {

  int size();

  /// Runs a collect and notifies log writers when it begins and, unless it throws, when it ends.
  /// Afterwards no threads of this vector are left, and the next collect begins new episodes.
  ///
  /// @param collect resets and steps this vector
  <R> R guarded(Supplier<R> collect);

  /// Begins an episode in each living environment of `ids`, in this order.
  ///
  /// @return false if no environment is alive any more; this vector is then exhausted
  /// @throws IllegalStateException if it is already exhausted
  boolean reset(int... ids);

  /// Takes a step in each living environment of `ids`.
  ///
  /// @param actions one for each id; those of dead environments are ignored
  /// @throws IllegalStateException if an episode is over, or this vector is exhausted
  void step(int[] ids, Action[] actions);

  /// Whether the last reset of an environment found an initial state for it.
  boolean isAlive(int id);

  /// Returns the last observation of environment `id`.
  O observation(int id);

  /// Returns the reward of its last step.
  double reward(int id);

  /// Whether its last step ended the episode.
  boolean isDone(int id);

  /// Whether its episode ended in an exception. It must then be reset.
  boolean hasFailed(int id);

  /// Returns the number of its episode. Episodes are numbered as initial states are handed out, so
  /// the number does not depend on the environment that runs an episode.
  long episode(int id);

  /// Returns the number of steps taken in its episode.
  int stepsTaken(int id);

  /// Returns the episodes that failed since the last call.
  List<EpisodeFailure> takeFailures();

  @Override
  void close();
}
