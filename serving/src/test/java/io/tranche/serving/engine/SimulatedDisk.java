package io.tranche.serving.engine;

import io.tranche.serving.journal.JournalFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// A disk that keeps what was not forced in memory: a crash loses it, or all but a part of it.
final class SimulatedDisk implements JournalFile.Opener {

  @SuppressWarnings("ArrayRecordComponent") // nobody compares writes
  private record Write(long position, byte[] bytes) {}

  private final SplittableRandom random;
  private final List<SimulatedFile> files = new ArrayList<>();

  /// How many of the next writes and forces fail.
  int failures;

  /// Whether it says that everything is durable, and loses it all the same.
  boolean lies;

  SimulatedDisk(SplittableRandom random) {
    this.random = random;
  }

  @Override
  public JournalFile open(Path path) throws IOException {
    var file =
        new SimulatedFile(
            FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE));
    files.add(file);
    return file;
  }

  /// Loses what was not forced; of the oldest such write a part may have reached the disk.
  void crash() throws IOException {
    for (SimulatedFile each : files) {
      if (each.channel.isOpen() && !each.waiting.isEmpty() && random.nextBoolean()) {
        Write first = each.waiting.getFirst();
        int length = random.nextInt(first.bytes().length + 1);
        each.channel.write(ByteBuffer.wrap(first.bytes(), 0, length), first.position());
      }
      each.channel.close();
    }
    files.clear();
  }

  private void fail() throws IOException {
    if (failures > 0) {
      failures--;
      throw new IOException("simulated failure");
    }
  }

  private final class SimulatedFile implements JournalFile {
    private final FileChannel channel;
    private final List<Write> waiting = new ArrayList<>();

    SimulatedFile(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public void write(ByteBuffer bytes, long position) throws IOException {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      if (failures > 0 && random.nextBoolean()) {
        // Torn: a part is there, and the caller hears of a failure.
        waiting.add(new Write(position, java.util.Arrays.copyOf(copy, copy.length / 2)));
      }
      fail();
      waiting.add(new Write(position, copy));
    }

    @Override
    public void truncate(long size) throws IOException {
      waiting.removeIf(each -> each.position() >= size);
      channel.truncate(size);
    }

    @Override
    public void force() throws IOException {
      if (failures > 0) {
        waiting.clear(); // the system drops its dirty pages
        fail();
      }
      if (lies) {
        return;
      }
      for (Write each : waiting) {
        channel.write(ByteBuffer.wrap(each.bytes()), each.position());
      }
      waiting.clear();
    }

    @Override
    public void close() throws IOException {
      if (lies) {
        return; // as if it were still in memory
      }
      channel.close();
    }
  }
}
