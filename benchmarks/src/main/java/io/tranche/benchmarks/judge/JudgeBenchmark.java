package io.tranche.benchmarks.judge;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Simulates what the judge has to judge, where the truth is known: samples of orders whose mean is
/// zero, and embedded markets without signal.
public final class JudgeBenchmark {

  static final List<Integer> DAYS = List.of(5, 10, 30, 100);

  static final List<SampleLaw> LAWS = laws();

  public static final Benchmark BENCHMARK =
      new Benchmark(
              "judge",
              "How often do 95 % intervals cover the truth, and how often is nothing called better?",
              """
          judge.coverage.5_days.least judge.coverage.5_days.most
          judge.coverage.10_days.least judge.coverage.10_days.most
          judge.coverage.30_days.least judge.coverage.30_days.most
          judge.coverage.100_days.least judge.coverage.100_days.most
          judge.no_signal.better judge.no_signal.better_at_most
          judge.no_signal.guard_opens judge.no_signal.guard_opens_at_most
          judge.shuffled_days.guard_opens judge.signal.guard_keeps
          """,
              JudgeBenchmark::run)
          .asLong();

  private JudgeBenchmark() {}

  private static List<SampleLaw> laws() {
    var laws = new ArrayList<SampleLaw>();
    for (boolean unequal : new boolean[] {false, true}) {
      for (boolean heavy : new boolean[] {false, true}) {
        for (double shared : new double[] {0, 0.3, 0.9}) {
          laws.add(new SampleLaw(unequal, heavy, shared));
        }
      }
    }
    return List.copyOf(laws);
  }

  private static List<Figure> run(Options options) {
    var figures = new ArrayList<Figure>();
    int samples = options.count(2000, 40);
    for (int days : DAYS) {
      double least = 1;
      double most = 0;
      for (SampleLaw law : LAWS) {
        double coverage = law.coverage(days, samples, new SplittableRandom(days));
        options.printf("%d days, %s: %.1f %%%n", days, law, 100 * coverage);
        least = Math.min(least, coverage);
        most = Math.max(most, coverage);
      }
      figures.add(percent("coverage.%d_days.least".formatted(days), least));
      figures.add(percent("coverage.%d_days.most".formatted(days), most));
    }
    int markets = options.count(200, 4);
    SilentMarkets.Rates silent = SilentMarkets.judge(markets, 0);
    figures.add(percent("no_signal.better", silent.better()));
    figures.add(percent("no_signal.better_at_most", SilentMarkets.upper(silent.better(), markets)));
    figures.add(percent("no_signal.guard_opens", silent.opens()));
    figures.add(
        percent("no_signal.guard_opens_at_most", SilentMarkets.upper(silent.opens(), markets)));
    figures.add(percent("shuffled_days.guard_opens", silent.opensShuffled()));
    figures.add(percent("signal.guard_keeps", SilentMarkets.judge(options.count(40, 2), 1).kept()));
    return figures;
  }

  private static Figure percent(String name, double share) {
    return new Figure("judge." + name, 100 * share, "%");
  }
}
