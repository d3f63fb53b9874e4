package io.tranche.work.backtest;

import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The results of finished groups of orders while the others are still being worked on.
///
/// @param folder where they are
/// @param fingerprint of the backtest: parts of another one do not count
record Parts(Path folder, String fingerprint) {

  private static final String RESULT = "result.txt";

  /// Returns where a file of a group goes, which need not exist.
  Path file(String instrument, int group, String name) {
    return folder.resolve(
        "%s-%d.%s".formatted(URLEncoder.encode(instrument, StandardCharsets.UTF_8), group, name));
  }

  /// Puts the results of a group aside: the last file says that it is finished.
  void write(String instrument, int group, GroupResult result) {
    LogFiles.write(result.logs(), name -> file(instrument, group, name));
    result.part().write(file(instrument, group, RESULT), fingerprint);
  }

  /// Returns the results of a group, null if it is not finished.
  @Nullable PartFile read(String instrument, int group) {
    return PartFile.read(file(instrument, group, RESULT), fingerprint);
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
