package io.tranche.market;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What writers that were killed left beside their targets. A name says whose it is: it holds the
/// number of the process.
final class Leftovers {

  private Leftovers() {}

  /// Returns how this process's temporary files for `target` are named, up to a number:
  /// `.NAME.KIND-PROCESS`.
  static String name(Path target, String kind) {
    return ".%s.%s-%d".formatted(target.getFileName(), kind, ProcessHandle.current().pid());
  }

  /// Deletes those of processes that have ended.
  static void delete(Path target, String kind) throws IOException {
    Path parent = target.getParent();
    if (parent == null) {
      return;
    }
    String start = Pattern.quote("." + target.getFileName() + "." + kind + "-");
    Pattern names = Pattern.compile(start + "(\\d{1,18})-.*");
    List<Path> dead;
    try (Stream<Path> siblings = Files.list(parent)) {
      dead = siblings.filter(path -> isDead(names.matcher(path.getFileName().toString()))).toList();
    }
    for (Path path : dead) {
      StagedFolder.delete(path);
    }
  }

  private static boolean isDead(Matcher name) {
    return name.matches() && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty();
  }
}
