package io.tranche.trainer.callback;

import io.tranche.market.DataException;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Keeps the checkpoints of the best validations, as `best-003.ckpt` and so on, and deletes those
/// that better ones replace. Of equal values, the earlier is better.
public final class BestCheckpoints implements Callback {

  /// Prefix of its file names.
  public static final String PREFIX = "best-";

  private static final String OURS = PREFIX + "[0-9]*" + CheckpointFile.SUFFIX;

  private final Path folder;
  private final String monitor;
  private final Better better;
  private final int count;
  private final List<Kept> best = new ArrayList<>();
  private boolean isValidated;
  private boolean isRestored;

  /// The checkpoint to write next, or null.
  private @Nullable Kept due;

  /// A kept checkpoint.
  ///
  /// @param iterations number of completed iterations
  public record Kept(long iterations, double value) {}

  /// @param monitor the metric to compare, such as `val/reward`
  /// @param count number of checkpoints to keep
  public BestCheckpoints(Path folder, String monitor, Better better, int count) {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, was " + count);
    }
    this.folder = folder;
    this.monitor = monitor;
    this.better = better;
    this.count = count;
  }

  /// Returns the kept checkpoints, best first.
  public List<Kept> best() {
    return List.copyOf(best);
  }

  /// Returns the file of a checkpoint.
  public Path file(Kept kept) {
    return folder.resolve("%s%03d%s".formatted(PREFIX, kept.iterations(), CheckpointFile.SUFFIX));
  }

  @Override
  public void on(Hook hook, Trainer trainer) {
    switch (hook) {
      case FIT_START -> {
        isValidated = false;
        if (isRestored) {
          repair(trainer.iterations());
        } else {
          best.clear();
        }
        isRestored = false;
      }
      case VALIDATE_END -> isValidated = true;
      case ITERATION_END -> {
        if (isValidated) {
          rank(trainer);
        }
        isValidated = false;
      }
      default -> {}
    }
  }

  /// The run may have been killed after its checkpoint was saved and before its best ones were.
  private void repair(long iterations) {
    for (Kept kept : best) {
      if (kept.iterations() == iterations && !Files.exists(file(kept))) {
        due = kept;
      }
    }
  }

  private void rank(Trainer trainer) {
    Double value = trainer.metrics().get(monitor);
    if (value == null || value.isNaN()) {
      trainer
          .progress()
          .message("the best checkpoints need the metric %s, was %s".formatted(monitor, value));
      return;
    }
    int place = 0;
    while (place < best.size() && !better.isBetter(value, best.get(place).value(), 0)) {
      place++;
    }
    if (place < count) {
      due = new Kept(trainer.iterations(), value);
      best.add(place, due);
      while (best.size() > count) {
        best.removeLast();
      }
    }
  }

  @Override
  public void after(Hook hook, Trainer trainer) {
    Kept kept = due;
    if (kept != null) {
      due = null;
      CheckpointFile.write(file(kept), trainer.checkpoint());
      trainer.saved(file(kept));
      deleteOthers();
    }
  }

  private void deleteOthers() {
    List<Path> files = best.stream().map(this::file).toList();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder, OURS)) {
      for (Path each : all) {
        if (!files.contains(each)) {
          Files.delete(each);
        }
      }
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  @Override
  public Map<String, @Nullable Object> state() {
    var list = new ArrayList<List<@Nullable Object>>();
    best.forEach(kept -> list.add(List.of(kept.iterations(), kept.value())));
    var state = new LinkedHashMap<String, @Nullable Object>();
    state.put("best", list);
    return state;
  }

  @Override
  public void restore(Map<String, @Nullable Object> state) {
    best.clear();
    for (Object each : States.list(state, "best")) {
      if (!(each instanceof List<?> pair)
          || pair.size() != 2
          || !(pair.get(0) instanceof Long iterations)
          || !(pair.get(1) instanceof Double value)) {
        throw States.wrong("best", "pairs of iterations and value", each);
      }
      best.add(new Kept(iterations, value));
    }
    isRestored = true;
  }
}
