package io.tranche.files;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A folder that is filled beside its target and replaces it by renaming.
///
/// A process killed before [#commit] leaves the target as it was, and the unfinished folder as
/// `.NAME.new-PROCESS-0`; the next writer of the same target deletes it. If the target exists,
/// commit renames twice. A process killed between the two leaves both folders complete, the old one
/// as `.NAME.old-PROCESS-0`.
public final class StagedFolder implements AutoCloseable {

  private final Path target;
  private final Path folder;
  private boolean committed;

  private StagedFolder(Path target, Path folder) {
    this.target = target;
    this.folder = folder;
  }

  /// Creates an empty folder beside `target`, and missing parent folders.
  public static StagedFolder create(Path target) throws IOException {
    Path real = Files.exists(target) ? target.toRealPath() : target.toAbsolutePath().normalize();
    Files.createDirectories(parent(real));
    StaleFiles.delete(real, "new");
    Path folder = sibling(real, "new");
    while (true) {
      try {
        return new StagedFolder(real, Files.createDirectory(folder));
      } catch (FileAlreadyExistsException _) {
        folder = sibling(real, "new"); // another writer was faster
      }
    }
  }

  public Path folder() {
    return folder;
  }

  public Path target() {
    return target;
  }

  /// Puts the folder in the target's place; the target's former contents are deleted.
  public void commit() throws IOException {
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
    committed = true;
    Fsync.force(parent(target));
  }

  /// Deletes the folder unless it was committed.
  @Override
  public void close() throws IOException {
    if (!committed && Files.exists(folder)) {
      delete(folder);
    }
  }

  /// Forces every file, then every folder, to disk.
  private void force() throws IOException {
    List<Path> files;
    List<Path> folders;
    try (Stream<Path> paths = Files.walk(folder)) {
      Map<Boolean, List<Path>> kinds = paths.collect(Collectors.partitioningBy(Files::isDirectory));
      files = kinds.getOrDefault(false, List.of());
      folders = kinds.getOrDefault(true, List.of());
    }
    Fsync.forceAll(files);
    Fsync.forceAll(folders);
  }

  /// Deletes a folder with everything in it; links are deleted, not followed.
  public static void delete(Path folder) throws IOException {
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
      sibling = parent(target).resolve(StaleFiles.name(target, kind) + "-" + number++);
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
