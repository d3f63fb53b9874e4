package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.Policy;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Learns: PPO on minibatches of 1,024 steps, which are 128 orders of eight decisions, each on a
/// day of its own, with Qlib's default network; and decides, 256 orders at a time, as a rollout
/// does.
///
/// Peers: the real Qlib with tianshou on the same observations and weights, and PyTorch doing what
/// we do. They must reach the same losses.
public final class UpdateBenchmark {

  private static final String SGEMM_SHARE = "update.sgemm_share";
  private static final String PEAK = "update.peak_gflop_per_s";
  private static final String THREADS = "update.2threads.scaling";
  private static final String MATRIX = "update.sgemm.scaling";
  private static final String THREADS_SHARE = "update.2threads.share";
  private static final String DECISIONS = "rollout.decisions_per_s";
  private static final String MEMORY = "update.peak_mb";
  private static final String MINIBATCH = "update.minibatch.us";
  private static final String ACT = "rollout.act.us";

  private static final int INSTRUMENTS = 16;
  private static final int DAYS = 8;
  private static final int ENVIRONMENTS = 256;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "update",
          "How long does a minibatch of PPO take, and how many decisions a second does it make?",
          List.of(
              "update.1min.ms",
              "update.5min.ms",
              PEAK,
              SGEMM_SHARE,
              THREADS,
              MATRIX,
              THREADS_SHARE,
              DECISIONS,
              MEMORY,
              MINIBATCH,
              ACT),
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
    double megabytes = UpdateMemory.megabytes(options);
    figures.add(new Figure(MEMORY, megabytes, "MB"));
    figures.add(
        new Figure(MINIBATCH, Micro.score(options, LearningSteps.class, "minibatch"), "us"));
    figures.add(new Figure(ACT, Micro.score(options, LearningSteps.class, "act"), "us"));
    figures.addAll(comparison.rollout(rollout, minutes.steps().size()));
    figures.addAll(comparison.memory(megabytes));
    return figures;
  }

  private static Experience experience(Options options, Frequency frequency) throws IOException {
    return minibatch(
        Files.createDirectory(options.work().resolve(frequency.toString())), frequency);
  }

  /// Times minibatches on one thread, beside the peers'.
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
      options.log().printf("%s: %s%n", prefix, timing);
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
    options
        .log()
        .printf(
            "fastest turns, update, matrix and registers: %s s; %.3f GFLOP a minibatch, median %.1f"
                + " GFLOP/s, fastest %.1f; registers alone %.1f%n",
            Arrays.toString(fastest),
            flop / 1e9,
            flop / update.wallSeconds() / 1e9,
            flop / fastest[0] / 1e9,
            registers);
    double scaling = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    figures.add(new Figure(PEAK, peak, "GFLOP/s"));
    figures.add(new Figure(SGEMM_SHARE, flop / fastest[0] / 1e9 / peak, "of the peak"));
    figures.add(new Figure(THREADS, scaling, "x"));
    figures.add(new Figure(MATRIX, product, "x"));
    figures.add(new Figure(THREADS_SHARE, scaling / product, "of sgemm's"));
  }

  private static void keep(float result) {
    if (Float.isNaN(result)) {
      throw new IllegalStateException("a sum must be a number, was " + result);
    }
  }

  /// Times decisions, each day being new at the first of its eight; returns what 1,024 take.
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
      figures.add(new Figure(DECISIONS, decisions / timing.wallSeconds(), "decisions/s"));
      return timing.times(INSTRUMENTS * DAYS * Experience.DECISIONS / decisions);
    }
  }
}
