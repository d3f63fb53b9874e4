package io.tranche.config;

import org.jspecify.annotations.Nullable;

/// The user's configuration is wrong. Says where, what was expected, and what was found.
public final class ConfigException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /// @param where dotted path into the file, such as `policy.kwargs.lr`, or the file itself
  public ConfigException(String where, String expected, @Nullable Object found) {
    super(where + ": expected " + expected + ", was " + found);
  }

  private ConfigException(String message) {
    super(message);
  }

  /// Returns an exception that another process reported.
  public static ConfigException madeElsewhere(String message) {
    return new ConfigException(message);
  }
}
