package io.tranche.market.feature;

/// Receives the progress of a long job. May be called from any worker thread, one call at a time.
@FunctionalInterface
public interface FeatureProgress {

  FeatureProgress NONE = (_, _, _) -> {};

  /// @param stage what is being counted, such as `raw features`
  void at(String stage, int done, int total);
}
