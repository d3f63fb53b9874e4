package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.List;

/// Chooses actions. A policy acts; an algorithm learns.
///
/// @param <O> the observation it understands
public interface Policy<O extends Observation> {

  /// Whether a policy explores or takes its best action.
  enum Mode {
    TRAIN,
    EVALUATE
  }

  /// Chooses one action for each observation.
  ///
  /// @param drawKeys one per row, unique to (seed, episode, step): all random draws for that row
  ///   use a generator made from it, so that actions do not depend on batching
  Action[] act(List<O> observations, long[] drawKeys, Mode mode);

  /// Announces the next episodes, by one observation of each, on the thread that will request their
  /// actions. Changes no actions, but lets a policy compute in batches.
  default void expect(List<O> observations) {}
}
