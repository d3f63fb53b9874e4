package io.tranche.backtest.exchange;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Frequency;
import io.tranche.market.cache.CachedBars;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Quotes from bars in any form. Expressions are fields such as `$close`; steps are cut from the
/// bars of each trading day, so that every session has its own.
final class BarQuotes implements QuoteSource {

  private static final int SERIES_KEPT = 16;

  private final CachedBars bars;

  BarQuotes(BarSource bars) {
    this.bars = new CachedBars(bars, SERIES_KEPT);
  }

  @Override
  public Calendar calendar() {
    return bars.calendar();
  }

  /// Cuts each trading day at every n-th bar. A day starts at midnight, or with its first bar if
  /// that is on the evening before.
  @Override
  public Calendar calendar(Frequency frequency) {
    Calendar calendar = bars.calendar();
    int width = calendar.frequency().seconds();
    if (frequency.seconds() % width != 0) {
      throw new DataException(
          "calendar " + calendar.frequency(),
          "bars that divide steps of " + frequency,
          width + " s");
    }
    int every = frequency.isDay() ? Integer.MAX_VALUE : frequency.seconds() / width;
    long[] times = new long[calendar.size()];
    int count = 0;
    for (int day = 0; day < calendar.days(); day++) {
      for (int bar = calendar.dayStart(day); bar < calendar.dayEnd(day); bar++) {
        if ((bar - calendar.dayStart(day)) % every == 0) {
          long time = calendar.time(bar);
          times[count++] =
              frequency.isDay() ? Math.min(BarTime.of(calendar.date(day)), time) : time;
        }
      }
    }
    return Calendar.of(frequency, Arrays.copyOf(times, count));
  }

  @Override
  public Quotes quotes(ExchangeConfig config, String instrument, LocalDate first, LocalDate last) {
    List<DayFrame> days = new ArrayList<>();
    if (bars.instruments().contains(instrument)) {
      BarSeries series = bars.series(instrument);
      Calendar calendar = series.calendar();
      for (int day = 0; day < calendar.days(); day++) {
        LocalDate date = calendar.date(day);
        DayFrame frame = date.isBefore(first) || date.isAfter(last) ? null : series.day(day);
        if (frame != null) {
          days.add(frame);
        }
      }
    }
    int rows = days.stream().mapToInt(DayFrame::ticks).sum();
    long[] times = new long[rows];
    int row = 0;
    for (DayFrame day : days) {
      for (int tick = 0; tick < day.ticks(); tick++) {
        times[row++] = day.time(tick);
      }
    }
    return Quotes.of(instrument, config, times, field -> column(days, field, rows));
  }

  private double[] column(List<DayFrame> days, String expression, int rows) {
    boolean known = isOptional(expression) || bars.fields().contains(expression.substring(1));
    if (!expression.startsWith("$") || !known) {
      throw new ConfigException(
          "exchange", "fields of the bars, which are " + bars.fields(), expression);
    }
    double[] values = new double[rows];
    int row = 0;
    for (DayFrame day : days) {
      int field = day.fieldIndex(expression.substring(1));
      for (int tick = 0; tick < day.ticks(); tick++) {
        values[row++] = field < 0 ? Double.NaN : day.value(field, tick);
      }
    }
    return values;
  }

  /// Whether an exchange works without this field, as Qlib's does without its file.
  private static boolean isOptional(String expression) {
    return expression.equals(ExchangeConfig.CHANGE) || expression.equals(ExchangeConfig.FACTOR);
  }
}
