package io.tranche.market.feature;

/// Hears how far a long job has come. May be called from any worker thread, one call at a time.
@FunctionalInterface
public interface FeatureProgress {

  /// For those who do not want to know.
  FeatureProgress NONE = (_, _, _) -> {};

  /// @param stage what is being counted, such as `raw features`
  void at(String stage, int done, int total);
}
