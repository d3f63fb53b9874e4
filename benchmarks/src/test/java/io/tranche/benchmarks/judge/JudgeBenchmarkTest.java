package io.tranche.benchmarks.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
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
}
