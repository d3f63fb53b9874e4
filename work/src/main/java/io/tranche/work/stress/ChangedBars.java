package io.tranche.work.stress;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;

/// Bars that never were: those of a market, changed from a day on. Days before stay as they are, so
/// that features compare the change with what was usual.
public final class ChangedBars {

  /// Changes one day of one instrument in place.
  @FunctionalInterface
  public interface Change {

    void apply(Day day);
  }

  private static final List<String> PRICES =
      List.of("open", "high", "low", "close", "vwap", "bid", "ask");

  private ChangedBars() {}

  /// Returns a source with its days changed; the caller closes `source`.
  ///
  /// @param from the first day that is changed
  public static BarSource of(BarSource source, LocalDate from, Change change) {
    return source.changed(source.fields(), series -> changed(series, from, change));
  }

  /// One day of one instrument.
  ///
  /// @param start its first row in the columns
  /// @param end the row after its last
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Day(
      String instrument,
      LocalDate date,
      List<String> fields,
      float[][] columns,
      int start,
      int end) {

    private void eachPrice(int row, DoubleUnaryOperator operator) {
      for (int field = 0; field < columns.length; field++) {
        if (PRICES.contains(fields.get(field))) {
          columns[field][row] = (float) operator.applyAsDouble(columns[field][row]);
        }
      }
    }

    private void clear(int row) {
      for (float[] column : columns) {
        column[row] = Float.NaN;
      }
    }

    /// Returns the first price of the day; NaN if it has none.
    private double first() {
      for (int row = start; row < end; row++) {
        for (String name : List.of("open", "close")) {
          int field = fields.indexOf(name);
          if (field >= 0 && columns[field][row] > 0) {
            return columns[field][row];
          }
        }
      }
      return Double.NaN;
    }

    /// The same for the same day on every machine.
    private SplittableRandom random() {
      return new SplittableRandom(31L * instrument.hashCode() + date.toEpochDay());
    }
  }

  /// Returns all changes by name.
  ///
  /// @param fields of the bars: only quotes have a spread
  public static Map<String, Change> all(List<String> fields) {
    var changes = new LinkedHashMap<String, Change>();
    for (double factor : new double[] {0.5, 2, 3}) {
      changes.put("volatility x " + FrictionLevels.text(factor), volatility(factor));
    }
    for (double factor : new double[] {0.1, 0.5, 3}) {
      changes.put("volume x " + FrictionLevels.text(factor), volume(factor));
    }
    if (fields.contains("bid") && fields.contains("ask")) {
      for (double factor : new double[] {2, 4}) {
        changes.put("quoted spread x " + FrictionLevels.text(factor), spread(factor));
      }
    }
    for (int bps : new int[] {-200, -50, 50, 200}) {
      changes.put("trend %+d bps a day".formatted(bps), trend(bps));
    }
    changes.put("halts", halts(1 / 3.0, 0.25));
    changes.put("5 % of bars missing", missing(0.05));
    changes.put("20 % of bars missing", missing(0.2));
    return changes;
  }

  private static Change volatility(double factor) {
    return day -> {
      double base = day.first();
      for (int row = day.start; row < day.end; row++) {
        day.eachPrice(row, price -> base * Math.pow(price / base, factor));
      }
    };
  }

  /// Of the market, and of every level of the book.
  private static Change volume(double factor) {
    return day -> {
      for (int field = 0; field < day.columns.length; field++) {
        String name = day.fields.get(field);
        if (name.equals("volume") || name.startsWith("bidv") || name.startsWith("askv")) {
          for (int row = day.start; row < day.end; row++) {
            day.columns[field][row] *= (float) factor;
          }
        }
      }
    };
  }

  private static Change spread(double factor) {
    return day -> {
      float[] bids = day.columns[day.fields.indexOf("bid")];
      float[] asks = day.columns[day.fields.indexOf("ask")];
      for (int row = day.start; row < day.end; row++) {
        double middle = (bids[row] + asks[row]) / 2.0; // NaN stays NaN
        bids[row] = (float) (middle + factor * (bids[row] - middle));
        asks[row] = (float) (middle + factor * (asks[row] - middle));
      }
    };
  }

  private static Change trend(double bps) {
    return day -> {
      for (int row = day.start; row < day.end; row++) {
        double part = (row - day.start + 1.0) / (day.end - day.start);
        double rise = Math.exp(bps / 10_000 * part);
        day.eachPrice(row, price -> price * rise);
      }
    };
  }

  /// @param chance of a halt on a day
  /// @param length as a part of the day
  private static Change halts(double chance, double length) {
    return day -> {
      SplittableRandom random = day.random();
      int rows = day.end - day.start;
      int halted = (int) (length * rows);
      if (random.nextDouble() < chance && halted > 0) {
        int first = day.start + random.nextInt(rows - halted);
        for (int row = first; row < first + halted; row++) {
          day.clear(row);
        }
      }
    };
  }

  private static Change missing(double chance) {
    return day -> {
      SplittableRandom random = day.random();
      for (int row = day.start; row < day.end; row++) {
        if (random.nextDouble() < chance) {
          day.clear(row);
        }
      }
    };
  }

  private static BarSeries changed(BarSeries own, LocalDate from, Change change) {
    float[][] columns = new float[own.fields().size()][own.size()];
    for (int field = 0; field < columns.length; field++) {
      own.copy(field, 0, columns[field], 0, own.size());
    }
    Calendar calendar = own.calendar();
    for (int day = own.firstDay(); day < own.endDay(); day++) {
      LocalDate date = calendar.date(day);
      if (!date.isBefore(from)) {
        int start = calendar.dayStart(day) - own.firstBar();
        int end = calendar.dayEnd(day) - own.firstBar();
        change.apply(new Day(own.instrument(), date, own.fields(), columns, start, end));
      }
    }
    return BarSeries.wrap(own.instrument(), calendar, own.firstDay(), own.fields(), columns);
  }
}
