package io.tranche.market.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/// A folder that is filled beside its target and takes the target's place by renaming.
///
/// Killed before [#commit], it leaves the target as it was and itself behind, under a name that
/// begins with a dot. Where the target has contents, commit renames twice: killed in between, both
/// the old and the new folder are whole, the old one as `.NAME.old0`.
final class StagedFolder {

  private final Path target;
  private final Path folder;

  private StagedFolder(Path target, Path folder) {
    this.target = target;
    this.folder = folder;
  }

  static StagedFolder create(Path target) throws IOException {
    Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath().normalize();
    Files.createDirectories(parent(real));
    Path folder = sibling(real, "new");
    while (true) {
      try {
        return new StagedFolder(real, Files.createDirectory(folder));
      } catch (FileAlreadyExistsException _) {
        folder = sibling(real, "new"); // another writer was faster
      }
    }
  }

  Path folder() {
    return folder;
  }

  Path target() {
    return target;
  }

  /// Puts the folder in the target's place; the target's former contents are deleted.
  void commit() throws IOException {
    force();
    if (!Files.exists(target)) {
      Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
    } else {
      Path old = sibling(target, "old");
      Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
      try {
        Files.move(folder, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
        throw e;
      }
      delete(old);
    }
    force(parent(target));
  }

  void discard() throws IOException {
    if (Files.exists(folder)) {
      delete(folder);
    }
  }

  /// Forces every folder; the files were forced when they were written.
  private void force() throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            force(visited);
            return super.postVisitDirectory(visited, e);
          }
        });
  }

  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static Path sibling(Path target, String kind) {
    int number = 0;
    Path sibling;
    do {
      sibling = parent(target).resolve(".%s.%s%d".formatted(target.getFileName(), kind, number++));
    } while (Files.exists(sibling));
    return sibling;
  }

  private static Path parent(Path target) {
    Path parent = target.getParent();
    if (parent == null) {
      throw new IllegalArgumentException("target must not be a root folder, was " + target);
    }
    return parent;
  }
}
