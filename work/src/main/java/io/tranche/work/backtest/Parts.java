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
import org.jspecify.annotations.Nullable;

/// The results of finished groups of orders while other groups are still running, one file per
/// group.
///
/// @param fingerprint of the backtest: parts of another one do not count
record Parts(Path folder, String fingerprint) {

  /// The suffix of the files.
  static final String SUFFIX = ".part";

  private Path file(String instrument, int group) {
    return folder.resolve(
        "%s-%d%s".formatted(URLEncoder.encode(instrument, StandardCharsets.UTF_8), group, SUFFIX));
  }

  void write(String instrument, int group, GroupResult result) {
    byte[] content = PieceCodec.write(result::write);
    byte[] bytes =
        PieceCodec.write(
            out -> {
              PieceCodec.writeText(fingerprint, out);
              PieceCodec.writeText(Sha256.of(content), out);
              PieceCodec.writeBytes(content, out);
            });
    Path file = file(instrument, group);
    // Not forced to disk: the digest shows what a power cut has damaged.
    try {
      PendingFile.writeUnforced(file, bytes);
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Returns the results of a group, or null if there are none, or they are of another backtest, or
  /// damaged: then the group is run again.
  @Nullable GroupResult read(String instrument, int group) {
    Path file = file(instrument, group);
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

  void delete() {
    try {
      if (Files.exists(folder)) {
        StagedFolder.delete(folder);
      }
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }
}
