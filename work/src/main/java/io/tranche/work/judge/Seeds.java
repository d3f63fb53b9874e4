package io.tranche.work.judge;

import io.tranche.execution.DeviationGuard;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunCheckpoints.Chosen;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.GuardFile;
import io.tranche.trainer.TrainingProgress;
import io.tranche.trainer.checkpoint.CheckpointFolder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A run trained with several seeds, whose agents act together: their scores are averaged. One seed
/// may be lucky; the mean of several is less so, and how much they differ says how much luck there
/// was. The first seed is the run itself; each other has a run folder in `seeds` of it.
public final class Seeds {

  private static final String FOLDER = "seeds";

  private Seeds() {}

  /// Trains one seed.
  @FunctionalInterface
  public interface Training {

    /// @param from the checkpoint to go on from; null to begin
    /// @return whether it was not interrupted
    boolean train(TrainingRun<?> run, @Nullable Path from);
  }

  /// Returns the run folders of all seeds, the first being `run`.
  public static List<RunFolder> folders(RunFolder run, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(
            number ->
                number == 1
                    ? run
                    : new RunFolder(run.folder().resolve(FOLDER).resolve(Integer.toString(number))))
        .toList();
  }

  /// Returns the run folders of the seeds that a run was trained with beside its own; none for most
  /// runs.
  public static List<RunFolder> others(RunFolder run) {
    int count = 1;
    while (!folders(run, count + 1).getLast().earlierCheckpoints().isEmpty()) {
      count++;
    }
    return folders(run, count).subList(1, count);
  }

  /// Trains the seeds after the first on the same data, and lets each choose its checkpoint.
  ///
  /// @param first trained already, and still open
  /// @param goesOn whether seeds that were trained before go on from where they are
  /// @return whether none was interrupted
  public static boolean trainOthers(
      TrainingRun<?> first,
      TrainingOptions options,
      int count,
      boolean goesOn,
      Training training,
      TrainingProgress progress,
      InstantSource clock) {
    List<RunFolder> folders = folders(new RunFolder(options.folder()), count);
    for (int i = 1; i < count; i++) {
      RunFolder folder = folders.get(i);
      long seed = first.run().trainer().seed() + i;
      progress.message("seed %d of %d: %s".formatted(i + 1, count, folder.folder()));
      try (TrainingRun<?> other =
          TrainingRun.open(
              first.run().withSeed(seed),
              options.in(folder),
              first.parts().data(),
              progress,
              clock)) {
        if (!training.train(other, goesOn ? newest(folder, progress::message) : null)) {
          return false;
        }
        Deployment.choose(other, folder);
      }
    }
    return true;
  }

  /// Returns the checkpoint from which a run goes on; null if it has none.
  public static @Nullable Path newest(RunFolder folder, Consumer<String> complaints) {
    CheckpointFolder.Found found = CheckpointFolder.newest(folder.checkpoints(), complaints);
    return found == null ? null : found.file();
  }

  /// Lets the chosen checkpoints of all seeds act together, fits their guard, and writes that as
  /// the choice of the run.
  ///
  /// @param first the first seed, still open
  public static Chosen choose(TrainingRun<?> first, RunFolder folder, int count) {
    List<Path> members = new ArrayList<>();
    for (RunFolder each : folders(folder, count)) {
      members.add(RunCheckpoints.chosen(each, null).file());
    }
    DeviationGuard guard = TrainedRun.forChoosing(first).fitGuard(members);
    return write(folder, members, guard);
  }

  /// Writes the choice of a run.
  ///
  /// @param guard null if the run asks for none
  public static Chosen write(RunFolder folder, List<Path> members, @Nullable DeviationGuard guard) {
    DeviationGuard used = guard == null ? new DeviationGuard(1, "the run has no guard") : guard;
    List<String> names = members.stream().map(each -> relative(folder, each)).toList();
    new GuardFile(names.getFirst(), names.subList(1, names.size()), used).write(folder.guard());
    return new Chosen(
        members.getFirst(), members.subList(1, members.size()), RunCheckpoints.BEST_BOUND, used);
  }

  static String relative(RunFolder folder, Path checkpoint) {
    return folder
        .folder()
        .toAbsolutePath()
        .relativize(checkpoint.toAbsolutePath())
        .toString()
        .replace('\\', '/');
  }
}
