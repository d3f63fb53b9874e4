package io.tranche.execution;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;

/// A market of one instrument on a few days of an A-share session, made of random numbers.
final class RandomBars implements BarSource {

  static final String STOCK = "SH600000";
  static final LocalDate FIRST = LocalDate.of(2021, 3, 1);
  static final int DAYS = 3; // the last one is there to follow the others

  static final List<String> FIELDS = List.of("change", "close", "factor", "limit", "volume");

  private final Calendar calendar;
  private final BarSeries series;

  /// @param gaps how many of the bars are missing, as a fraction
  /// @param factor the adjustment of all prices, NaN for none
  RandomBars(SplittableRandom random, Frequency frequency, double gaps, float factor) {
    int[] starts = Session.CHINA_STOCKS.barStarts(frequency);
    long[] times = new long[DAYS * starts.length];
    float[][] columns = new float[FIELDS.size()][times.length];
    double price = random.nextDouble(5, 50);
    for (int bar = 0; bar < times.length; bar++) {
      times[bar] = BarTime.of(FIRST.plusDays(bar / starts.length)) + starts[bar % starts.length];
      price *= Math.exp(random.nextDouble(-0.01, 0.01));
      boolean missing = random.nextDouble() < gaps;
      columns[0][bar] = (float) random.nextDouble(-0.11, 0.11);
      columns[1][bar] = (float) price;
      columns[2][bar] = factor;
      columns[3][bar] = random.nextInt(0, 500);
      columns[4][bar] = random.nextInt(0, 2000);
      for (float[] column : columns) {
        column[bar] = missing ? Float.NaN : column[bar];
      }
    }
    this.calendar = Calendar.of(frequency, times);
    this.series = BarSeries.wrap(STOCK, calendar, 0, FIELDS, columns);
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public List<String> instruments() {
    return List.of(STOCK);
  }

  @Override
  public List<String> fields() {
    return FIELDS;
  }

  @Override
  public BarSeries series(String instrument) {
    return series;
  }
}
