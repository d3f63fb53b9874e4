package io.tranche.market;

import io.tranche.files.FailureReason;
import io.tranche.files.SafeFileName;
import java.io.IOException;
import java.nio.file.Path;
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

  private DataException(String message) {
    super(message);
  }

  private DataException(String message, Throwable cause) {
    super(message, cause);
  }

  /// Returns this exception with the place of the setting that led to the data in front.
  public DataException in(String setting) {
    return new DataException(setting + ": " + getMessage(), this);
  }

  /// Returns an exception that another process reported.
  public static DataException madeElsewhere(String message) {
    return new DataException(message);
  }

  /// Returns `name`, a text from the data, if it can be a file name.
  ///
  /// @param kind what the name belongs to, such as `instrument`
  public static String requireFileName(String kind, String name) {
    if (!SafeFileName.isSafe(name)) {
      throw new DataException(kind, SafeFileName.RULE, "'" + name + "'");
    }
    return name;
  }

  /// Returns the exception for a `target` that could not be written, with the reason in words.
  public static DataException unwritable(Path target, IOException cause) {
    return new DataException(
        target.toString(), "a place that can be written", FailureReason.of(cause), cause);
  }
}
