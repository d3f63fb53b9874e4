package io.tranche.work;

/// A piece of work failed, and neither the configuration nor the data are to blame.
public final class WorkException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WorkException(String message) {
    super(message);
  }

  public WorkException(String message, Throwable cause) {
    super(message, cause);
  }
}
