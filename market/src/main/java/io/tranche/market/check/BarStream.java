package io.tranche.market.check;

import io.tranche.market.BarTime;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;

/// Checks the bars of one instrument as they come, row by row.
final class BarStream {

  private Path file;
  private final String instrument;
  private final List<String> fields;
  private final BarRules rules;
  private final int longRun;
  private final Findings findings;
  private IntFunction<String> place;

  private long[] times = new long[64];
  private int count;
  private long last = Long.MIN_VALUE;
  private final int[] runs; // consecutive bars without a value, per field
  private boolean seen;
  private final double[] minuteVolumes = new double[BarTime.SECONDS_A_DAY / 60];
  private final PriceJumps jumps;

  /// @param place names a row as users know it
  BarStream(
      Path file,
      String instrument,
      List<String> fields,
      int longRun,
      Findings findings,
      IntFunction<String> place) {
    this.file = file;
    this.instrument = instrument;
    this.fields = fields;
    this.rules = new BarRules(fields);
    this.longRun = longRun;
    this.findings = findings;
    this.place = place;
    this.runs = new int[fields.size()];
    this.jumps = new PriceJumps(fields);
  }

  void continueIn(Path next, IntFunction<String> placeOfRow) {
    file = next;
    place = placeOfRow;
  }

  String instrument() {
    return instrument;
  }

  /// Returns the increasing times of the bars that are not missing; [#count] are valid.
  long[] times() {
    return times;
  }

  int count() {
    return count;
  }

  /// Returns the volume of all days at a minute of the day; 0 if there is no volume.
  double volume(int minute) {
    return minuteVolumes[minute];
  }

  boolean hasBars() {
    return seen;
  }

  void add(int row, long time, double[] values) {
    if (time <= last) {
      boolean same = time == last;
      findings.add(
          same ? Rule.DUPLICATE_BAR : Rule.NON_MONOTONE_TIME,
          file,
          () -> place.apply(row),
          instrument,
          time,
          same ? "another" : "one after " + BarTime.format(last));
    } else {
      last = time;
    }
    int missing = 0;
    for (int field = 0; field < values.length; field++) {
      missing += Double.isNaN(values[field]) ? 1 : 0;
    }
    if (missing < values.length) {
      remember(time);
      addVolume(time, values);
      double jump = jumps.next(time, values);
      if (jump != 0) {
        findings.add(
            Rule.PRICE_JUMP,
            file,
            () -> place.apply(row),
            instrument,
            time,
            "%.4g times the price of the day before".formatted(jump));
      }
      rules.check(
          values,
          (rule, field, value) ->
              findings.add(
                  rule,
                  file,
                  () -> place.apply(row),
                  instrument,
                  time,
                  fields.get(field) + " " + value));
    }
    if (missing > 0 && missing < values.length) {
      findings.add(
          Rule.PARTLY_MISSING_BAR, file, () -> place.apply(row), instrument, time, gaps(values));
    }
    countRuns(row, time, values, missing);
  }

  private void addVolume(long time, double[] values) {
    if (rules.volume >= 0 && values[rules.volume] > 0) {
      minuteVolumes[BarTime.secondOfDay(time) / 60] += values[rules.volume];
    }
  }

  private void remember(long time) {
    seen = true;
    if (count > 0 && time <= times[count - 1]) {
      return; // reported already
    }
    if (count == times.length) {
      times = Arrays.copyOf(times, count * 2);
    }
    times[count++] = time;
  }

  /// A vital field that stays empty while bars continue is an error; bars that are missing
  /// altogether are reported elsewhere.
  private void countRuns(int row, long time, double[] values, int missing) {
    for (int field = 0; field < values.length; field++) {
      boolean gap = missing < values.length && Double.isNaN(values[field]);
      runs[field] = gap ? runs[field] + 1 : 0;
      if (runs[field] == longRun && rules.isVital(field)) {
        findings.add(
            Rule.NAN_RUN,
            file,
            () -> place.apply(row),
            instrument,
            time,
            "%d bars without %s".formatted(longRun, fields.get(field)));
      }
    }
  }

