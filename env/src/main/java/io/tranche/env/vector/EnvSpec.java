package io.tranche.env.vector;

import io.tranche.env.Observation;
import io.tranche.env.Problem;

/// An environment that can be made again in another process, out of its name in a catalog and its
/// configuration. Objects themselves never travel: initial states and observations cross as bytes
/// of the environment's own making.
///
/// Third parties register theirs with a `ComponentProvider`, as components of [#kind].
///
/// @param <I> what an episode begins with
/// @param <O> the observation
public interface EnvSpec<I, O extends Observation> {

  /// Returns the kind under which these are in a catalog.
  @SuppressWarnings("unchecked") // a class object cannot say its type's parameters
  static Class<EnvSpec<?, ?>> kind() {
    return (Class<EnvSpec<?, ?>>) (Class<?>) EnvSpec.class;
  }

  Problem<I, ?, ?, O> problem();

  Codec<I> initialStates();

  /// Returns how observations cross. A view is best written as what identifies it, and rebuilt on
  /// the shared data that the reader has itself.
  Codec<O> observations();
}
