package io.tranche.market.feature;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// A few seeded stocks in memory; one of them is listed late, another has gaps.
public final class Market implements BarSource {

  public static final LocalDate FIRST = LocalDate.of(2024, 1, 1);
  public static final int TICKS = 8;
  private static final int DAYS = 12;
  private static final List<String> FIELDS =
      List.of("open", "high", "low", "close", "volume", "vwap");

  private final Calendar calendar;
  private final TreeMap<String, BarSeries> series = new TreeMap<>();
  public final List<String> asked = new ArrayList<>();

  public Market(long seed) {
    long[] times = new long[DAYS * TICKS];
    for (int i = 0; i < times.length; i++) {
      times[i] = BarTime.of(FIRST.plusDays(i / TICKS).atTime(9, 30)) + 300L * (i % TICKS);
    }
    calendar = Calendar.of(Frequency.ofMinutes(5), times);
    var random = new SplittableRandom(seed);
    for (String code : List.of("SZ000001", "SH600000", "SH600001", "SH688001", "SH600002")) {
      int listed = code.equals("SH688001") ? DAYS - 1 : 0;
      series.put(code, series(code, listed, code.equals("SH600001"), random.split()));
    }
  }

  private BarSeries series(String code, int listed, boolean gaps, SplittableRandom random) {
    float[][] columns = new float[FIELDS.size()][(DAYS - listed) * TICKS];
    double price = random.nextDouble(5, 50);
    for (int bar = 0; bar < columns[0].length; bar++) {
      double open = price;
      price *= Math.exp(0.002 * random.nextGaussian());
      double high = Math.max(open, price) * 1.001;
      double low = Math.min(open, price) * 0.999;
      double volume = random.nextInt(1, 1000);
      double[] values = {open, high, low, price, volume, (open + price) / 2};
      boolean missing = gaps && bar % TICKS > 0 && random.nextInt(4) == 0;
      for (int field = 0; field < values.length; field++) {
        columns[field][bar] = missing ? Float.NaN : (float) values[field];
      }
    }
    // A store begins and ends with data, so do the series that are compared with it.
    for (float[] column : columns) {
      column[column.length - 1] =
          Float.isNaN(column[column.length - 1]) ? 1 : column[column.length - 1];
    }
    return BarSeries.wrap(code, calendar, listed, FIELDS, columns);
  }

  /// Changes the last close of the day before the last a little.
  public void touch(String code) {
    BarSeries old = series(code);
    float[][] columns = new float[FIELDS.size()][old.size()];
    for (int field = 0; field < columns.length; field++) {
      old.copy(field, 0, columns[field], 0, old.size());
    }
    columns[3][old.size() - TICKS - 1] *= 1.0001f;
    series.put(code, BarSeries.wrap(code, calendar, old.firstDay(), FIELDS, columns));
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  @Override
  public List<String> instruments() {
    return List.copyOf(series.keySet());
  }

  @Override
  public List<String> fields() {
    return FIELDS;
  }

  @Override
  public BarSeries series(String instrument) {
    synchronized (asked) {
      asked.add(instrument);
    }
    BarSeries found = series.get(instrument);
    if (found == null) {
      throw new DataException("market", "one of " + series.keySet(), instrument);
    }
    return found;
  }
}
