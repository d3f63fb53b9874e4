package io.tranche.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Temporary files and folders that killed processes left beside their targets. Each name holds the
/// number of the process that made it.
final class StaleFiles {

  private StaleFiles() {}

  /// Returns the name of this process's temporary files for `target`, without the final number:
  /// `.NAME.KIND-PROCESS`.
  static String name(Path target, String kind) {
    return ".%s.%s-%d".formatted(target.getFileName(), kind, ProcessHandle.current().pid());
  }

  /// Deletes the files of processes that have ended.
  static void delete(Path target, String kind) throws IOException {
    Path parent = target.getParent();
    if (parent == null) {
      return;
    }
    String start = Pattern.quote("." + target.getFileName() + "." + kind + "-");
    Pattern names = Pattern.compile(start + "(\\d{1,18})-.*");
    List<Path> stale;
    try (Stream<Path> siblings = Files.list(parent)) {
      stale =
          siblings.filter(path -> isStale(names.matcher(path.getFileName().toString()))).toList();
    }
    for (Path path : stale) {
      StagedFolder.delete(path);
    }
  }

  private static boolean isStale(Matcher name) {
    return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
  }
}
