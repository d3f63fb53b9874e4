package io.tranche.serving;

/// Thrown when a request must be refused.
public final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Answer.Reason reason;

  public Refusal(Answer.Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  public Answer answer() {
    return new Answer.Refused(reason, String.valueOf(getMessage()));
  }
}
