package io.tranche.policy.learn;

/// A number that learning depends on is no longer finite.
public final class DivergenceException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String term;
  private final int minibatch;

  /// @param term what is not finite: a loss such as `loss/clip`, or a tensor's gradient or weight
  /// @param minibatch index of the minibatch within the update, from 0
  public DivergenceException(String term, int minibatch, double value) {
    super("%s must be finite, was %s in minibatch %d".formatted(term, value, minibatch));
    this.term = term;
    this.minibatch = minibatch;
  }

  /// Returns the name of the number that is not finite.
  public String term() {
    return term;
  }

  /// Returns the index of the minibatch within the update, from 0.
  public int minibatch() {
    return minibatch;
  }
}
