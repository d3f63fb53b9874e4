package io.tranche.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// Seeded, replayable properties: many random cases, and on failure the seed of the one that
/// failed.
public final class Cases {

  private Cases() {}

  /// Returns how many cases to run: `full` with `-Dtranche.full=true`, otherwise `reduced`.
  public static int count(int reduced, int full) {
    return Boolean.getBoolean("tranche.full") ? full : reduced;
  }

  /// Runs `property` on `count` generators; `-Dtranche.case=N` replays case N alone.
  public static void forAll(int count, Consumer<SplittableRandom> property) {
    Long replay = Long.getLong("tranche.case");
    long first = replay == null ? 0 : replay;
    long last = replay == null ? count : replay + 1;
    for (long seed = first; seed < last; seed++) {
      try {
        property.accept(new SplittableRandom(seed));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "case %d (replay with -Dtranche.case=%d): %s".formatted(seed, seed, e.getMessage()), e);
      }
    }
  }

  /// Gives a file other contents, as each case of a parser's does. It is overwritten in place: file
  /// systems such as ext4 wait for the disk when a file is emptied first.
  public static void write(Path file, byte[] bytes) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes));
      channel.truncate(bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
