package io.tranche.env;

import io.tranche.env.space.Action;
import java.util.List;

/// What chooses actions. It acts; an algorithm learns.
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
  /// @param drawKeys one a row, unique to (seed, episode, step): every random draw for that row
  ///   comes from a generator made of it, so that actions do not depend on how rows were batched
  Action[] act(List<O> observations, long[] drawKeys, Mode mode);

  /// Hears which episodes will come next, by an observation of each, from the thread that will ask
  /// about them. Changes no action: whoever can work out something for many at once does so.
  default void expect(List<O> observations) {}
}