  private String gaps(double[] values) {
    var gaps = new StringBuilder("no");
    for (int field = 0; field < values.length; field++) {
      if (Double.isNaN(values[field])) {
        gaps.append(' ').append(fields.get(field));
      }
    }
    return gaps.toString();
  }

  /// The rules that one bar must obey, in any file format.
  private static final class BarRules {

    @FunctionalInterface
    interface Broken {
      void by(Rule rule, int field, double value);
    }

    private enum Role {
      PRICE,
      QUOTE,
      VOLUME,
      OTHER
    }

    private final Role[] roles;
    private final int open;
    private final int high;
    private final int low;
    private final int close;
    private final int volume;

    /// @param fields in lower case, without dollar sign
    BarRules(List<String> fields) {
      boolean features = areFeatures(fields);
      this.roles =
          fields.stream().map(field -> features ? Role.OTHER : role(field)).toArray(Role[]::new);
      this.open = features ? -1 : fields.indexOf("open");
      this.high = features ? -1 : fields.indexOf("high");
      this.low = features ? -1 : fields.indexOf("low");
      this.close = features ? -1 : fields.indexOf("close");
      this.volume = features ? -1 : fields.indexOf("volume");
    }

    /// Whether these are normalised features. Qlib names them like the bars they were computed
    /// from; they hold yesterday's values beside today's, and are not prices or volumes.
    private static boolean areFeatures(List<String> fields) {
      return fields.stream().anyMatch(field -> fields.contains(field + "_1"));
    }

    private static Role role(String field) {
      String name = field.toLowerCase(Locale.ROOT);
      return switch (name) {
        case "open", "high", "low", "close", "vwap" -> Role.PRICE;
        case "volume", "amount", "money", "turnover" -> Role.VOLUME;
        default -> {
          if (name.startsWith("bidv") || name.startsWith("askv")) {
            yield Role.VOLUME;
          }
          yield name.startsWith("bid") || name.startsWith("ask") ? Role.QUOTE : Role.OTHER;
        }
      };
    }

    /// Whether a bar without a value in `field` is useless.
    boolean isVital(int field) {
      return roles[field] == Role.PRICE || field == volume;
    }

    /// Checks one bar; `values` has one value per field, NaN where there is none.
    void check(double[] values, Broken broken) {
      for (int field = 0; field < values.length; field++) {
        double value = values[field];
        if (Double.isInfinite(value)) {
          broken.by(Rule.INFINITE_VALUE, field, value);
        }
        switch (roles[field]) {
          case PRICE -> {
            if (value < 0) {
              broken.by(Rule.NEGATIVE_PRICE, field, value);
            } else if (value == 0) {
              broken.by(Rule.ZERO_PRICE, field, value);
            }
          }
          case QUOTE -> { // zero: no quote, as on days locked at the price limit
            if (value < 0) {
              broken.by(Rule.NEGATIVE_PRICE, field, value);
            }
          }
          case VOLUME -> {
            if (value < 0) {
              broken.by(Rule.NEGATIVE_VOLUME, field, value);
            }
          }
          case OTHER -> {}
        }
      }
      checkRange(values, broken);
    }

    private void checkRange(double[] values, Broken broken) {
      double top = high < 0 ? Double.NaN : values[high];
      double bottom = low < 0 ? Double.NaN : values[low];
      if (top < bottom) {
        broken.by(Rule.HIGH_BELOW_LOW, high, top);
        return; // open and close cannot be within an empty range
      }
      if (open >= 0 && (values[open] > top || values[open] < bottom)) {
        broken.by(Rule.OPEN_OUTSIDE_RANGE, open, values[open]);
      }
      if (close >= 0 && (values[close] > top || values[close] < bottom)) {
        broken.by(Rule.CLOSE_OUTSIDE_RANGE, close, values[close]);
      }
      if (volume >= 0 && values[volume] == 0 && top > bottom) {
        broken.by(Rule.TRADE_WITHOUT_VOLUME, volume, 0);
      }
    }
  }
}
