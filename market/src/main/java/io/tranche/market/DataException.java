package io.tranche.market;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
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

  /// Returns the complaint of another process.
  public static DataException madeElsewhere(String message) {
    return new DataException(message);
  }

  /// Returns the complaint that `target` could not be written, with the reason in words.
  public static DataException unwritable(Path target, IOException cause) {
    return new DataException(
        target.toString(), "a place that can be written", reason(cause), cause);
  }

  /// The message of a file system's exception is the path alone, often that of a temporary file.
  private static String reason(IOException cause) {
    if (cause instanceof FileSystemException exception) {
      return switch (exception) {
        case AccessDeniedException _ -> "one without permission";
        case NoSuchFileException _ -> "one without its folder";
        default ->
            exception.getReason() == null
                ? exception.getClass().getSimpleName()
                : exception.getReason();
      };
    }
    return String.valueOf(cause.getMessage());
  }
}
