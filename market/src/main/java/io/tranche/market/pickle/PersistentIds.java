package io.tranche.market.pickle;

import org.jspecify.annotations.Nullable;

/// Answers the references that a pickle makes to things outside itself, as PyTorch's files do.
@FunctionalInterface
public interface PersistentIds {

  /// Returns the value of `id`, or null to refuse the file.
  @Nullable PickleValue resolve(PickleValue id);
}
