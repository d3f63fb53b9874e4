package io.tranche.market.feature.pipeline;

import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Session;
import io.tranche.market.expression.Expression;
import io.tranche.market.feature.Adjustment;
import io.tranche.market.feature.pipeline.FeatureConfig.Rules;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Instruments of one session, whose features are made on one calendar.
///
/// @param session null if days are left as they are and counted in bars
/// @param dayLength bars of a day, as expressions count them
/// @param start the calendar's index of the window's first bar
/// @param end the index of its last bar; before `start` if it has none
record StagingGroup(
    BarSource source,
    FeatureConfig config,
    @Nullable Session session,
    Calendar calendar,
    int dayLength,
    int start,
    int end,
    Map<String, String> features,
    Map<String, String> backtest) {

  /// @throws DataException if the session has another number of bars than the configuration says
  static StagingGroup of(BarSource source, FeatureConfig config, String instrument) {
    Session session = config.rules() == Rules.NATIVE ? source.session(instrument) : null;
    if (session == null) {
      if (config.dayLength() == 0) {
        throw new DataException(
            "day_length", "bars per day, as %s has no session".formatted(instrument), "missing");
      }
      Calendar calendar = source.calendar();
      int start = calendar.ceiling(config.start());
      int end = calendar.floor(config.end());
      return of(source, config, null, calendar, config.dayLength(), start, end);
    }
    Calendar calendar = source.calendar(instrument);
    int ticks = session.barStarts(calendar.frequency()).length;
    if (config.dayLength() != 0 && config.dayLength() != ticks) {
      throw new DataException(
          "day_length",
          "%d, the bars of the session %s of %s, or nothing"
              .formatted(ticks, session.text(), instrument),
          config.dayLength());
    }
    int start = firstOf(calendar, config.start());
    int end = lastOf(calendar, config.end());
    return of(source, config, session, calendar, ticks, start, end);
  }

  private static StagingGroup of(
      BarSource source,
      FeatureConfig config,
      @Nullable Session session,
      Calendar calendar,
      int ticks,
      int start,
      int end) {
    return new StagingGroup(
        source,
        config,
        session,
        calendar,
        ticks,
        start,
        end,
        HandlerExpressions.features(config.prices(), ticks),
        config.rules() == Rules.QLIB
            ? HandlerExpressions.backtest(config.backtestVwap(), ticks)
            : HandlerExpressions.traded(config.backtestVwap(), ticks));
  }

  /// Returns the first bar of the first trading day that is not before the date of `time`.
  private static int firstOf(Calendar calendar, long time) {
    LocalDate date = BarTime.dateTime(time).toLocalDate();
    for (int day = 0; day < calendar.days(); day++) {
      if (!calendar.date(day).isBefore(date)) {
        return calendar.dayStart(day);
      }
    }
    return calendar.size();
  }

  /// Returns the last bar of the last trading day that is not after the date of `time`.
  private static int lastOf(Calendar calendar, long time) {
    return firstOf(calendar, time + BarTime.SECONDS_A_DAY) - 1;
  }

  boolean hasWindow() {
    return start <= end;
  }

  boolean hasWholeDays() {
    return session != null;
  }

  boolean isAdjusted() {
    return hasWholeDays() && source.fields().contains(Adjustment.FACTOR);
  }

  int rows() {
    return end - start + 1;
  }

  /// Returns the bars of the window, on their trading days.
  Calendar window() {
    long[] times = calendar.times(start, end + 1);
    if (!hasWholeDays()) {
      return Calendar.of(calendar.frequency(), times);
    }
    var dates = new ArrayList<LocalDate>();
    var days = new ArrayList<long[]>();
    for (int day = calendar.dayOfBar(start); day <= calendar.dayOfBar(end); day++) {
      dates.add(calendar.date(day));
      days.add(calendar.times(calendar.dayStart(day), calendar.dayEnd(day)));
    }
    return Calendar.ofDays(calendar.frequency(), dates, days);
  }

  /// Returns the first row of the window that statistics are fitted to.
  int fitFrom() {
    return hasWholeDays()
        ? Math.clamp(firstOf(calendar, config.fitStart()) - (long) start, 0, rows())
        : Math.clamp(calendar.ceiling(config.fitStart()) - (long) start, 0, rows());
  }

  /// Returns the row after the last that statistics are fitted to.
  int fitTo() {
    return hasWholeDays()
        ? Math.clamp(lastOf(calendar, config.fitEnd()) + 1L - start, 0, rows())
        : Math.clamp(calendar.floor(config.fitEnd()) + 1L - start, 0, rows());
  }

  RawColumns.Query columns() {
    if (!hasWholeDays()) {
      var expressions = new ArrayList<>(features.values());
      expressions.addAll(backtest.values());
      return RawColumns.query(source, expressions, start, end);
    }
    List<Expression> adjusted = parsed(features.values());
    List<Expression> plain = parsed(backtest.values());
    return instrument -> {
      WholeDays days = wholeDays(instrument);
      return days == null ? none() : days.evaluate(adjusted, plain, start, end);
    };
  }

  /// Turns raw columns into those that are staged: the logarithms of volumes are taken here, once
  /// for all later passes.
  void transform(float[][] columns) {
    int column = 0;
    for (var each : config.groups().entrySet()) {
      for (int end = column + each.getValue(); column < end; column++) {
        GroupStatistics.transform(each.getKey(), columns[column]);
      }
    }
  }

  /// Returns what the columns are computed from.
  RawColumns.Query bars() {
    if (hasWholeDays()) {
      return instrument -> {
        WholeDays days = wholeDays(instrument);
        return days == null ? none() : days.raw();
      };
    }
    long left = 0;
    for (var expressions : List.of(features, backtest)) {
      for (Expression expression : parsed(expressions.values())) {
        left = Math.max(left, expression.extension().left());
      }
    }
    return RawColumns.query(source, fields(), (int) Math.max(0, start - left), end);
  }

  private static List<Expression> parsed(Collection<String> texts) {
    return texts.stream().map(Expression::parse).toList();
  }

  private @Nullable WholeDays wholeDays(String instrument) {
    var names = new ArrayList<>(fields().stream().map(name -> name.substring(1)).toList());
    if (isAdjusted()) {
      names.add(Adjustment.FACTOR);
    }
    return hasWindow()
        ? WholeDays.of(source.series(instrument), names, calendar.dayOfBar(end), dayLength)
        : null;
  }

  private RawColumns none() {
    int columns = features.size() + backtest.size();
    return new RawColumns(-1, -1, new float[columns][Math.max(0, rows())]);
  }

  /// Returns the fields that expressions read, with their dollar sign.
  List<String> fields() {
    var fields = new ArrayList<>(config.prices());
    fields.addAll(List.of("$close", "$volume"));
    if (config.backtestVwap()) {
      fields.add("$vwap");
    }
    return fields.stream().distinct().toList();
  }

  /// Returns the header of a staged file. Qlib's rule is that an instrument trades from the first
  /// bar of the window to its last; gaps in between do not matter. Qlib: `TimeRangeFlt`.
  StagedFile.Header header(int input, RawColumns raw) {
    boolean isWhole = raw.firstBar() >= 0 && raw.firstBar() <= start && raw.lastBar() >= end;
    boolean isKept = config.isWholeWindow() ? isWhole : raw.lastBar() >= start;
    int columns = features.size() + backtest.size();
    return new StagedFile.Header(
        input, raw.firstBar(), raw.lastBar(), columns, isKept ? rows() : 0);
  }

  String time(int bar) {
    return BarTime.format(calendar.time(bar));
  }
}
