package io.tranche.benchmarks.learning;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.market.Frequency;
import io.tranche.policy.network.LayersConfig;
import io.tranche.policy.network.LayersNetwork;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.tensor.layer.Layers;
import java.io.IOException;
import java.util.List;

/// Compares Qlib's default network, whose backward pass is written by hand, with the same layers
/// composed, on the minibatches of [UpdateBenchmark]. The two take turns.
public final class LayersBenchmark {

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "layers",
          "How much longer than the hand-written network does one composed of layers take?",
          "layers.update.ms layers.update.ratio",
          LayersBenchmark::run);

  private LayersBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    RecurrentConfig written = RecurrentConfig.DEFAULT;
    var composed =
        LayersConfig.of(
                Layers.dense(written.hidden()),
                Layers.relu(),
                new Layers.Recurrence(written.type(), written.hidden(), written.depth()))
            .withHidden(written.hidden())
            .withOutput(written.output());
    Experience experience = UpdateBenchmark.minibatch(options.work(), Frequency.MINUTE);
    try (var byHand = new Learner(experience, 1);
        var byLayers =
            new Learner(experience, 1, LayersNetwork.factory(composed, Experience.FEATURES))) {
      double[] update = Timing.fastest(options.count(60, 1), byHand::learn, byLayers::learn);
      return List.of(
          new Figure("layers.update.ms", 1e3 * update[1], "ms"),
          new Figure("layers.update.ratio", update[1] / update[0], "x"));
    }
  }
}
