package io.tranche.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/// Says why a file could not be written.
public final class FailureReason {

  private FailureReason() {}

  /// Returns the reason. The message of a file system's exception is only the path, often that of a
  /// temporary file.
  public static String of(IOException cause) {
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
