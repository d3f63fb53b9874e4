package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.List;

/// Chooses actions. A policy acts; an algorithm learns.
///
/// @param <O> the observation it understands
public interface Policy<O extends Observation> {

  /// Whether a policy explores or does its best.
  enum Mode {
    TRAIN,
    EVALUATE
  }

  /// Chooses one action for each observation.
  ///
  /// @param drawKeys one per row, unique to (seed, episode, step): every random draw for that row
  ///   comes from a generator made of it, so that actions do not depend on how rows were batched
  Action[] act(List<O> observations, long[] drawKeys, Mode mode);

  /// Announces the episodes that come next, by one observation of each, on the thread that will ask
  /// for their actions. Changes no action: a policy may compute something for many at once.
  default void expect(List<O> observations) {}
}
