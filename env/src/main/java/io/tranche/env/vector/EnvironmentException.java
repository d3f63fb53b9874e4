package io.tranche.env.vector;

import org.jspecify.annotations.Nullable;

/// Environments cannot continue: a worker had an error, or too many episodes failed in a row.
public final class EnvironmentException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EnvironmentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
