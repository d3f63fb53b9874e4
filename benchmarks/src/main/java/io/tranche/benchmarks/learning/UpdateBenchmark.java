package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.files.StagedFolder;
import io.tranche.market.Frequency;
import io.tranche.policy.learn.UpdateReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Learns: PPO on minibatches of 1,024 steps, which are 128 orders of eight decisions, each on a
/// day of its own, with Qlib's default network; and decides them, 128 orders at a time, as a
/// rollout does.
///
/// Peers: the real Qlib with tianshou on the same observations and weights, and PyTorch doing what
/// we do. They must reach the same losses.
public final class UpdateBenchmark {

  private static final int INSTRUMENTS = 16;
  private static final int DAYS = 8;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "update",
          "How long does a minibatch of PPO take, and how many decisions per second does it make?",
          """
          update.1min.wall update.1min.cpu rollout.1min.wall rollout.1min.cpu
          update.5min.wall update.5min.cpu
          update.peak_gflop_per_s update.sgemm_share
          update.2threads.scaling update.sgemm.scaling update.2threads.share
          update.peak_mb update.minibatch.us rollout.act.us
          """,
          UpdateBenchmark::run);

  private UpdateBenchmark() {}

  /// Returns 1,024 steps.
  static Experience minibatch(Path folder, Frequency frequency) throws IOException {
    return new Experience(folder, frequency, INSTRUMENTS, DAYS);
  }

  private static List<Figure> run(Options options) throws IOException {
    var figures = new ArrayList<Figure>();
    Experience minutes = experience(options, Frequency.MINUTE);
    try (var comparison = new UpdateComparison(options, "1min", minutes)) {
      figures.addAll(
          comparison.update("update.1min", "PPO, a minibatch of 1,024 steps, 1-minute days"));
      figures.addAll(
          comparison.rollout("rollout.1min", "1,024 decisions, 128 at a time, new 1-minute days"));
      Experience fives = experience(options, Frequency.ofMinutes(5));
      try (var other = new UpdateComparison(options, "5min", fives)) {
        figures.addAll(other.update("update.5min", "the same minibatch, 5-minute days"));
      }
      scale(options, minutes, comparison, figures);
      Path folder = Files.createDirectory(options.work().resolve("memory"));
      double megabytes = ResidentSet.peakMegabytes(options, UpdateMemory.class, folder.toString());
      figures.add(new Figure("update.peak_mb", megabytes, "MB"));
      double minibatch = Micro.nanos(options, LearningSteps.class, "minibatch", 2);
      figures.add(new Figure("update.minibatch.us", minibatch / 1e3, "us"));
      double act = Micro.nanos(options, LearningSteps.class, "act", 2);
      figures.add(new Figure("rollout.act.us", act / 1e3, "us"));
      figures.addAll(comparison.memory(megabytes));
    }
    return figures;
  }

  private static Experience experience(Options options, Frequency frequency) throws IOException {
    return minibatch(
        Files.createDirectory(options.work().resolve(frequency.toString())), frequency);
  }

  /// Measures the peak rate of a core, and the speed-up by a second one.
  private static void scale(
      Options options, Experience experience, UpdateComparison comparison, List<Figure> figures)
      throws IOException {
    int rounds = options.count(2_000_000, 1_000);
    var matrix = MatrixProduct.of(options);
    double[] fastest;
    double flop;
    try (var one = new Learner(experience, 1);
        var two = new Learner(experience, 2)) {
      flop = one.flop();
      fastest =
          Timing.fastest(
              options.count(60, 1),
              one::learn,
              two::learn,
              () -> matrix.compute(1),
              () -> matrix.compute(2),
              () -> keep(FusedMultiplyAdd.run(rounds)),
              comparison::multiply);
    }
    double registers = FusedMultiplyAdd.flop(rounds) / fastest[4] / 1e9;
    double peak = comparison.sgemmPeak(registers);
    options.printf("fastest turns, update, matrix and registers: %s s", Arrays.toString(fastest));
    options.printf(
        "; %.3f GFLOP per minibatch, fastest %.1f GFLOP/s; registers alone %.1f%n",
        flop / 1e9, flop / fastest[0] / 1e9, registers);
    double scaling = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    figures.add(new Figure("update.peak_gflop_per_s", peak, "GFLOP/s"));
    figures.add(
        new Figure(
            "update.sgemm_share", flop / fastest[0] / 1e9 / peak, "of torch's or NumPy's product"));
    figures.add(new Figure("update.2threads.scaling", scaling, "x"));
    figures.add(new Figure("update.sgemm.scaling", product, "x"));
    figures.add(new Figure("update.2threads.share", scaling / product, "of sgemm's"));
  }

  private static void keep(float result) {
    if (Float.isNaN(result)) {
      throw new IllegalStateException("a sum must be a number, was " + result);
    }
  }

  /// A process that only learns, and prints its peak memory.
  static final class UpdateMemory {

    private static final int MINIBATCHES = 40;

    /// Makes the market, its features and the experience, and learns.
    public static void main(String[] arguments) throws IOException {
      try (var learner = new Learner(minibatch(Path.of(arguments[0]), Frequency.MINUTE), 1)) {
        for (int i = 0; i < MINIBATCHES; i++) {
          learner.learn();
        }
      }
      System.out.println(ResidentSet.ownPeakKilobytes());
    }
  }

  /// Answers two questions: how long does a minibatch of 1,024 steps take on one thread, and how
  /// long do 128 decisions whose days are known?
  @State(Scope.Thread)
  public static class LearningSteps {

    private final Learner learner;
    private final Policy<FullHistoryObservation> policy;
    private final List<List<FullHistoryObservation>> batches;
    private final long[] drawKeys;
    private int next;

    public LearningSteps() {
      Experience experience = experience();
      learner = new Learner(experience, 1);
      batches = experience.batches(experience.orders());
      policy = learner.newPolicy(experience.orders());
      drawKeys = new long[experience.orders()];
    }

    private static Experience experience() {
      try {
        Path folder = Files.createTempDirectory("tranche-bench");
        try {
          return UpdateBenchmark.minibatch(folder, Frequency.MINUTE);
        } finally {
          StagedFolder.delete(folder);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @TearDown
    public void close() {
      learner.close();
    }

    @org.openjdk.jmh.annotations.Benchmark
    public UpdateReport minibatch() {
      return learner.learn();
    }

    @org.openjdk.jmh.annotations.Benchmark
    public Action[] act() {
      next = (next + 1) % batches.size();
      return policy.act(batches.get(next), drawKeys, Policy.Mode.TRAIN);
    }
  }
}
