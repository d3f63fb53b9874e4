package io.tranche.market.check;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.table.BarWidths;
import io.tranche.market.table.ColumnMapping;
import java.nio.file.Path;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Checks that need all instruments of a market together: bar widths, missing bars and missing
/// days.
record MarketDays(Path file, CheckOptions options, Findings findings) {

  void check(Collection<BarStream> streams) {
    var widths = new BarWidths();
    var dates = new TreeMap<Long, Integer>(); // how many instruments trade
    for (BarStream stream : streams) {
      if (!stream.hasBars()) {
        findings.add(Rule.INSTRUMENT_WITHOUT_BARS, file, "", stream.instrument(), "none");
      }
      widths.add(stream.times(), stream.count(), 1);
      long previous = Long.MIN_VALUE;
      for (int i = 0; i < stream.count(); i++) {
        long date = Math.floorDiv(stream.times()[i], BarTime.SECONDS_A_DAY);
        if (date != previous) {
          dates.merge(date, 1, Integer::sum);
          previous = date;
        }
      }
    }
    Frequency given = options.mapping().frequency();
    Frequency width = given == null ? widths.mostCommon() : given;
    if (width == null) {
      return;
    }
    ColumnMapping mapping = options.mapping();
    ClockCheck.check(file, streams, width, mapping.session(), mapping.reading().label(), findings);
    for (BarStream stream : streams) {
      int misfit = BarWidths.firstMisfit(stream.times(), stream.count(), width);
      if (misfit >= 0) {
        findings.add(
            Rule.MIXED_BAR_WIDTHS,
            file,
            () -> "",
            stream.instrument(),
            stream.times()[misfit],
            "a bar that does not fit " + width);
      } else if (stream.count() > 0) {
        checkDays(stream, dates, streams.size(), width);
      }
    }
  }

  /// Compares each day with the times of day at which the instrument usually has a bar: those of at
  /// least half of its days. So a lunch break, or a night session that the instrument does not
  /// have, is not a gap.
  private void checkDays(
      BarStream stream, NavigableMap<Long, Integer> dates, int instruments, Frequency width) {
    long[] times = stream.times();
    var uses = new TreeMap<Integer, Integer>();
    int traded = 0;
    long previous = Long.MIN_VALUE;
    for (int i = 0; i < stream.count(); i++) {
      uses.merge(BarTime.secondOfDay(times[i]), 1, Integer::sum);
      long date = Math.floorDiv(times[i], BarTime.SECONDS_A_DAY);
      traded += date == previous ? 0 : 1;
      previous = date;
    }
    int enough = (traded + 1) / 2;
    int[] usual =
        uses.entrySet().stream()
            .filter(use -> use.getValue() >= enough)
            .mapToInt(use -> use.getKey())
            .toArray();
    int next = 0;
    for (var date : dates.tailMap(Math.floorDiv(times[0], BarTime.SECONDS_A_DAY)).entrySet()) {
      if (next == stream.count()) {
        return;
      }
      long midnight = date.getKey() * BarTime.SECONDS_A_DAY;
      int from = next;
      while (next < stream.count() && times[next] < midnight + BarTime.SECONDS_A_DAY) {
        next++;
      }
      // The early hours of a Saturday are a date of their own, but few instruments trade then.
      boolean common = 2 * date.getValue() >= instruments;
      if (from == next && common) {
        findings.add(Rule.EMPTY_DAY, file, () -> "", stream.instrument(), midnight, "no bar");
      } else if (from < next && !width.isDay()) {
        checkRuns(stream, from, next, midnight, usual);
      }
    }
  }

  private void checkRuns(BarStream stream, int from, int to, long midnight, int[] usual) {
    int run = 0;
    int at = from;
    for (int slot = 0; slot <= usual.length; slot++) {
      long time = slot < usual.length ? midnight + usual[slot] : Long.MAX_VALUE;
      while (at < to && stream.times()[at] < time) {
        at++;
      }
      if (slot < usual.length && (at == to || stream.times()[at] != time)) {
        run++;
      } else {
        if (run >= options.longRun()) {
          findings.add(
              Rule.MISSING_BARS,
              file,
              () -> "",
              stream.instrument(),
              midnight + usual[slot - run],
              run + " missing bars");
        }
        run = 0;
      }
    }
  }
}
