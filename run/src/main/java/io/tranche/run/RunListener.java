package io.tranche.run;

/// Is told how much of a run's data is made.
@FunctionalInterface
public interface RunListener {

  /// @param what is being made, such as `features`
  void making(String what, long done, long total);
}
