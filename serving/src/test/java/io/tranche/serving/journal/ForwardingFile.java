package io.tranche.serving.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/// Does what another file does, but for what a test overrides.
public class ForwardingFile implements JournalFile {

  private final JournalFile file;

  public ForwardingFile(JournalFile file) {
    this.file = file;
  }

  @Override
  public void write(ByteBuffer bytes, long position) throws IOException {
    file.write(bytes, position);
  }

  @Override
  public void truncate(long size) throws IOException {
    file.truncate(size);
  }

  @Override
  public void force() throws IOException {
    file.force();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
