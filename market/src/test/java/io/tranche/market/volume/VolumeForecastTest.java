package io.tranche.market.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.tranche.market.BarSeries;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.feature.provider.CausalityCheck;
import io.tranche.market.feature.provider.VolumeAhead;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.testkit.Python;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class VolumeForecastTest {

  private static final SyntheticMarket MARKET =
      new SyntheticMarket(SyntheticConfig.DEFAULT.withSize(3, 40));

  private static List<DayFrame> days(BarSeries series, int end) {
    var days = new ArrayList<DayFrame>();
    for (int day = 0; day < end; day++) {
      DayFrame frame = series.day(day);
      if (frame != null && frame.hasBars()) {
        days.add(frame);
      }
    }
    return days;
  }

  /// A busy morning makes a busy afternoon; the mean of past days does not know.
  @Test
  void raisesTheRestOfTheDayWithItsBeginning() {
    VolumeForecast forecast = VolumeForecast.fit(days(MARKET.series("SYN0001"), 39));
    int ticks = forecast.ticks();
    double[] usual = new double[ticks];
    double[] busy = new double[ticks];
    for (int tick = 0; tick < 24; tick++) {
      usual[tick] = forecast.usual(tick, tick + 1);
      busy[tick] = 2 * usual[tick];
    }

    double expected = forecast.between(usual, 24, 24, ticks);
    double more = forecast.between(busy, 24, 24, ticks);

    assertThat(more / expected).isBetween(1.3, 2.5);
    assertThat(forecast.between(busy, 24, 24, 30) + forecast.between(busy, 24, 30, ticks))
        .isCloseTo(more, within(1e-9 * more));
    assertThat(forecast.between(busy, 24, 30, 30)).isZero();
  }

  @Test
  void knowsNothingWithoutDays() {
    VolumeForecast forecast = VolumeForecast.fit(List.of());

    assertThat(forecast.isKnown()).isFalse();
    assertThat(forecast.between(new double[0], 0, 0, 0)).isZero();
  }

  @Test
  void fewDaysGiveTheirMeanShares() {
    VolumeForecast forecast = VolumeForecast.fit(days(MARKET.series("SYN0002"), 2));

    assertThat(forecast.isKnown()).isTrue();
    assertThat(forecast.between(new double[48], 0, 0, 48)).isPositive();
  }

  @Test
  void itsFeaturesDoNotLookAhead() {
    for (Session session : List.of(Session.CHINA_STOCKS, Session.CRYPTO)) {
      var market =
          new SyntheticMarket(
              SyntheticConfig.DEFAULT.withSize(1, 8).withBars(session, Frequency.ofMinutes(15)));
      BarSeries series = market.series("SYN0000");
      for (int day : new int[] {0, 2, 7}) {
        assertThat(CausalityCheck.find(new VolumeAhead(), series, day)).isNull();
      }
    }
  }

  /// The regression's weights against a ridge of statsmodels on the same numbers.
  @Test
  void solvesARidgeAsStatsmodelsDoes() throws IOException, InterruptedException {
    Path python = Python.withOrSkip("scipy", "statsmodels");
    var random = new SplittableRandom(1);
    int rows = 60;
    int width = 6;
    double[][] x = new double[rows][width];
    double[] y = new double[rows];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < width; i++) {
        x[row][i] = random.nextGaussian() + (i > 0 ? x[row][i - 1] : 0);
        y[row] += i * x[row][i];
      }
      y[row] += random.nextGaussian();
    }
    double[][] matrix = new double[width][width];
    double[] right = new double[width];
    for (int row = 0; row < rows; row++) {
      for (int i = 0; i < width; i++) {
        right[i] += x[row][i] * y[row];
        for (int j = 0; j < width; j++) {
          matrix[i][j] += x[row][i] * x[row][j];
        }
      }
    }

    double[] ours = Cholesky.solve(matrix, right, 20);

    String answer =
        Python.run(
            python,
            """
            import sys
            import numpy as np
            import statsmodels.api as sm
            y = np.array([float(v) for v in sys.argv[1].split(",")])
            x = np.array([float(v) for v in sys.argv[2].split(",")]).reshape(len(y), -1)
            fit = sm.OLS(y, x).fit_regularized(alpha=20 / len(y), L1_wt=0)
            print(*fit.params, sep=",")
            """,
            text(DoubleStream.of(y)),
            text(Arrays.stream(x).flatMapToDouble(DoubleStream::of)));
    double[] peer =
        Arrays.stream(answer.strip().split(",", -1))
            .mapToDouble(Double::parseDouble)
            .toArray();
    assertThat(ours).containsExactly(peer, within(1e-9));
  }

  private static String text(DoubleStream numbers) {
    return numbers.mapToObj(String::valueOf).collect(Collectors.joining(","));
  }
}
