package io.tranche.env.vector;

import org.jspecify.annotations.Nullable;

/// Environments cannot go on: a child process died, hung or sent nonsense, or too many episodes
/// failed in a row.
public final class EnvironmentException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  EnvironmentException(String message) {
    super(message);
  }

  EnvironmentException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
