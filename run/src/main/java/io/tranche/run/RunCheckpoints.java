package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.DeviationGuard;
import io.tranche.run.play.GuardFile;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The checkpoints of a run, and which of them to use.
public final class RunCheckpoints {

  /// @param score the value of the chosen metric; null if it was not validated
  public record Scored(Path file, long iterations, @Nullable Double score) {

    public String name() {
      return file.getFileName().toString();
    }
  }

  /// The weights of a run.
  ///
  /// @param others weights of other seeds that act together with those of `file`: their scores are
  ///   averaged
  /// @param reason why it was chosen, in a few words
  /// @param guard how far it may deviate from TWAP; null if it has none
  public record Chosen(
      Path file, List<Path> others, String reason, @Nullable DeviationGuard guard) {

    public Chosen {
      others = List.copyOf(others);
    }

    /// One set of weights.
    public Chosen(Path file, String reason, @Nullable DeviationGuard guard) {
      this(file, List.of(), reason, guard);
    }

    Chosen(Path file, String reason) {
      this(file, reason, null);
    }

    /// Returns the files of all weights.
    public List<Path> files() {
      return Stream.concat(Stream.of(file), others.stream()).toList();
    }

    @Override
    public String toString() {
      return "%s%s (%s)%s"
          .formatted(
              file,
              others.isEmpty() ? "" : " and those of %d more seeds".formatted(others.size()),
              reason,
              guard == null ? "" : "; guard: " + guard);
    }
  }

  /// Why a checkpoint was chosen when training ended.
  public static final String BEST_BOUND = "the best lower bound in validation";

  /// What a run that asks for a guard has until one is fitted.
  static final DeviationGuard UNFITTED =
      new DeviationGuard(
          0, "no guard is fitted; tranche select fits one, --weights best goes without");

  private static final String SELECTED = "the one that tranche select chose";
  private static final String BEST = "best";
  private static final String LAST = "last";

  private RunCheckpoints() {}

  /// Chooses the weights of a run, in the same way for everything that uses one set of them.
  ///
  /// @param wanted `best` in validation, `last`, or a file, each without a guard; null for those
  ///   that `tranche select` or the end of training chose with their guard, else the best, else the
  ///   last; where the run asks for a guard and has none yet, these are TWAP
  /// @throws ConfigException if there are none
  /// @throws io.tranche.policy.weights.CheckpointException if a checkpoint is damaged
  public static Chosen chosen(RunFolder run, @Nullable String wanted) {
    Chosen earlier = wanted == null ? chosenEarlier(run) : null;
    if (earlier != null) {
      return earlier;
    }
    if (wanted != null && !wanted.equals(BEST) && !wanted.equals(LAST)) {
      Path file = Path.of(wanted);
      if (!Files.isRegularFile(file)) {
        throw new ConfigException("--weights", "best, last or a checkpoint", wanted);
      }
      return new Chosen(file, "as asked for" + withoutGuard(run));
    }
    ExecutionRun trained = ExecutionRun.readTrained(ConfigFiles.load(run.config()), _ -> {});
    Chosen chosen = chosen(run, wanted, trained.monitor());
    if (wanted != null) {
      return new Chosen(chosen.file(), chosen.reason() + withoutGuard(run));
    }
    // Training did not end, so nothing supports this agent yet.
    boolean isUnsupported = trained.guards() && !trained.problem().hindsight();
    return isUnsupported ? new Chosen(chosen.file(), chosen.reason(), UNFITTED) : chosen;
  }

  /// Says that weights which were asked for come without the run's guard.
  private static String withoutGuard(RunFolder run) {
    return Files.exists(run.guard()) ? "; without the run's guard" : "";
  }

  private static @Nullable Chosen chosenEarlier(RunFolder run) {
    GuardFile fitted = GuardFile.read(run.guard());
    if (fitted == null) {
      return Files.exists(run.selected()) ? new Chosen(run.selected(), SELECTED) : null;
    }
    Path guarded = run.folder().resolve(fitted.checkpoint());
    List<Path> others = fitted.others().stream().map(run.folder()::resolve).toList();
    if (!Files.exists(run.selected())) {
      return new Chosen(guarded, others, BEST_BOUND, fitted.guard());
    }
    boolean isGuarded = run.selected().equals(guarded);
    return isGuarded
        ? new Chosen(run.selected(), others, SELECTED, fitted.guard())
        : new Chosen(run.selected(), SELECTED);
  }

  /// Chooses the weights that were chosen with a guard, else the best by `metric`, or the last if
  /// none were validated, without reading the run's configuration, which may have objects from
  /// Java.
  ///
  /// @throws ConfigException if there are none
  /// @throws io.tranche.policy.weights.CheckpointException if a checkpoint is damaged
  public static Chosen bestOrLast(RunFolder run, String metric) {
    Chosen earlier = chosenEarlier(run);
    return earlier == null ? chosen(run, null, metric) : earlier;
  }

  private static Chosen chosen(RunFolder run, @Nullable String wanted, String metric) {
    List<Scored> all = all(run, metric, new TreeSet<>());
    Scored best =
        all.stream().filter(each -> each.score() != null).min(bestFirst(run, metric)).orElse(null);
    if (best != null && !LAST.equals(wanted)) {
      return new Chosen(best.file(), "the best by " + metric);
    }
    if (BEST.equals(wanted)) {
      throw new ConfigException("--weights", "checkpoints that were validated", "none");
    }
    String reason = wanted == null ? "the last, none was validated" : "the last";
    return new Chosen(all.getLast().file(), reason);
  }

  /// Returns the metric that validation chooses by.
  public static String monitor(RunFolder run) {
    return ExecutionRun.readTrained(ConfigFiles.load(run.config()), _ -> {}).monitor();
  }

  /// Returns the best checkpoints by a validation metric, the best first: higher values are better,
  /// unless the run says otherwise of it.
  ///
  /// @throws ConfigException if no checkpoint has the metric
  /// @throws io.tranche.policy.weights.CheckpointException if one is damaged
  public static List<Scored> best(RunFolder run, String metric, int count) {
    var names = new TreeSet<String>();
    List<Scored> scored =
        all(run, metric, names).stream()
            .filter(each -> each.score() != null)
            .sorted(bestFirst(run, metric))
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

  /// The best first, and the earlier one of two with equal scores.
  private static Comparator<Scored> bestFirst(RunFolder run, String metric) {
    return byScore(run, metric).thenComparingLong(Scored::iterations);
  }

  private static Comparator<Scored> byScore(RunFolder run, String metric) {
    double sign = isLowerBetter(run, metric) ? -1 : 1;
    return Comparator.<Scored>comparingDouble(
            each -> each.score() == null ? Double.NEGATIVE_INFINITY : sign * each.score())
        .reversed();
  }

  /// Asks the text of the configuration, which may have objects from Java.
  private static boolean isLowerBetter(RunFolder run, String metric) {
    if (!Files.exists(run.config())) {
      return false;
    }
    ConfigNode validation = ConfigFiles.load(run.config()).optional("validation");
    if (validation == null || !validation.textOr("mode", "max").equals("min")) {
      return false;
    }
    ConfigNode monitor = validation.optional("monitor");
    return monitor == null || monitor.asText().equals(metric);
  }

  /// Returns the last checkpoints: validated ones first, best first, then the newest.
  public static List<Scored> last(RunFolder run, String metric, int count) {
    return all(run, metric, new TreeSet<>()).reversed().stream()
        .limit(count)
        .sorted(byScore(run, metric)) // a stable sort
        .toList();
  }

  /// Returns one checkpoint per number of iterations, in that order.
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
