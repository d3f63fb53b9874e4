package io.tranche.serving.journal;

import io.tranche.files.Fsync;
import io.tranche.files.Sha256;
import io.tranche.serving.ServiceConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Writes batches of records into the files of a journal. Used only by the journal's thread.
final class SegmentWriter {

  private final Path folder;
  private final Duration retention;
  private final JournalFile.Opener opener;
  private final Sha256 hash = new Sha256();
  private @Nullable JournalFile file;
  private long segment;
  private long size;
  private boolean isFirst = true; // no segment was written since the start
  private long previousSize;
  private String previousHash;

  SegmentWriter(ServiceConfig config, JournalFile.Opener opener, Recovery recovered) {
    this.folder = config.journal();
    this.retention = config.rules().retention();
    this.opener = opener;
    this.segment = recovered.lastSegment();
    this.size = recovered.lastSize();
    this.previousSize = recovered.lastSize();
    this.previousHash = recovered.lastHash();
  }

  /// Writes a batch and calls fsync.
  ///
  /// @param hasFailed whether the attempt before failed
  /// @return the bytes that were written
  ByteBuffer write(JournalBatch batch, boolean hasFailed) throws IOException {
    if (batch.segment != segment) {
      close();
      if (!isFirst) {
        previousSize = size;
        previousHash = hash.hex();
      }
      isFirst = false;
      segment = batch.segment;
      size = 0;
    }
    JournalFile target = file;
    if (target == null) {
      target = opener.open(Segment.file(folder, batch.segment));
      file = target;
    }
    if (size == 0 || hasFailed) {
      // A failed attempt may have left bytes, and the system may have dropped its dirty pages.
      target.truncate(size);
    }
    byte[] header = size == 0 ? header(batch) : new byte[0];
    int length = header.length;
    for (byte[] each : batch.records) {
      length += each.length;
    }
    var bytes = ByteBuffer.allocate(length).put(header);
    batch.records.forEach(bytes::put);
    target.write(bytes.flip(), size);
    target.force();
    if (size == 0) {
      Fsync.force(folder);
      archiveOld(batch);
    }
    size += length;
    return bytes.rewind();
  }

  private byte[] header(JournalBatch batch) {
    long first = batch.last - batch.records.size() + 1;
    return new Segment.Header(batch.segment, first, previousSize, previousHash).bytes();
  }

  /// Adds bytes that were written to the hash of the file, which the next file has.
  void hash(ByteBuffer written) {
    hash.add(written);
  }

  /// Archives segments that no day needs. If that fails, the next segment tries again.
  private void archiveOld(JournalBatch batch) {
    try {
      for (var each : Recovery.segments(folder).entrySet()) {
        if (each.getKey() < batch.segment && !batch.needed.contains(each.getKey())) {
          SegmentArchive.add(folder, each.getValue());
        }
      }
      SegmentArchive.expire(folder, retention);
    } catch (IOException _) {
      // It only costs space: the heading says which segments are needed.
    }
  }

  /// Closes the file. Everything in it is durable.
  void close() throws IOException {
    try (var _ = file) {
      file = null;
    }
  }
}
