package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
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
/// day of its own, with Qlib's default network; and decides, 256 orders at a time, as a rollout
/// does.
///
/// Peers: the real Qlib with tianshou on the same observations and weights, and PyTorch doing what
/// we do. They must reach the same losses.
public final class UpdateBenchmark {

  private static final int INSTRUMENTS = 16;
  private static final int DAYS = 8;
  private static final int ENVIRONMENTS = 256;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "update",
          "How long does a minibatch of PPO take, and how many decisions per second does it make?",
          """
          update.1min.ms update.5min.ms update.peak_gflop_per_s update.sgemm_share
          update.2threads.scaling update.sgemm.scaling update.2threads.share
          rollout.decisions_per_s update.peak_mb update.minibatch.us rollout.act.us
          """,
          UpdateBenchmark::run);

  private UpdateBenchmark() {}

  /// Returns 1,024 steps.
  static Experience minibatch(Path folder, Frequency frequency) throws IOException {
    return new Experience(folder, frequency, INSTRUMENTS, DAYS);
  }

  private static List<Figure> run(Options options) throws IOException {
    var figures = new ArrayList<Figure>();
    var comparison = new UpdateComparison(options);
    Experience minutes = experience(options, Frequency.MINUTE);
    Timing update = learn(options, minutes, Frequency.MINUTE, comparison, figures);
    Frequency five = Frequency.ofMinutes(5);
    learn(options, experience(options, five), five, comparison, figures);
    scale(options, minutes, update, comparison, figures);
    Timing rollout = rollout(options, figures);
    Path folder = Files.createDirectory(options.work().resolve("memory"));
    double megabytes = ResidentSet.peakMegabytes(options, UpdateMemory.class, folder.toString());
    figures.add(new Figure("update.peak_mb", megabytes, "MB"));
    double minibatch = Micro.nanos(options, LearningSteps.class, "minibatch", 2);
    figures.add(new Figure("update.minibatch.us", minibatch / 1e3, "us"));
    double act = Micro.nanos(options, LearningSteps.class, "act", 2);
    figures.add(new Figure("rollout.act.us", act / 1e3, "us"));
    figures.addAll(comparison.rollout(rollout, minutes.steps().size()));
    figures.addAll(comparison.memory(megabytes));
    return figures;
  }

  private static Experience experience(Options options, Frequency frequency) throws IOException {
    return minibatch(
        Files.createDirectory(options.work().resolve(frequency.toString())), frequency);
  }

  /// Times minibatches on one thread, and those of the peers.
  private static Timing learn(
      Options options,
      Experience experience,
      Frequency frequency,
      UpdateComparison comparison,
      List<Figure> figures)
      throws IOException {
    String prefix = "update." + frequency;
    try (var learner = new Learner(experience, 1)) {
      comparison.begin(frequency, experience, learner);
      Timing timing = Timing.of(options.count(40, 1), options.count(60, 1), learner::learn);
      options.printf("%s: %s%n", prefix, timing);
      figures.add(new Figure(prefix + ".ms", 1e3 * timing.wallSeconds(), "ms"));
      figures.addAll(comparison.update(prefix, timing));
      return timing;
    }
  }

  /// Measures the peak rate of a core, and the speed-up by a second one.
  private static void scale(
      Options options,
      Experience experience,
      Timing update,
      UpdateComparison comparison,
      List<Figure> figures)
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
              () -> keep(FusedMultiplyAdd.run(rounds)));
    }
    double registers = FusedMultiplyAdd.flop(rounds) / fastest[4] / 1e9;
    double peak = comparison.sgemmPeak(registers);
    options.printf("fastest turns, update, matrix and registers: %s s", Arrays.toString(fastest));
    options.printf(
        "; %.3f GFLOP per minibatch, median %.1f GFLOP/s, fastest %.1f; registers alone %.1f%n",
        flop / 1e9, flop / update.wallSeconds() / 1e9, flop / fastest[0] / 1e9, registers);
    double scaling = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    figures.add(new Figure("update.peak_gflop_per_s", peak, "GFLOP/s"));
    figures.add(new Figure("update.sgemm_share", flop / fastest[0] / 1e9 / peak, "of the peak"));
    figures.add(new Figure("update.2threads.scaling", scaling, "x"));
    figures.add(new Figure("update.sgemm.scaling", product, "x"));
    figures.add(new Figure("update.2threads.share", scaling / product, "of sgemm's"));
  }

  private static void keep(float result) {
    if (Float.isNaN(result)) {
      throw new IllegalStateException("a sum must be a number, was " + result);
    }
  }

  /// Times decisions, where each day is new at the first of its eight; returns the time of 1,024.
  private static Timing rollout(Options options, List<Figure> figures) throws IOException {
    // More days than a policy remembers, so that each is encoded again when its turn comes.
    int days = options.count(20, DAYS);
    int instruments = options.count(3 * ENVIRONMENTS / 20 + 1, INSTRUMENTS);
    int environments = options.count(ENVIRONMENTS, 32);
    Path folder = Files.createDirectory(options.work().resolve("rollout"));
    var experience = new Experience(folder, Frequency.MINUTE, instruments, days);
    List<List<FullHistoryObservation>> batches = experience.batches(environments);
    long[] drawKeys = new long[environments];
    try (var learner = new Learner(experience, 1)) {
      Policy<FullHistoryObservation> policy = learner.newPolicy(environments);
      Timing timing =
          Timing.of(
              options.count(10, 1),
              options.count(15, 1),
              () -> {
                for (List<FullHistoryObservation> batch : batches) {
                  Generated.requireRows(
                      environments, policy.act(batch, drawKeys, Policy.Mode.TRAIN).length);
                }
              });
      double decisions = (double) batches.size() * environments;
      figures.add(
          new Figure("rollout.decisions_per_s", decisions / timing.wallSeconds(), "decisions/s"));
      return timing.times(INSTRUMENTS * DAYS * Experience.DECISIONS / decisions);
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
