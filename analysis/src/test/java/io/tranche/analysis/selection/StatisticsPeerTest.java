package io.tranche.analysis.selection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.run.play.Difference;
import io.tranche.run.play.Summary;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// The judge's statistics against those of SciPy and statsmodels on the same numbers.
class StatisticsPeerTest {

  private static final String PROGRAM =
      """
      import sys
      import numpy as np
      import statsmodels.api as sm
      from scipy import stats
      from statsmodels.stats.multitest import multipletests

      def numbers(text):
          return np.array([float(x) for x in text.split(",")])

      y, day = numbers(sys.argv[1]), numbers(sys.argv[2])
      days = np.unique(day)
      mean = y.mean()
      left = np.array([sm.OLS(y[day != d], np.ones((day != d).sum())).fit().params[0] for d in days])
      error = np.sqrt((len(days) - 1) / len(days) * ((left - mean) ** 2).sum())
      weights = np.array([(day == d).mean() for d in days])
      freedom = max(1, 1 / (weights ** 2).sum() - 1)
      margin = stats.t.ppf(0.975, freedom) * error
      clustered = sm.OLS(y, np.ones(len(y))).fit(cov_type="cluster", cov_kwds={"groups": day}).bse[0]
      daily = np.array([y[day == d].mean() for d in days])
      p = stats.wilcoxon(daily, correction=len(days) > 50, method="auto" if len(days) > 50 else "exact").pvalue
      exceeds = [mean - stats.t.ppf(c, freedom) * error for c in (0.75, 0.9, 0.95)]
      whole = 2 * stats.t.sf(abs(mean) / error, freedom)
      one_sample = stats.ttest_1samp(daily, 0)
      ends = one_sample.confidence_interval(0.95)
      print(whole, one_sample.pvalue, ends.low, ends.high, one_sample.df, sep=",")
      print(mean, error, mean - margin, mean + margin, clustered, p, *exceeds,
            *multipletests(numbers(sys.argv[3]), method="holm")[1], sep=",")
      """;

  @Test
  void agreesWithScipyAndStatsmodels() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    var random = new SplittableRandom(1);
    for (int[] shape : new int[][] {{4, 0}, {12, 0}, {12, 1}, {40, 1}}) {
      boolean isUnequal = shape[1] == 1;
      var values = new ArrayList<Double>();
      var days = new ArrayList<Double>();
      var orders = new Difference.Builder();
      var summary = new Summary.Builder();
      double[] sums = new double[shape[0]];
      for (int day = 0; day < shape[0]; day++) {
        int count = isUnequal ? 1 + random.nextInt(30) : 8;
        double common = 5 * random.nextGaussian();
        for (int i = 0; i < count; i++) {
          double bps = 1 + common + 10 * random.nextGaussian();
          values.add(bps);
          days.add((double) day);
          orders.add(LocalDate.of(2024, 1, 1).plusDays(day), bps);
          summary.add(LocalDate.of(2024, 1, 1).plusDays(day), bps);
          sums[day] += bps / count;
        }
      }
      double[] chances = random.doubles(7).map(x -> x * x).toArray();

      String answer =
          Python.run(
              python,
              PROGRAM,
              text(values),
              text(days),
              text(Arrays.stream(chances).boxed().toList()));

      List<double[]> lines = answer.strip().lines().map(StatisticsPeerTest::numbers).toList();
      double[] peer = lines.getLast();
      Difference ours = orders.build();
      assertThat(ours.meanBps()).isCloseTo(peer[0], within(1e-9));
      assertThat(summary.build().standardError()).isCloseTo(peer[1], within(1e-9));
      assertThat(ours.low()).isCloseTo(peer[2], within(1e-4));
      assertThat(ours.high()).isCloseTo(peer[3], within(1e-4));
      if (!isUnequal) {
        assertThat(summary.build().standardError()).isCloseTo(peer[4], within(1e-9));
      }
      double[] oneSample = lines.getFirst();
      assertThat(summary.build().pValue()).isCloseTo(oneSample[0], within(1e-6));
      if (!isUnequal) { // then orders say what the means of their days do
        assertThat(summary.build().pValue()).isCloseTo(oneSample[1], within(1e-6));
      }
      Difference repeated = Difference.ofRepetitions(Arrays.stream(sums).boxed().toList());
      assertThat(repeated.low()).isCloseTo(oneSample[2], within(1e-6));
      assertThat(repeated.high()).isCloseTo(oneSample[3], within(1e-6));
      assertThat(repeated.freedom()).isEqualTo(oneSample[4]);
      assertThat(SignedRanks.pValue(sums)).isCloseTo(peer[5], within(1e-9));
      double[] confidences = {0.75, 0.9, 0.95};
      for (int i = 0; i < confidences.length; i++) {
        assertThat(ours.exceeds(confidences[i])).isCloseTo(peer[6 + i], within(1e-4));
      }
      assertThat(Selection.holm(chances))
          .containsExactly(Arrays.copyOfRange(peer, 9, peer.length), within(1e-12));
    }
  }

  private static double[] numbers(String line) {
    return Arrays.stream(line.split(",", -1)).mapToDouble(Double::parseDouble).toArray();
  }

  private static String text(List<Double> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
