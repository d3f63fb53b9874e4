package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Qlib's training beside ours, on the same files, from the same seeds.
final class TrainComparison {

  private static final String ITERATION = "train.iteration";

  private final Options options;
  private final TrainingFiles files;
  private final TrainingProcess training;
  private final Peer peer;

  TrainComparison(Options options, TrainingFiles files, TrainingProcess training, Peer peer) {
    this.options = options;
    this.files = files;
    this.training = training;
    this.peer = peer;
  }

  /// Returns how much longer and larger Qlib is than what we took, and which has the greater
  /// advantage on the validation orders after a minute.
  List<Figure> figures(Timing iteration, double start, double megabytes) throws IOException {
    int seconds = options.count(60, 10);
    var figures = new ArrayList<Figure>();
    for (int seed = 1; seed <= options.count(3, 1); seed++) {
      Path config = files.qlib(seed);
      Peer.Answer theirs = peer.answer("train.py", config, seconds);
      if (seed == 1) {
        figures.addAll(cost(theirs, iteration, start, megabytes));
      }
      TrainingProcess.Watched ours =
          training.run(
              config, Integer.MAX_VALUE, seconds, List.of("--set", "trainer.val_every_n_epoch=1"));
      options
          .log()
          .printf(
              "seed %d: %d iterations in %d s, Qlib %.0f%n",
              seed, ours.iterations().size(), seconds, theirs.value("iterations"));
      String prefix = "train.advantage_60s.seed" + seed;
      double advantage = ours.advantageBps(seconds);
      figures.add(new Figure(prefix, advantage, "bps"));
      figures.add(new Figure(prefix + ".peer", theirs.value("advantage"), "bps"));
      figures.add(new Figure(prefix + ".lead", advantage - theirs.value("advantage"), "bps"));
    }
    return figures;
  }

  private List<Figure> cost(Peer.Answer theirs, Timing iteration, double start, double megabytes) {
    Peer.Run whole = theirs.run("iteration");
    var figures = new ArrayList<>(whole.figures(ITERATION));
    figures.addAll(whole.ratios(options, ITERATION, iteration, files.episodes()));
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
}
