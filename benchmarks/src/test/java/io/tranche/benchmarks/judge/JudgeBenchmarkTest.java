package io.tranche.benchmarks.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The reduced form of `tranche bench judge`.
class JudgeBenchmarkTest {

  @ParameterizedTest
  @ValueSource(ints = {5, 10, 30, 100})
  void intervalsCoverTheTruthUnderTheHardestLaw(int days) {
    var law = new SampleLaw(true, true, 0.3);

    double coverage = law.coverage(days, 1000, new SplittableRandom(1));

    // A thousand samples of 95 % vary by 1.4 points either way. Below 30 days more is allowed.
    assertThat(coverage).isBetween(0.93, days < 30 ? 0.99 : 0.97);
  }

  @Test
  @Tag("full")
  void intervalsCoverTheTruthUnderEveryLaw() {
    for (int days : JudgeBenchmark.DAYS) {
      for (SampleLaw law : JudgeBenchmark.LAWS) {
        double coverage = law.coverage(days, 2000, new SplittableRandom(days));

        assertThat(coverage).as("%d days, %s", days, law).isBetween(0.93, days < 30 ? 0.995 : 0.97);
      }
    }
  }

  @Test
  void saysBetterOfFewMarketsWithoutSignal() {
    SilentMarkets.Rates rates = SilentMarkets.judge(60, 0);

    assertThat(rates.better()).isLessThanOrEqualTo(0.05);
    assertThat(rates.opens()).isLessThanOrEqualTo(0.05);
    assertThat(rates.opensShuffled()).isLessThanOrEqualTo(0.05);
  }

  @Test
  @Tag("full")
  void saysBetterOfFewOfTwoHundredMarketsWithoutSignal() {
    SilentMarkets.Rates rates = SilentMarkets.judge(200, 0);

    assertThat(List.of(rates.better(), rates.opens(), rates.opensShuffled()))
        .allMatch(rate -> rate <= 0.05);
  }

  @Test
  void theGuardKeepsWhatASignalGives() {
    assertThat(SilentMarkets.judge(10, 1).kept()).isGreaterThan(0.9);
  }

  @Test
  void upperEndsOfRatesAgreeWithStatsmodelsAndScipy() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    int[] counts = {0, 0, 1, 2, 30, 199, 200};
    int[] markets = {5, 200, 200, 7, 60, 200, 200};

    String answer =
        Python.run(
            python,
            """
            import sys
            from scipy.stats import binomtest
            from statsmodels.stats.proportion import proportion_confint
            counts, markets = ([int(x) for x in text.split(",")] for text in sys.argv[1:])
            for count, all in zip(counts, markets):
                print(proportion_confint(count, all, alpha=0.05, method="wilson")[1])
                print(binomtest(count, all).proportion_ci(0.95, method="wilson").high)
            """,
            text(counts),
            text(markets));

    double[] peer = answer.strip().lines().mapToDouble(Double::parseDouble).toArray();
    for (int i = 0; i < counts.length; i++) {
      double upper = SilentMarkets.upper((double) counts[i] / markets[i], markets[i]);
      // Ours has 1.96 for the quantile.
      assertThat(upper).isCloseTo(peer[2 * i], within(1e-5));
      assertThat(upper).isCloseTo(peer[2 * i + 1], within(1e-5));
    }
  }

  private static String text(int[] numbers) {
    return Arrays.stream(numbers).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }
}
