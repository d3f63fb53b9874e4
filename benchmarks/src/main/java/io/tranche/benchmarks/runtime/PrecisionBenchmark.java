package io.tranche.benchmarks.runtime;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.policy.weights.Precision;
import io.tranche.policy.weights.Quantiser;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.runtime.LoadedModel;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.List;

/// How long bars and decisions take with the weights of each precision, at several widths of the
/// network, and how much memory the weights take.
public final class PrecisionBenchmark {

  private static final List<Integer> WIDTHS = List.of(64, 256, 512, 1_024);
  private static final int ORDERS = 4;
  private static final int ROUNDS = 12;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "precision",
          "What do weights in half precision and in bytes save, in time and in memory?",
          names(),
          PrecisionBenchmark::run);

  private PrecisionBenchmark() {}

  private static String names() {
    var names = new ArrayList<String>();
    for (int width : WIDTHS) {
      for (Precision precision : Precision.values()) {
        for (String what : List.of("bar", "decision", "mb", "agree")) {
          names.add(name(width, precision, what));
        }
      }
    }
    return String.join(" ", names);
  }

  private static String name(int width, Precision precision, String what) {
    return "precision.hidden_%d.%s.%s".formatted(width, precision.label(), what);
  }

  private static List<Figure> run(Options options) {
    var figures = new ArrayList<Figure>();
    for (int width : WIDTHS) {
      var models = new ArrayList<Days>();
      for (Precision precision : Precision.values()) {
        models.add(new Days(LiveModel.given(width), precision));
      }
      // In turns, so that a busy machine slows all of them. The first rounds are for the compiler.
      for (int round = 0; round < options.count(2 * ROUNDS, 2); round++) {
        for (Days each : models) {
          each.play(round >= options.count(ROUNDS, 1));
        }
      }
      for (Days each : models) {
        figures.add(new Figure(name(width, each.precision, "bar"), each.bar / 1e3, "us"));
        figures.add(new Figure(name(width, each.precision, "decision"), each.decision / 1e3, "us"));
        figures.add(
            new Figure(name(width, each.precision, "mb"), each.model.weightBytes() / 1e6, "MB"));
        double agree = each.agreement(models.getFirst());
        figures.add(new Figure(name(width, each.precision, "agree"), agree, "share"));
      }
      options.printf("hidden %d: done%n", width);
    }
    return figures;
  }

  /// The same day over and over, with weights of one precision.
  private static final class Days {
    private final Precision precision;
    private final LoadedModel model;
    private final float[][] bars;
    private final double[] volumes = new double[ORDERS * LiveModel.STEPS];

    /// The least means of a day, in nanoseconds.
    private double bar = Double.POSITIVE_INFINITY;

    private double decision = Double.POSITIVE_INFINITY;

    Days(LiveModel drawn, Precision precision) {
      this.precision = precision;
      // So large that choices differ from step to step.
      Weights weights = drawn.agent().weights().parts().getFirst().weights();
      for (int i = 0; i < weights.size(); i++) {
        weights.values()[i] *= 2.5f;
      }
      weights.changed();
      StateDict rounded = Quantiser.round(drawn.weights(), precision, _ -> 1);
      this.model = LoadedModel.of(drawn.spec(), List.of(rounded));
      this.bars = drawn.drawBars();
    }

    void play(boolean counts) {
      var runtime = new DecisionRuntime(model);
      LiveDay day = LiveModel.open(runtime, "A", List.of(), ORDERS);
      long inBars = 0;
      long inDecisions = 0;
      int decided = 0;
      for (int tick = 0; tick < LiveModel.TICKS; tick++) {
        for (LiveOrder order : runtime.orders()) {
          if (order.isDue()) {
            long start = System.nanoTime();
            order.decide();
            inDecisions += System.nanoTime() - start;
            volumes[decided++] = order.working();
            order.fill(order.working() / 2, 10);
          }
        }
        long start = System.nanoTime();
        day.bar(day.time(tick), bars[tick]);
        inBars += System.nanoTime() - start;
      }
      if (counts) {
        bar = Math.min(bar, (double) inBars / LiveModel.TICKS);
        decision = Math.min(decision, (double) inDecisions / decided);
      }
    }

    /// Returns the share of decisions that are the other's.
    double agreement(Days other) {
      int same = 0;
      for (int i = 0; i < volumes.length; i++) {
        same += volumes[i] == other.volumes[i] ? 1 : 0;
      }
      return (double) same / volumes.length;
    }
  }
}
