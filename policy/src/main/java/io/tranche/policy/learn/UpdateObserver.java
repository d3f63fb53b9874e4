package io.tranche.policy.learn;

/// Observes updates, for tests and to find out why a run diverges.
@FunctionalInterface
public interface UpdateObserver {

  /// Ignores everything.
  UpdateObserver NONE = (_, _) -> {};

  /// Called when the gradients of a minibatch are known, before they are used.
  ///
  /// @param minibatch its index within the update, from 0
  /// @param gradients laid out like the weights; not a copy, so it must not be changed or kept
  void gradients(int minibatch, float[] gradients);
}
