package io.tranche.serving.engine;

import io.tranche.serving.journal.ForwardingFile;
import io.tranche.serving.journal.JournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// A disk that is full after a number of bytes; part of the last write may be on it.
final class LimitedDisk {

  private final AtomicLong written = new AtomicLong();
  private volatile long limit = Long.MAX_VALUE;

  void limit(long bytes) {
    limit = bytes;
  }

  long written() {
    return written.get();
  }

  JournalFile open(Path path) throws IOException {
    return new ForwardingFile(JournalFile.open(path)) {
      @Override
      public void write(ByteBuffer bytes, long position) throws IOException {
        long left = limit - written.get();
        if (left < bytes.remaining()) {
          bytes.limit(bytes.position() + (int) Math.max(0, left));
          super.write(bytes, position);
          throw new IOException("no space left");
        }
        written.addAndGet(bytes.remaining());
        super.write(bytes, position);
      }
    };
  }
}
