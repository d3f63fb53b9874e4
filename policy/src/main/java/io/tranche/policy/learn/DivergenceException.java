package io.tranche.policy.learn;

/// A number that learning depends on is no longer finite.
public final class DivergenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String term;
  private final int minibatch;

  /// @param term what is not finite: a loss such as `loss/clip`, or a tensor's gradient or weight
  /// @param minibatch which minibatch of the update, from 0 on
  public DivergenceException(String term, int minibatch, double value) {
    super("%s must be finite, was %s in minibatch %d".formatted(term, value, minibatch));
    this.term = term;
    this.minibatch = minibatch;
  }

  /// Returns what is not finite.
  public String term() {
    return term;
  }

  /// Returns which minibatch of the update it was, from 0 on.
  public int minibatch() {
    return minibatch;
  }
}
