package io.tranche.serving.journal;

import io.tranche.files.Fsync;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The folder `archive` of a journal: segments that no open day needs, kept as evidence.
final class SegmentArchive {

  private static final String NAME = "archive";

  private SegmentArchive() {}

  static Path of(Path journal) {
    return journal.resolve(NAME);
  }

  /// Returns the archived segments by number.
  static NavigableMap<Long, Path> segments(Path journal) throws IOException {
    return Files.isDirectory(of(journal)) ? Recovery.segments(of(journal)) : new TreeMap<>();
  }

  /// Moves a segment to the archive.
  static void add(Path journal, Path segment) throws IOException {
    Path archive = of(journal);
    if (!Files.isDirectory(archive)) {
      Files.createDirectory(archive);
      Fsync.force(journal);
    }
    Files.move(segment, archive.resolve(segment.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }

  /// Deletes segments that were last written longer ago than `retention`, oldest first, so that no
  /// gap arises.
  static void expire(Path journal, Duration retention) throws IOException {
    Instant oldest = Instant.now().minus(retention);
    for (Path each : segments(journal).values()) {
      if (!Files.getLastModifiedTime(each).toInstant().isBefore(oldest)) {
        return;
      }
      Files.deleteIfExists(each);
    }
  }
}
