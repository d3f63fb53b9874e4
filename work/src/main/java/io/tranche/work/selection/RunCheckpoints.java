package io.tranche.work.selection;

import io.tranche.config.ConfigException;
import io.tranche.run.RunFolder;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The checkpoints of a run that are worth a backtest.
public final class RunCheckpoints {

  /// @param score the metric it is chosen by; null if it was not validated
  public record Scored(Path file, long iterations, @Nullable Double score) {

    public String name() {
      return file.getFileName().toString();
    }
  }

  private static final Comparator<Scored> BY_SCORE =
      Comparator.comparingDouble(RunCheckpoints::score).reversed();

  /// The best first, and the earlier one of two with equal scores.
  public static final Comparator<Scored> BEST_FIRST =
      BY_SCORE.thenComparingLong(Scored::iterations);

  private RunCheckpoints() {}

  /// Returns the best by a validation metric, higher being better, the best first.
  ///
  /// @throws ConfigException if no checkpoint has the metric
  /// @throws io.tranche.policy.weights.CheckpointException if one is damaged
  public static List<Scored> best(RunFolder run, String metric, int count) {
    var names = new TreeSet<String>();
    List<Scored> scored =
        all(run, metric, names).stream()
            .filter(each -> each.score() != null)
            .sorted(BEST_FIRST)
            .limit(count)
            .toList();
    if (scored.isEmpty()) {
      throw new ConfigException(
          "--metric",
          names.isEmpty()
              ? "checkpoints that were validated; --last takes others"
              : "a metric that checkpoints have, of %s".formatted(names),
          metric);
    }
    return scored;
  }

  private static double score(Scored checkpoint) {
    Double score = checkpoint.score();
    return score == null ? Double.NEGATIVE_INFINITY : score;
  }

  /// Returns the last ones: the best first, as far as they were validated, then the newest.
  public static List<Scored> last(RunFolder run, String metric, int count) {
    return all(run, metric, new TreeSet<>()).reversed().stream()
        .limit(count)
        .sorted(BY_SCORE) // keeps the order of those that are equal
        .toList();
  }

  /// Returns one a number of iterations, by that number.
  private static List<Scored> all(RunFolder run, String metric, Set<String> names) {
    List<Path> files = run.earlierCheckpoints();
    if (files.isEmpty()) {
      throw new ConfigException("RUN", "a run with checkpoints", run.folder());
    }
    var found = new TreeMap<Long, Scored>();
    for (Path file : files) {
      Checkpoint checkpoint = CheckpointFile.read(file);
      names.addAll(
          checkpoint.metrics().keySet().stream()
              .filter(name -> name.startsWith("val/"))
              .collect(Collectors.toSet()));
      long iterations = checkpoint.position().iterations();
      // Numbered files come first by name; copies such as latest.ckpt add nothing.
      found.putIfAbsent(iterations, new Scored(file, iterations, checkpoint.metrics().get(metric)));
    }
    return new ArrayList<>(found.values());
  }
}
