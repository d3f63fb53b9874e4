package io.tranche.run;

/// What hears how far the making of a run's data is.
@FunctionalInterface
public interface RunListener {

  /// @param what is being made, such as `features`
  void making(String what, long done, long total);
}
