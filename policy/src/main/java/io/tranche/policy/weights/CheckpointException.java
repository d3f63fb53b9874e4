package io.tranche.policy.weights;

import io.tranche.files.DamagedFileException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A file of weights or a checkpoint is wrong, or is not for this model. Says where (file, entry or
/// offset), what was expected, and what was found.
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

  /// Returns the complaint of another process.
  public static CheckpointException madeElsewhere(String message) {
    return new CheckpointException(message);
  }

  private static String message(String where, String expected, @Nullable Object found) {
    return where + ": expected " + expected + ", was " + found;
  }

  /// Returns the same complaint: what is data to a pickle reader, or what a person would have to
  /// change in a configuration, is damage in a file of weights.
  public static CheckpointException of(Exception cause) {
    return new CheckpointException(String.valueOf(cause.getMessage()), cause);
  }

  /// Returns the complaint that `file` could not be read, with the reason in words.
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
