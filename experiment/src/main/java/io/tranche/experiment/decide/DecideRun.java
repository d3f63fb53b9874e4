package io.tranche.experiment.decide;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.CachedBars;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.table.ColumnMapping;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A model's decisions for orders of a file.
///
/// @param fills what was filled, as CSV or JSON lines; null to assume that each child order is
///   filled at the bars of its step, as the simple simulator does without frictions
/// @param listener hears of each decision as soon as it is taken
public record DecideRun(
    LoadedModel model, List<NamedOrder> orders, @Nullable LineInput fills, DeskListener listener) {

  private static final int SERIES_KEPT = 256;

  public DecideRun {
    orders = List.copyOf(orders);
    if (orders.isEmpty()) {
      throw new IllegalArgumentException("orders must not be empty");
    }
  }

  /// Returns when an order without times of its own begins.
  public static LocalTime dayStart(ModelSpec spec) {
    Session.Segment first = spec.session().segments().getFirst();
    return LocalTime.ofSecondOfDay(Math.max(first.open(), 0));
  }

  /// Returns when an order without times of its own must be over: with the session, or a second
  /// before midnight.
  public static LocalTime dayEnd(ModelSpec spec) {
    int close = spec.session().segments().getLast().close();
    return LocalTime.ofSecondOfDay(Math.min(close, BarTime.SECONDS_A_DAY - 1));
  }

  /// Works the orders on bars that are all there: the days that orders name are played bar by bar,
  /// what lies before them is what features look back on.
  ///
  /// @param where the bars are from, for errors
  /// @throws DataException if they are of another width, lack a field, or do not have a day
  public DeskSummary over(String where, BarSource bars) {
    ModelSpec spec = model.spec();
    if (!bars.calendar().frequency().equals(spec.frequency())) {
      throw new DataException(
          where, "bars of %s".formatted(spec.frequency()), bars.calendar().frequency());
    }
    var source = new CachedBars(bars, SERIES_KEPT);
    var fields = BarFields.of(spec, where, source.fields(), fills == null);
    var known = new HashSet<>(source.instruments());
    var desk =
        new OrderDesk(
            model,
            fields,
            byDay(named -> storedDay(where, source, known, named)),
            new EarlierDays(source, spec.features().earlierDays()),
            _ -> {},
            newFills(),
            listener);
    while (!desk.isOver()) {
      play(where, source, fields, desk);
    }
    return desk.summary();
  }

  /// Returns the trading day of the first bar at or after the order's start.
  private static LocalDate storedDay(
      String where, BarSource source, Set<String> known, NamedOrder named) {
    Order order = named.order();
    Calendar calendar = source.calendar();
    int bar = calendar.ceiling(BarTime.of(order.start()));
    if (known.contains(order.instrument())
        && bar < calendar.size()
        && calendar.time(bar) < BarTime.of(order.end())
        && source.series(order.instrument()).day(calendar.dayOfBar(bar)) != null) {
      return calendar.date(calendar.dayOfBar(bar));
    }
    throw new DataException(
        named.place(),
        "an order with bars in " + where,
        "%s, %s .. %s".formatted(order.instrument(), order.start(), order.end()));
  }

  /// Plays the day that the desk waits for.
  private static void play(String where, BarSource source, BarFields fields, OrderDesk desk) {
    LocalDate date = desk.date();
    Calendar calendar = source.calendar();
    int day = calendar.dayOf(date);
    var frames = new ArrayList<DayFrame>();
    var columns = new ArrayList<int[]>();
    for (String instrument : desk.instruments()) {
      BarSeries series = source.series(instrument);
      DayFrame frame = series.day(day);
      if (frame != null) {
        frames.add(frame);
        columns.add(fields.names().stream().mapToInt(frame::fieldIndex).toArray());
      }
    }
    float[] values = new float[fields.names().size()];
    for (int tick = 0; tick < calendar.dayEnd(day) - calendar.dayStart(day); tick++) {
      for (int i = 0; i < frames.size(); i++) {
        DayFrame frame = frames.get(i);
        if (!frame.isMissing(tick)) {
          for (int field = 0; field < values.length; field++) {
            values[field] = frame.value(columns.get(i)[field], tick);
          }
          desk.bar(where, frame.instrument(), frame.time(tick), values);
        }
      }
    }
    if (!desk.isOver() && desk.date().equals(date)) {
      desk.endDay(calendar.time(calendar.dayEnd(day) - 1));
    }
  }

  /// Works the orders on bars as they come, until these end or the orders are over.
  ///
  /// @param bars CSV with a header, or JSON lines: instrument, time, and the fields; in the order
  ///   of time
  /// @param mapping how the columns are called
  /// @param history the days before; null for none
  /// @throws DataException if a line is wrong or a field is missing: name, line, rule and value
  public DeskSummary over(LineInput bars, ColumnMapping mapping, @Nullable BarSource history) {
    ModelSpec spec = model.spec();
    var records = new Records(bars);
    List<String> names = records.names();
    if (names == null) {
      throw new DataException(bars.name(), "bars", "nothing");
    }
    String instrument = mapping.instrumentIn(names);
    String time = mapping.timeIn(names);
    if (time == null || (instrument == null && mapping.instrument() == null)) {
      throw new DataException(records.place(), "columns instrument and datetime", names);
    }
    List<String> there = names.stream().map(mapping::field).toList();
    var fields = BarFields.of(spec, records.place(), there, fills == null);
    var earlier = new EarlierDays(history, spec.features().earlierDays());
    var desk =
        new OrderDesk(
            model,
            fields,
            byDay(named -> weekday(spec.session(), named.order())),
            earlier,
            day -> earlier.add(day.frame()),
            newFills(),
            listener);
    int[] columns = fields.names().stream().mapToInt(there::indexOf).toArray();
    float[] values = new float[columns.length];
    while (!desk.isOver()) {
      List<String> cells = records.next();
      if (cells == null) {
        break;
      }
      for (int i = 0; i < columns.length; i++) {
        values[i] = (float) records.number(names.get(columns[i]), cells.get(columns[i]), true);
      }
      String of = instrument == null ? mapping.instrument() : cells.get(names.indexOf(instrument));
      desk.bar(
          records.place(),
          String.valueOf(of),
          time(records, cells.get(names.indexOf(time))),
          values);
    }
    desk.end();
    return desk.summary();
  }

  private static long time(Records records, String text) {
    try {
      return BarTime.parse(text);
    } catch (DateTimeException e) {
      throw new DataException(records.place(), "a date and time", "'" + text + "'", e);
    }
  }

  /// Returns the trading day of an order where nobody knows the holidays: a night session is that
  /// of the next weekday.
  private static LocalDate weekday(Session session, Order order) {
    LocalDate date = order.date();
    if (!session.opensTheEveningBefore()) {
      return date;
    }
    int evening = session.segments().getFirst().open() + BarTime.SECONDS_A_DAY;
    if (order.start().toLocalTime().toSecondOfDay() >= evening) {
      date = date.plusDays(1);
    }
    while (date.getDayOfWeek() == DayOfWeek.SATURDAY || date.getDayOfWeek() == DayOfWeek.SUNDAY) {
      date = date.plusDays(1);
    }
    return date;
  }

  private NavigableMap<LocalDate, List<NamedOrder>> byDay(Function<NamedOrder, LocalDate> day) {
    var days = new TreeMap<LocalDate, List<NamedOrder>>();
    for (NamedOrder named : orders) {
      days.computeIfAbsent(day.apply(named), _ -> new ArrayList<>()).add(named);
    }
    return days;
  }

  private Fills newFills() {
    Set<String> ids =
        orders.stream().map(NamedOrder::id).collect(Collectors.toCollection(LinkedHashSet::new));
    return fills == null ? new AssumedFills() : new ReportedFills(fills, ids);
  }
}
