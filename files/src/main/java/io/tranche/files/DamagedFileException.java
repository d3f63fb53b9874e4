package io.tranche.files;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The contents of a file are wrong. The message says where, what was expected and what was found.
public final class DamagedFileException extends IOException {

  private static final long serialVersionUID = 1L;

  public DamagedFileException(String where, String expected, @Nullable Object found) {
    this(where, expected, found, null);
  }

  public DamagedFileException(
      String where, String expected, @Nullable Object found, @Nullable Throwable cause) {
    super(where + ": expected " + expected + ", was " + found, cause);
  }
}
