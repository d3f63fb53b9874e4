package io.tranche.work.tuning;

/// The state of a trial in a search.
public enum TrialState {
  /// It is being trained.
  RUNNING("running"),
  /// It has reached a rung and waits for promotion; at the end of the search, it was not promoted.
  WAITING("not promoted"),
  /// It was stopped between rungs because it was worse than the median.
  STOPPED("stopped by the median"),
  /// It has had all its iterations, or stopped early by itself.
  COMPLETED("completed"),
  /// It could not go on.
  FAILED("failed");

  private final String words;

  TrialState(String words) {
    this.words = words;
  }

  /// Returns the words for tables of a finished search.
  public String words() {
    return words;
  }
}
