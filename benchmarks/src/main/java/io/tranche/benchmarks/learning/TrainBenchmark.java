package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.policy.experience.Batching;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Trains: iterations of 1,000 orders, learnt 25 times in minibatches of 1,024 steps, on one
/// thread; and starts a run, in a process of its own.
///
/// Peers, with the same configuration on the same files: Qlib's own `train_onpolicy`, which draws
/// single steps; and what an expert would write in NumPy and PyTorch, with whole episodes. Draws
/// differ, so turns compare the number of episodes. Before them, the expert must reach our losses
/// on the same steps; `update` and `env` compare Qlib's. Without peers, the run uses our own
/// dialect with the same sizes.
public final class TrainBenchmark {

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "train",
          "How long do an iteration of training and the start of a run take?",
          """
          train.iteration.wall train.iteration.cpu train.iid.wall train.iid.cpu
          train.start.wall train.start.cpu train.peak_mb
          """,
          TrainBenchmark::run);

  private TrainBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var files = new TrainingFiles(options);
    Peer peer = Peer.prepare(options, "qlib-rl");
    if (peer != null) {
      files.write(peer);
    }
    Path whole = peer == null ? files.ours(Batching.EPISODES) : files.qlib(Batching.EPISODES);
    Path single =
        peer == null ? files.ours(Batching.TRANSITIONS) : files.qlib(Batching.TRANSITIONS);
    var figures = new ArrayList<Figure>();
    List<Figure> memory = iterations(options, whole, single, figures);
    var training = new TrainingProcess(options, files.ours(Batching.EPISODES));
    start(options, training, whole, peer, figures);
    double megabytes = training.peakMegabytes(whole, options.count(8, 1));
    figures.add(new Figure("train.peak_mb", megabytes, "MB"));
    for (Figure theirs : memory) {
      figures.add(theirs);
      figures.add(new Figure("train.memory.ratio", theirs.value() / megabytes, "x"));
    }
    return figures;
  }

  /// Returns the memory of Qlib's process.
  private static List<Figure> iterations(
      Options options, Path whole, Path single, List<Figure> figures) throws IOException {
    var known = new KnownSteps(options);
    try (var ours = new TrainingTurns(whole, options.work().resolve("whole"));
        var drawn = new TrainingTurns(single, options.work().resolve("single"));
        PeerTurns qlib = PeerTurns.start(options, "qlib-rl", "train.py", whole);
        PeerTurns torch =
            PeerTurns.start(
                options, "qlib-rl", "train_torch.py", whole, known.weights(), known.steps())) {
      known.requireSameLosses(torch);
      figures.addAll(
          new SideBySide(
                  options,
                  "train.iteration",
                  "an iteration of 1,000 orders, 25 times through, 5-minute days",
                  ours)
              .also("train.iid", "the same with minibatches of single steps", drawn)
              .against(Row.Form.USUAL, "Qlib's collection and update", qlib, "iteration")
              .against(Row.Form.EXPERT, "NumPy and PyTorch, whole episodes", torch, "iteration")
              .run(options.count(1, 0), options.count(10, 1)));
      return qlib == null
          ? List.of()
          : List.of(
              new Figure(
                  "train.memory.peer.peak_mb", qlib.take("memory").values().getFirst(), "MB"));
    }
  }

  private static void start(
      Options options,
      TrainingProcess training,
      Path config,
      @Nullable Peer peer,
      List<Figure> figures)
      throws IOException {
    SideBySide comparison =
        SideBySide.ofProcesses(
            options,
            "train.start",
            "from the start of the process to the first environment step",
            () -> training.firstStep(config));
    if (peer != null) {
      List<String> command = peer.command("train.py", config, "start");
      comparison.against(Row.Form.USUAL, "Qlib", () -> training.firstStep(command));
    }
    figures.addAll(comparison.run(options.count(1, 0), options.count(10, 1)));
  }
}
