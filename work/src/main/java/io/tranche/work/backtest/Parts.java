package io.tranche.work.backtest;

import io.tranche.files.PendingFile;
import io.tranche.files.Sha256;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.work.PieceCodec;
import io.tranche.work.WorkException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The results of finished groups of orders while other groups are still running, one file per
/// group. Safe to use from several threads.
///
/// Groups that finish in the first moments of a run are held in memory, so a run that is over by
/// then writes no files. A process that is killed then loses no more than these moments.
final class Parts {

  /// The suffix of the files.
  static final String SUFFIX = ".part";

  /// How long results are held: half a second, no more than a process takes to start again.
  private static final long HELD_NANOS = 500_000_000;

  private final Path folder;
  private final String fingerprint;
  private final Map<Path, GroupResult> held = new LinkedHashMap<>();
  private final LongSupplier nanos;
  private long began;

  /// @param fingerprint of the backtest: parts of another one do not count
  Parts(Path folder, String fingerprint) {
    this(folder, fingerprint, System::nanoTime);
  }

  /// @param nanos what [System#nanoTime] is otherwise
  Parts(Path folder, String fingerprint, LongSupplier nanos) {
    this.folder = folder;
    this.fingerprint = fingerprint;
    this.nanos = nanos;
    began = nanos.getAsLong();
  }

  Path folder() {
    return folder;
  }

  /// Begins a run.
  synchronized void begin() {
    began = nanos.getAsLong();
  }

  private Path file(String instrument, int group) {
    return folder.resolve(
        "%s-%d%s".formatted(URLEncoder.encode(instrument, StandardCharsets.UTF_8), group, SUFFIX));
  }

  void write(String instrument, int group, GroupResult result) {
    synchronized (this) {
      if (nanos.getAsLong() - began < HELD_NANOS) {
        held.put(file(instrument, group), result);
        return;
      }
    }
    flush();
    write(file(instrument, group), result);
  }

  /// Writes what is held in memory: for a run that ends before all groups are finished.
  synchronized void flush() {
    held.forEach(this::write);
    held.clear();
  }

  private void write(Path file, GroupResult result) {
    byte[] content = PieceCodec.write(result::write);
    byte[] bytes =
        PieceCodec.write(
            out -> {
              PieceCodec.writeText(fingerprint, out);
              PieceCodec.writeText(Sha256.of(content), out);
              PieceCodec.writeBytes(content, out);
            });
    // Not forced to disk: the digest shows what a power cut has damaged.
    try {
      Files.createDirectories(folder);
      PendingFile.writeUnforced(file, bytes);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Returns the results of a group, or null if there are none, or they are of another backtest, or
  /// damaged: then the group is run again.
  @Nullable GroupResult read(String instrument, int group) {
    Path file = file(instrument, group);
    synchronized (this) {
      GroupResult kept = held.get(file);
      if (kept != null) {
        return kept;
      }
    }
    try {
      if (!Files.exists(file)) {
        return null;
      }
      byte[] content =
          PieceCodec.read(
              file.toString(),
              Files.readAllBytes(file),
              in -> {
                boolean isOurs = PieceCodec.readText(in).equals(fingerprint);
                String digest = PieceCodec.readText(in);
                byte[] bytes = PieceCodec.readBytes(in);
                if (!isOurs || !digest.equals(Sha256.of(bytes))) {
                  throw new StreamCorruptedException("another backtest's, or damaged");
                }
                return bytes;
              });
      return PieceCodec.read(file.toString(), content, GroupResult::read);
    } catch (IOException | WorkException _) {
      return null;
    }
  }

  synchronized void delete() {
    held.clear();
    try {
      if (Files.exists(folder)) {
        StagedFolder.delete(folder);
      }
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }
}
