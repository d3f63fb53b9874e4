package io.tranche.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// What a [SideBySide] found: one row of the published tables.
///
/// @param name such as `bin.read`
/// @param work what was done, in words
/// @param threads how many each side could use
/// @param repetitions how often each side did it
public record Row(
    String name, String work, int threads, int repetitions, Times ours, List<Rival> rivals) {

  public Row {
    rivals = List.copyOf(rivals);
  }

  /// The seconds that one side took.
  ///
  /// @param low a quarter of the turns took less wall time
  /// @param high a quarter took more
  public record Times(double wall, double low, double high, double cpu) {

    static Times of(List<Turn> turns) {
      double[] walls = sorted(turns, turn -> turn.timing().wallSeconds());
      double[] cpus = sorted(turns, turn -> turn.timing().cpuSeconds());
      return new Times(at(walls, 0.5), at(walls, 0.25), at(walls, 0.75), at(cpus, 0.5));
    }

    private static double[] sorted(List<Turn> turns, ToDoubleFunction<Turn> part) {
      double[] values = turns.stream().mapToDouble(part).toArray();
      Arrays.sort(values);
      return values;
    }

    private static double at(double[] sorted, double share) {
      double place = share * (sorted.length - 1);
      int below = (int) place;
      int above = Math.min(below + 1, sorted.length - 1);
      return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
  }

  /// How a peer does the work.
  public enum Form {
    /// As its users run it.
    USUAL,
    /// As an expert would write it for this work.
    EXPERT
  }

  /// A peer and its times.
  ///
  /// @param name such as `Qlib's D.features`
  public record Rival(Form form, String name, Times times) {

    /// Returns how many times longer than ours it took.
    public double wallRatio(Row row) {
      return times.wall() / row.ours().wall();
    }

    /// Returns how many times more processor time than ours it took.
    public double cpuRatio(Row row) {
      return times.cpu() / row.ours().cpu();
    }
  }
}
