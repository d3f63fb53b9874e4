package io.tranche.trainer.checkpoint;

import io.tranche.policy.weights.CheckpointException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The folder with the checkpoints of a run.
public final class CheckpointFolder {

  private CheckpointFolder() {}

  /// A checkpoint and its file.
  public record Found(Path file, Checkpoint checkpoint) {}

  private record Candidate(Path file, long iterations) {}

  /// Returns the readable checkpoint with the most completed iterations, or null if there is none.
  /// Skips damaged ones.
  ///
  /// @param complaints receives the reason for each skipped file
  /// @throws CheckpointException if the folder cannot be read
  public static @Nullable Found newest(Path folder, Consumer<String> complaints) {
    var candidates = new ArrayList<Candidate>();
    for (Path file : files(folder)) {
      try {
        candidates.add(new Candidate(file, CheckpointFile.iterations(file)));
      } catch (CheckpointException e) {
        complaints.accept(complaint(e));
      }
    }
    candidates.sort(
        Comparator.comparingLong(Candidate::iterations)
            .reversed()
            .thenComparing(candidate -> candidate.file().toString()));
    for (Candidate candidate : candidates) {
      try {
        return new Found(candidate.file(), CheckpointFile.read(candidate.file()));
      } catch (CheckpointException e) {
        complaints.accept(complaint(e));
      }
    }
    return null;
  }

  private static String complaint(CheckpointException e) {
    return "checkpoint skipped: " + e.getMessage();
  }

  /// Without links, because the files that they point to are listed themselves.
  private static List<Path> files(Path folder) {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> file.getFileName().toString().endsWith(CheckpointFile.SUFFIX))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw CheckpointException.unreadable(folder, e);
    }
  }
}
