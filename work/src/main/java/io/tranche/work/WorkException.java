package io.tranche.work;

/// Work could not be done, and neither configuration nor data are to blame.
public final class WorkException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public WorkException(String message) {
    super(message);
  }

  public WorkException(String message, Throwable cause) {
    super(message, cause);
  }
}
