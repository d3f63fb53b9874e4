package io.tranche.benchmarks.serving;

import static java.util.Comparator.comparingDouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.ArrayList;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class SaturationCurveTest {

  private static LoadResult result(double offered, double achieved, long wrong, double millis) {
    var latency = new Histogram(100_000_000_000L, 3);
    latency.recordValue((long) (1e6 * millis));
    return new LoadResult(offered, achieved, 10_000, 0, wrong, 0, latency, latency);
  }

  /// What a server that can do so much would answer.
  private static LoadResult within1000(double rate) {
    return rate <= 1_000 ? result(rate, rate, 0, 2) : result(rate, 1_000, 0, 500);
  }

  @Test
  void findsTheHighestRateThatAServerFollows() throws IOException {
    SaturationCurve curve = SaturationCurve.find(SaturationCurveTest::within1000, 100, 1.5, 3);

    assertThat(curve.saturation().offered()).isBetween(900.0, 1_000.0);
    assertThat(curve.points()).isSortedAccordingTo(comparingDouble(LoadResult::offered));
    assertThat(curve.points().getLast().offered()).isGreaterThan(1_000);
  }

  @Test
  void triesARateAgainBeforeItGivesUp() throws IOException {
    var asked = new ArrayList<Double>();

    SaturationCurve curve =
        SaturationCurve.find(
            rate -> {
              asked.add(rate);
              return asked.size() == 3 ? result(rate, 0, 0, 900) : within1000(rate);
            },
            100,
            2,
            1);

    assertThat(asked.get(2)).isEqualTo(asked.get(3)).isEqualTo(400);
    assertThat(curve.saturation().offered()).isEqualTo(800);
  }

  @Test
  void aServerThatFollowsNothingHasTheLeastRateThatWasTried() throws IOException {
    SaturationCurve curve = SaturationCurve.find(rate -> result(rate, 0, 0, 900), 100, 2, 3);

    assertThat(curve.points()).hasSize(6);
    assertThat(curve.saturation().offered()).isEqualTo(100 / 32.0);
  }

  @Test
  void goesDownIfTheFirstRateIsTooMuch() throws IOException {
    SaturationCurve curve = SaturationCurve.find(SaturationCurveTest::within1000, 4_500, 1.5, 3);

    assertThat(curve.saturation().offered()).isBetween(900.0, 1_000.0);
  }

  @Test
  void toFollowIsToAnswerAllInTimeAndRightly() {
    assertThat(SaturationCurve.isFollowed(result(1_000, 990, 5, 50))).isTrue();
    assertThat(SaturationCurve.isFollowed(result(1_000, 950, 0, 50))).isFalse();
    assertThat(SaturationCurve.isFollowed(result(1_000, 1_000, 0, 150))).isFalse();
    assertThat(SaturationCurve.isFollowed(result(1_000, 1_000, 20, 1))).isFalse();
  }

  @Test
  void constantArrivalsAreEvenAndPoissonArrivalsAreNot() {
    long[] constant = Arrivals.CONSTANT.times(1_000, 1_000, 1);
    long[] poisson = Arrivals.POISSON.times(100_000, 1_000, 1);

    assertThat(constant[0]).isZero();
    assertThat(constant[999]).isEqualTo(999_000_000L);
    assertThat(poisson).isSorted();
    assertThat(poisson[99_999]).isBetween(99_900_000_000L, 100_000_000_000L);
    long below = 0;
    for (int i = 1; i < poisson.length; i++) {
      below += poisson[i] - poisson[i - 1] < 1_000_000 ? 1 : 0;
    }
    assertThat(below / 99_999.0).isCloseTo(1 - Math.exp(-1), within(0.01));
    long[] seven = Arrivals.POISSON.times(100, 10, 7);
    assertThat(Arrivals.POISSON.times(100, 10, 7)).isEqualTo(seven);
    assertThat(Arrivals.POISSON.times(100, 10, 8)).isNotEqualTo(seven);
  }
}
