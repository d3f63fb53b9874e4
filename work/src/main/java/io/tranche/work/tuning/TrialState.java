package io.tranche.work.tuning;

/// Where a trial stands in a search.
public enum TrialState {
  /// Is being trained.
  RUNNING("running"),
  /// Has reached a rung and waits for its turn to go on; in the end, was not good enough to.
  WAITING("not promoted"),
  /// Was stopped between rungs: worse than the median.
  STOPPED("stopped by the median"),
  /// Has had all its iterations, or stopped early by itself.
  COMPLETED("completed"),
  /// Could not go on.
  FAILED("failed");

  private final String words;

  TrialState(String words) {
    this.words = words;
  }

  /// Returns it as it stands in tables when the search is over.
  public String words() {
    return words;
  }
}
