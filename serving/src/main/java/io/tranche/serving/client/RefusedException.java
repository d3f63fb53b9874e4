package io.tranche.serving.client;

import io.tranche.serving.Answer;

/// The service refused a request.
public final class RefusedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient Answer.Refused refusal;

  RefusedException(int status, Answer.Refused refusal) {
    super("%d: %s".formatted(status, refusal.message()));
    this.status = status;
    this.refusal = refusal;
  }

  /// Returns the HTTP status.
  public int status() {
    return status;
  }

  public Answer.Refused refusal() {
    return refusal;
  }

  /// Whether the same request may succeed a moment later.
  public boolean isPassing() {
    return status == 429 || status == 503 || status == 504;
  }
}
