package io.tranche.experiment.backtest;

import io.tranche.market.DataException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The results of finished groups of orders while the others are still being worked on, a folder
/// each.
///
/// @param folder where they are
/// @param fingerprint of the backtest: parts of another one do not count
record Parts(Path folder, String fingerprint) {

  private static final String RESULT = "result.txt";

  /// Returns the folder of a group's files, which need not exist.
  Path folder(String instrument, int group) {
    return folder
        .resolve(URLEncoder.encode(instrument, StandardCharsets.UTF_8))
        .resolve(Integer.toString(group));
  }

  /// Returns the folder of a group's files.
  Path create(String instrument, int group) {
    Path part = folder(instrument, group);
    try {
      return Files.createDirectories(part);
    } catch (IOException e) {
      throw DataException.unwritable(part, e);
    }
  }

  /// Says that a group is finished; its other files must be there.
  void write(String instrument, int group, PartFile part) {
    part.write(folder(instrument, group).resolve(RESULT), fingerprint);
  }

  /// Returns the results of a group, null if it is not finished.
  @Nullable PartFile read(String instrument, int group) {
    return PartFile.read(folder(instrument, group).resolve(RESULT), fingerprint);
  }

  void delete() {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.toList().reversed()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }
}
