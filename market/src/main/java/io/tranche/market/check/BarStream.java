package io.tranche.market.check;

import io.tranche.market.BarTime;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
  }

  /// Goes on in another file.
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
}
