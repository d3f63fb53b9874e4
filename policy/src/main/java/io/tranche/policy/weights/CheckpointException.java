package io.tranche.policy.weights;

import io.tranche.files.DamagedFileException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A weight file or checkpoint is damaged or belongs to another model. The message says where
/// (file, entry or offset), what was expected, and what was found.
public final class CheckpointException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public CheckpointException(String where, String expected, @Nullable Object found) {
    super(message(where, expected, found));
  }

  public CheckpointException(
      String where, String expected, @Nullable Object found, Throwable cause) {
    super(message(where, expected, found), cause);
  }

  private CheckpointException(String message, Throwable cause) {
    super(message, cause);
  }

  private CheckpointException(String message) {
    super(message);
  }

  /// Returns the exception of another process.
  public static CheckpointException madeElsewhere(String message) {
    return new CheckpointException(message);
  }

  private static String message(String where, String expected, @Nullable Object found) {
    return where + ": expected " + expected + ", was " + found;
  }

  /// Returns `cause` as a checkpoint exception: a data or configuration error in a weight file
  /// means that the file is damaged.
  public static CheckpointException of(Exception cause) {
    return new CheckpointException(String.valueOf(cause.getMessage()), cause);
  }

  /// Returns an exception that says why `file` could not be read.
  public static CheckpointException unreadable(Path file, IOException cause) {
    return switch (cause) {
      case DamagedFileException damage -> of(damage);
      case NoSuchFileException _ ->
          new CheckpointException(file.toString(), "a file", "nothing there", cause);
      default ->
          new CheckpointException(file.toString(), "a readable file", cause.getMessage(), cause);
    };
  }
}
