package io.tranche.runtime;

/// Receives decisions. May report fills, cancel orders and open new ones.
@FunctionalInterface
public interface Decisions {

  /// @param order whose [LiveOrder#volume] and [LiveOrder#kind] say what to send
  void decided(LiveOrder order);
}
