package io.tranche.dashboard.runs;

import io.tranche.dashboard.runs.RunEntry.Kind;
import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// All runs below a folder. A run is read again only when its files have changed.
public final class RunList {

  /// As deep as the runs of a roll's windows, or of a search's trials, in a folder of such.
  private static final int DEEPEST = 6;

  private static final int MOST = 5_000;

  /// Folders in which no run can be.
  private static final Set<String> OTHERS =
      Set.of("checkpoints", "data", "judge", "select", "orders", "models", "target", "node_modules");

  private final Path root;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /// @param stamp changes with the files
  private record Known(String stamp, RunEntry entry) {}

  public RunList(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  public Path root() {
    return root;
  }

  /// Returns all runs as they are now, by their ids.
  ///
  /// @throws DataException if the folder cannot be read
  public Map<String, RunEntry> look() {
    var found = new TreeMap<String, RunEntry>();
    for (Place place : places()) {
      String stamp = RunReader.stamp(place.folder());
      Known before = known.get(place.id());
      RunEntry entry =
          before != null && before.stamp().equals(stamp)
              ? before.entry()
              : RunReader.read(place.id(), place.folder(), place.kind());
      known.put(place.id(), new Known(stamp, entry));
      found.put(place.id(), entry);
    }
    known.keySet().retainAll(found.keySet());
    return found;
  }

  /// Returns a run as it is now; null if there is none of that id. Only folders that were found by
  /// looking have ids, so nothing else can be read by one.
  public @Nullable RunEntry find(String id) {
    Known before = known.get(id);
    if (before == null) {
      return look().get(id);
    }
    RunEntry entry = before.entry();
    if (!Files.isDirectory(entry.folder())) {
      known.remove(id);
      return null;
    }
    String stamp = RunReader.stamp(entry.folder());
    if (!before.stamp().equals(stamp)) {
      entry = RunReader.read(id, entry.folder(), entry.kind());
      known.put(id, new Known(stamp, entry));
    }
    return entry;
  }

  private record Place(String id, Path folder, Kind kind) {}

  private List<Place> places() {
    if (!Files.isDirectory(root)) {
      throw new DataException(
          root.toString(), "a folder of runs", Files.exists(root) ? "a file" : "nothing");
    }
    var places = new LinkedHashMap<String, Place>();
    try {
      Files.walkFileTree(
          root,
          Set.of(FileVisitOption.FOLLOW_LINKS),
          DEEPEST,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              String name = String.valueOf(folder.getFileName());
              boolean isOther = OTHERS.contains(name) || name.startsWith(".");
              if (!folder.equals(root) && isOther) {
                return FileVisitResult.SKIP_SUBTREE;
              }
              Kind kind = kind(folder);
              if (kind != null) {
                String id = root.relativize(folder).toString().replace('\\', '/');
                places.put(id, new Place(id.isEmpty() ? "." : id, folder, kind));
              }
              boolean isLeaf = kind == Kind.RUN || kind == Kind.TRIAL || kind == Kind.WINDOW;
              return isLeaf || places.size() >= MOST
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // deleted while we look, or not ours to read
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) {
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (NotDirectoryException e) {
      throw new DataException(root.toString(), "a folder of runs", "a file", e);
    } catch (IOException e) {
      throw new DataException(
          root.toString(), "a folder that can be read", String.valueOf(e.getMessage()), e);
    }
    return new ArrayList<>(places.values());
  }

  private static @Nullable Kind kind(Path folder) {
    if (Files.exists(folder.resolve("tune.yml"))) {
      return Kind.SEARCH;
    }
    if (Files.exists(folder.resolve("roll.yml")) || Files.exists(folder.resolve("roll.csv"))) {
      return Kind.ROLL;
    }
    if (!Files.exists(folder.resolve("config.yml"))
        && !Files.exists(folder.resolve("metrics.jsonl"))) {
      return null;
    }
    Path parent = folder.getParent();
    Path above = parent == null ? null : parent.getParent();
    if (above != null && parent.endsWith("trials") && Files.exists(above.resolve("tune.yml"))) {
      return Kind.TRIAL;
    }
    return above != null && above.endsWith("windows") ? Kind.WINDOW : Kind.RUN;
  }
}
