package io.tranche.policy.learn;

/// Sees into updates: for tests and for finding out why a run diverges.
@FunctionalInterface
public interface UpdateObserver {

  /// Ignores everything.
  UpdateObserver NONE = (_, _) -> {};

  /// The gradients of a minibatch are known, and nothing was done with them yet.
  ///
  /// @param minibatch which one of the update, from 0 on
  /// @param gradients laid out as the weights; the array itself, not to be changed or kept
  void gradients(int minibatch, float[] gradients);
}
