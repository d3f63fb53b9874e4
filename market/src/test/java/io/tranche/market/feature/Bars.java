package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;

/// Seeded bars of one instrument with quotes, depth and gaps, as a source.
public final class Bars implements BarSource {

  public static final String INSTRUMENT = "SH600000";
  private static final List<String> FIELDS =
      List.of("open", "high", "low", "close", "volume", "bid", "ask", "bidv1", "askv1");

  private final BarSeries series;

  private Bars(BarSeries series) {
    this.series = series;
  }

  /// @param missing the probability that a bar is missing, and that a quote is
  public static Bars random(long seed, int days, int ticks, double missing) {
    var random = new SplittableRandom(seed);
    Calendar calendar = calendar(days, ticks);
    float[][] columns = new float[FIELDS.size()][calendar.size()];
    double price = 10;
    for (int bar = 0; bar < calendar.size(); bar++) {
      price *= Math.exp(0.001 * random.nextGaussian());
      double half = price * random.nextDouble(1e-4, 1e-3);
      double[] values = {
        price,
        price + half,
        price - half,
        price * (1 + 1e-4 * random.nextGaussian()),
        random.nextInt(0, 1000),
        price - half,
        price + half,
        random.nextInt(0, 50),
        random.nextInt(0, 50)
      };
      boolean noBar = random.nextDouble() < missing;
      boolean noQuote = random.nextDouble() < missing;
      for (int field = 0; field < values.length; field++) {
        columns[field][bar] = noBar || (noQuote && field > 4) ? Float.NaN : (float) values[field];
      }
    }
    return new Bars(BarSeries.wrap(INSTRUMENT, calendar, 0, FIELDS, columns));
  }

  /// One column a field; whole days of `ticks` bars.
  public static Bars of(int ticks, List<String> fields, float[]... columns) {
    Calendar calendar = calendar(columns[0].length / ticks, ticks);
    return new Bars(BarSeries.wrap(INSTRUMENT, calendar, 0, fields, columns));
  }

  private static Calendar calendar(int days, int ticks) {
    long[] times = new long[days * ticks];
    for (int i = 0; i < times.length; i++) {
      LocalDate date = LocalDate.of(2024, 1, 1).plusDays(i / ticks);
      times[i] = BarTime.of(date.atTime(9, 30)) + 60L * (i % ticks);
    }
    return Calendar.of(Frequency.MINUTE, times);
  }

  public BarSeries series() {
    return series;
  }

  @Override
  public Calendar calendar() {
    return series.calendar();
  }

  @Override
  public List<String> instruments() {
    return List.of(INSTRUMENT);
  }

  @Override
  public List<String> fields() {
    return series.fields();
  }

  @Override
  public BarSeries series(String instrument) {
    if (!instrument.equals(INSTRUMENT)) {
      throw new DataException("bars", INSTRUMENT, instrument);
    }
    return series;
  }
}
