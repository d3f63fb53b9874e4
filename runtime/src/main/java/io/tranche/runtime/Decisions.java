package io.tranche.runtime;

/// Hears of decisions. May tell orders of fills, cancel them and open new ones.
@FunctionalInterface
public interface Decisions {

  /// @param order whose [LiveOrder#volume] and [LiveOrder#kind] say what to send
  void decided(LiveOrder order);
}
