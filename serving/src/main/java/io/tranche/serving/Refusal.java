package io.tranche.serving;

/// A way out of a request that cannot be done.
final class Refusal extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Answer.Reason reason;

  Refusal(Answer.Reason reason, String message) {
    super(message, null, false, false);
    this.reason = reason;
  }

  Answer.Reason reason() {
    return reason;
  }

  Answer answer() {
    return new Answer.Refused(reason, String.valueOf(getMessage()));
  }
}
