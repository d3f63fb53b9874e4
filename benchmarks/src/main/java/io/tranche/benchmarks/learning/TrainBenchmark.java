package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Trains as a user does, `tranche train` in a process of its own on one thread: iterations of
/// 1,000 orders, learnt 25 times in minibatches of 1,024 steps.
///
/// Peer: Qlib's own `train_onpolicy` with the same configuration on the same files, and then for a
/// minute each, to see which has learnt more. Without it the run is one of our own dialect, in the
/// same shape.
public final class TrainBenchmark {

  private static final String ITERATION = "train.iteration";
  private static final String START = "train.start.s";
  private static final String MEMORY = "train.peak_mb";

  private static final int WARMUPS = 5;
  private static final int START_RUNS = 5;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "train",
          "How long does an iteration of training take, and the way to its first step?",
          List.of(ITERATION + ".s", ITERATION + ".cpu_s", START, MEMORY),
          TrainBenchmark::run);

  private TrainBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var files = new TrainingFiles(options);
    var training = new TrainingProcess(options, files.ours());
    Peer peer = Peer.prepare(options, "qlib-rl");
    if (peer != null) {
      files.write(peer);
    }
    Path config = peer == null ? files.ours() : files.qlib(1);

    int warmups = options.count(WARMUPS, 1);
    TrainingProcess.Watched watched =
        training.run(config, warmups + options.count(10, 2), Double.MAX_VALUE, List.of());
    Timing iteration = watched.iteration(warmups);
    double start = start(options, training, config);
    var figures =
        new ArrayList<>(
            List.of(
                new Figure(ITERATION + ".s", iteration.wallSeconds(), "s"),
                new Figure(ITERATION + ".cpu_s", iteration.cpuSeconds(), "s"),
                new Figure(START, start, "s"),
                new Figure(MEMORY, watched.peakMegabytes(), "MB")));
    if (peer != null) {
      figures.addAll(
          new TrainComparison(options, files, training, peer)
              .figures(iteration, start, watched.peakMegabytes()));
    }
    return figures;
  }

  private static double start(Options options, TrainingProcess training, Path config)
      throws IOException {
    double[] seconds = new double[options.count(START_RUNS, 1)];
    for (int i = 0; i < seconds.length; i++) {
      seconds[i] = training.secondsToFirstStep(config);
    }
    return Timing.median(seconds);
  }
}
