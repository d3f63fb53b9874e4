package io.tranche.cli.model;

import io.tranche.market.DataException;
import io.tranche.work.decide.LineInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A file that another process appends to.
final class GrowingFile implements LineInput.Growth {

  private static final long POLL_MILLIS = 50;

  private final Path file;
  private final boolean waits;
  private long largest;

  /// @param waits whether to wait for more
  GrowingFile(Path file, boolean waits) {
    this.file = file;
    this.waits = waits;
  }

  @Override
  public boolean isAwaited() throws IOException {
    long size = Files.size(file);
    if (size < largest) {
      throw new DataException(
          file.toString(), "a file that grows", "%d bytes after %d".formatted(size, largest));
    }
    largest = size;
    if (waits) {
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return waits;
  }
}
