package io.tranche.market;

import org.jspecify.annotations.Nullable;

/// The data is wrong. Says where (file, line or offset, instrument, time), what was expected, and
/// what was found.
public final class DataException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public DataException(String where, String expected, @Nullable Object found) {
    super(where + ": expected " + expected + ", was " + found);
  }

  public DataException(String where, String expected, @Nullable Object found, Throwable cause) {
    super(where + ": expected " + expected + ", was " + found, cause);
  }
}
