package io.tranche.benchmarks.measure;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

/// Work that one side of a [SideBySide] did once.
///
/// @param values what the work produced, or sums over it: every side must produce the same
public record Turn(Timing timing, List<Double> values) {

  public Turn {
    values = List.copyOf(values);
  }

  public static Turn of(Timing timing, double... values) {
    return new Turn(timing, Arrays.stream(values).boxed().toList());
  }

  /// Does the work once for each call, and times it.
  @FunctionalInterface
  public interface Taker {

    Turn take() throws IOException;
  }

  /// The work of our own side.
  @FunctionalInterface
  public interface Work {

    /// Returns how to look at what the work produced. Looking is not timed.
    Supplier<double[]> run() throws IOException;
  }

  /// Returns a side that does its work in this process, on the threads of `pool`: parallel streams
  /// use no others.
  ///
  /// @param times how often it does it in a turn; the turn's time is that of one
  static Taker here(Work work, ForkJoinPool pool, int times) {
    return () -> {
      try {
        return pool.submit(() -> time(work, times)).get();
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while measuring", e);
      }
    };
  }

  private static Turn time(Work work, int times) throws IOException {
    long cpu = CpuClock.nanos();
    long wall = System.nanoTime();
    Supplier<double[]> result = work.run();
    for (int i = 1; i < times; i++) {
      result = work.run();
    }
    wall = System.nanoTime() - wall;
    cpu = CpuClock.nanos() - cpu;
    return of(new Timing(wall / 1e9, cpu / 1e9).times(1.0 / times), result.get());
  }
}
