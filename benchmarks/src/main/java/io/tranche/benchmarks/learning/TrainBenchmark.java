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
/// Peer: Qlib's own `train_onpolicy` with the same configuration on the same files; then both train
/// for a minute, to see which has learnt more. Without peers, the run uses our own dialect with the
/// same sizes.
public final class TrainBenchmark {

  private static final String ITERATION = "train.iteration";
  private static final int WARMUPS = 5;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "train",
          "How long do an iteration of training and the start of a run take?",
          "train.iteration.s train.iteration.cpu_s train.start.s train.peak_mb",
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
    double[] starts = new double[options.count(5, 1)];
    for (int i = 0; i < starts.length; i++) {
      starts[i] = training.secondsToFirstStep(config);
    }
    double start = Timing.median(starts);
    var figures = new ArrayList<Figure>();
    figures.add(new Figure(ITERATION + ".s", iteration.wallSeconds(), "s"));
    figures.add(new Figure(ITERATION + ".cpu_s", iteration.cpuSeconds(), "s"));
    figures.add(new Figure("train.start.s", start, "s"));
    figures.add(new Figure("train.peak_mb", watched.peakMegabytes(), "MB"));
    for (int seed = 1; peer != null && seed <= options.count(3, 1); seed++) {
      int seconds = options.count(60, 10);
      Peer.Answer theirs = peer.answer("train.py", files.qlib(seed), seconds);
      if (seed == 1) {
        Peer.Run whole = theirs.run("iteration");
        figures.addAll(whole.compare(options, ITERATION, iteration, files.episodes()));
        figures.addAll(cost(theirs, start, watched.peakMegabytes()));
      }
      figures.addAll(compare(options, training, files.qlib(seed), seconds, seed, theirs));
    }
    return figures;
  }

  /// Returns the ratios of Qlib's time and memory to ours.
  private static List<Figure> cost(Peer.Answer theirs, double start, double megabytes) {
    var figures = new ArrayList<Figure>();
    for (String part : List.of("collect", "update")) {
      figures.addAll(theirs.run(part).figures(ITERATION + "." + part));
    }
    double theirStart = theirs.value("start_s");
    figures.add(new Figure("train.start.peer", theirStart, "s"));
    figures.add(new Figure("train.start.ratio", theirStart / start, "x"));
    double theirPeak = theirs.value("peak_mb");
    figures.add(new Figure("train.memory.peer.peak_mb", theirPeak, "MB"));
    figures.add(new Figure("train.memory.ratio", theirPeak / megabytes, "x"));
    return figures;
  }

  /// Returns both advantages on the validation orders after a minute.
  private static List<Figure> compare(
      Options options,
      TrainingProcess training,
      Path config,
      int seconds,
      int seed,
      Peer.Answer theirs)
      throws IOException {
    TrainingProcess.Watched ours =
        training.run(
            config, Integer.MAX_VALUE, seconds, List.of("--set", "trainer.val_every_n_epoch=1"));
    options.printf(
        "seed %d: %d iterations in %d s, Qlib %.0f%n",
        seed, ours.iterations().size(), seconds, theirs.value("iterations"));
    String prefix = "train.advantage_60s.seed" + seed;
    double advantage = ours.advantageBps(seconds);
    return List.of(
        new Figure(prefix, advantage, "bps"),
        new Figure(prefix + ".peer", theirs.value("advantage"), "bps"),
        new Figure(prefix + ".lead", advantage - theirs.value("advantage"), "bps"));
  }
}
