package io.tranche.market.synthetic;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarSeries;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The generated bars have the features of real ones: measured on the bars, not on the law.
class SyntheticStatisticsTest {

  private static final int BARS = 48;
  private static final List<BarSeries> SERIES = new ArrayList<>();

  @BeforeAll
  static void generate() {
    var config =
        SyntheticConfig.DEFAULT
            .withSize(30, 500)
            .withBook(Book.QUOTES)
            .withIncidents(SyntheticConfig.Incidents.NONE);
    var market = new SyntheticMarket(config);
    market.instruments().forEach(code -> SERIES.add(market.series(code)));
  }

  @Test
  void tradesMostAtTheOpenAndTheClose() {
    double[] volume = new double[BARS];

    for (BarSeries series : SERIES) {
      for (int row = 0; row < series.size(); row++) {
        volume[row % BARS] += value(series, "volume", row);
      }
    }

    double noon = (volume[23] + volume[24]) / 2;
    assertThat(volume[0]).isGreaterThan(2.2 * noon);
    assertThat(volume[47]).isGreaterThan(1.7 * noon);
    assertThat(volume[11]).isGreaterThan(noon);
    assertThat(volume[36]).isGreaterThan(noon);
  }

  @Test
  void movesMostAtTheOpenAndTheClose() {
    double[] squares = new double[BARS];

    for (BarSeries series : SERIES) {
      for (int row = 0; row < series.size(); row++) {
        squares[row % BARS] += square(barReturn(series, row));
      }
    }

    double noon = (squares[23] + squares[24]) / 2;
    assertThat(squares[0]).isGreaterThan(1.6 * noon);
    assertThat(squares[47]).isGreaterThan(1.6 * noon);
  }

  @Test
  void clustersVolatilityOverDays() {
    double[] correlations = new double[SERIES.size()];

    for (int i = 0; i < correlations.length; i++) {
      BarSeries series = SERIES.get(i);
      double[] squares = new double[series.endDay() - 1];
      for (int day = 0; day < squares.length; day++) {
        squares[day] = square(dayReturn(series, day + 1));
      }
      correlations[i] = correlation(squares, 1);
    }

    assertThat(mean(correlations)).isGreaterThan(0.1);
  }

  @Test
  void doesNotForetellADaysReturnFromTheDayBefore() {
    double[] correlations = new double[SERIES.size()];

    for (int i = 0; i < correlations.length; i++) {
      double[] returns = new double[SERIES.get(i).endDay() - 1];
      for (int day = 0; day < returns.length; day++) {
        returns[day] = dayReturn(SERIES.get(i), day + 1);
      }
      correlations[i] = correlation(returns, 1);
    }

    assertThat(Math.abs(mean(correlations))).isLessThan(0.03);
  }

  @Test
  void tradesMoreWhenPricesMove() {
    double[] volume = new double[2];
    int[] bars = new int[2];

    for (BarSeries series : SERIES) {
      for (int row = 20; row < series.size(); row += BARS) {
        int moving = Math.abs(barReturn(series, row)) > 0.002 ? 1 : 0;
        volume[moving] += value(series, "volume", row);
        bars[moving]++;
      }
    }

    assertThat(volume[1] / bars[1]).isGreaterThan(1.1 * volume[0] / bars[0]);
  }

  @Test
  void runsOnInBusyTradingAndTurnsBackInQuiet() {
    double busy = 0;
    double quiet = 0;

    for (BarSeries series : SERIES) {
      double usual = 0;
      for (int row = 0; row < series.size(); row++) {
        usual += value(series, "volume", row) / series.endDay();
      }
      for (int day = 0; day < series.endDay(); day++) {
        double morning = moveWithin(series, day, 6, 12);
        double next = moveWithin(series, day, 12, 18);
        double traded = 0;
        for (int tick = 0; tick < BARS; tick++) {
          traded += value(series, "volume", day * BARS + tick);
        }
        busy += traded > usual ? morning * next : 0;
        quiet += traded > usual ? 0 : morning * next;
      }
    }

    assertThat(busy).isPositive();
    assertThat(quiet).isNegative();
  }

  @Test
  void quotesASpreadOfAFewBasisPoints() {
    for (BarSeries series : SERIES) {
      double sum = 0;
      int quoted = 0;
      for (int row = 0; row < series.size(); row++) {
        double spread = value(series, "ask", row) - value(series, "bid", row);
        if (!Double.isNaN(spread)) { // at a limit one side is empty
          sum += 10_000 * spread / value(series, "close", row);
          quoted++;
        }
      }
      assertThat(quoted).isGreaterThan(series.size() * 99 / 100);
      assertThat(sum / quoted).isBetween(2.0, 20.0);
    }
  }

  @Test
  void opensNearThePreviousClose() {
    for (BarSeries series : SERIES) {
      for (int row = 1; row < series.size(); row++) {
        double gap = Math.abs(value(series, "open", row) / value(series, "close", row - 1) - 1);
        assertThat(gap).isLessThan(row % BARS == 0 ? 0.05 : 1e-9);
      }
    }
  }

  private static double moveWithin(BarSeries series, int day, int from, int to) {
    int start = day * BARS;
    return Math.log(
        value(series, "close", start + to - 1) / value(series, "close", start + from - 1));
  }

  private static double barReturn(BarSeries series, int row) {
    return value(series, "close", row) / value(series, "open", row) - 1;
  }

  private static double dayReturn(BarSeries series, int day) {
    return value(series, "change", (day + 1) * BARS - 1);
  }

  private static double value(BarSeries series, String field, int row) {
    return series.value(series.fieldIndex(field), row);
  }

  private static double correlation(double[] values, int lag) {
    double mean = mean(values);
    double own = 0;
    double lagged = 0;
    for (int i = 0; i < values.length; i++) {
      own += square(values[i] - mean);
      lagged += i < lag ? 0 : (values[i] - mean) * (values[i - lag] - mean);
    }
    return lagged / own;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double square(double x) {
    return x * x;
  }
}
