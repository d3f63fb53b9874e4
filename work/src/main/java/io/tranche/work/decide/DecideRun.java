package io.tranche.work.decide;

import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.DayFrame;
import io.tranche.market.Order;
import io.tranche.market.Session;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.feature.MarketIndex;
import io.tranche.market.order.NamedOrder;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.session.BarLabel;
import io.tranche.market.session.SessionBars;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.play.CheckedOrders;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.work.decide.DecisionMaker.Wants;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Takes decisions for the orders of a file.
///
/// @param maker takes the decisions
/// @param fills reported fills as CSV or JSON lines; null to assume that each child order is filled
///   at the bars of its step, as in the simulator that the model was trained in
/// @param listener receives each decision as soon as it is taken
public record DecideRun(
    DecisionMaker maker,
    List<NamedOrder> orders,
    @Nullable LineInput fills,
    OrderReplayListener listener) {

  private static final int SERIES_KEPT = 256;

  /// Fields that assumed fills depend on.
  private static final List<String> FILLED_AT =
      List.of("close", "volume", "high", "low", "bid", "ask", "change");

  public DecideRun {
    orders = List.copyOf(orders);
    if (orders.isEmpty()) {
      throw new IllegalArgumentException("orders must not be empty");
    }
  }

  /// Executes the orders on stored bars: the days of orders are played bar by bar, and features
  /// look back on the days before.
  ///
  /// @param where the bars come from, for errors
  /// @param pace decides when the next bars come, and whether to go on
  /// @throws DataException if the bars have another width, or lack a field or a day
  public ReplaySummary over(String where, BarSource bars, Pace pace) {
    Wants wants = maker.wants();
    if (!bars.calendar().frequency().equals(wants.frequency())) {
      throw new DataException(
          where, "bars of %s".formatted(wants.frequency()), bars.calendar().frequency());
    }
    var source = new CachedBars(MarketIndex.completed(bars, wants.fields()), SERIES_KEPT);
    List<String> fields = fieldsOf(wants.fields(), where, source.fields(), fills == null);
    var known = new HashSet<>(source.instruments());
    var replay =
        new OrderReplay(
            maker,
            fields,
            byDay(named -> storedDay(where, source, known, named)),
            new EarlierDays(source, wants.earlierDays()),
            (instrument, date, _) -> storedTimes(source, instrument, date),
            _ -> {},
            newFills(),
            listener);
    while (!replay.isOver()) {
      if (!play(where, source, fields, replay, pace)) {
        replay.end();
        break;
      }
    }
    return replay.summary();
  }

  /// Returns the fields that the model needs, then those present that fills depend on.
  ///
  /// @param where the bars come from
  /// @param there the fields that the bars have
  /// @param tradesAtBars whether fills are assumed at the bars' prices
  /// @throws DataException if a field is missing
  private static List<String> fieldsOf(
      List<String> wanted, String where, Collection<String> there, boolean tradesAtBars) {
    var names = new ArrayList<>(wanted);
    for (String field : names) {
      if (!there.contains(field)) {
        throw new DataException(where, "a field " + field + ", which the model wants", there);
      }
    }
    for (String field : tradesAtBars ? FILLED_AT : List.<String>of()) {
      String name = there.contains(field) ? field : field + "0";
      if (there.contains(name) && !names.contains(name)) {
        names.add(name);
      } else if (!there.contains(name) && (field.equals("close") || field.equals("volume"))) {
        throw new DataException(
            where, "a field " + field + " to assume fills by, or --fills", there);
      }
    }
    return List.copyOf(names);
  }

  /// Checks orders before the first of them is executed on stored bars.
  ///
  /// @param where the bars come from, for errors
  /// @param skipsBad whether orders without bars and rows that are no orders are left out
  /// @throws DataException naming each row that cannot be executed, unless they are skipped; or if
  ///   none can
  public static CheckedOrders checked(
      ReadOrders read, String where, BarSource bars, boolean skipsBad) {
    var source = new CachedBars(bars, SERIES_KEPT);
    var known = new HashSet<>(bars.instruments());
    return CheckedOrders.of(
        read,
        order -> {
          if (storedDay(source, known, order) == null) {
            throw new DataException(
                order.instrument(),
                "an order with bars in " + where,
                "%s .. %s".formatted(order.start(), order.end()));
          }
        },
        skipsBad);
  }

  private static LocalDate storedDay(
      String where, BarSource source, Set<String> known, NamedOrder named) {
    Order order = named.order();
    LocalDate date = storedDay(source, known, order);
    if (date == null) {
      throw new DataException(
          named.place(),
          "an order with bars in " + where,
          "%s, %s .. %s".formatted(order.instrument(), order.start(), order.end()));
    }
    return date;
  }

  /// Returns the order's trading day; if it has no bars at or after the order's start, that of the
  /// first such bar. Null if there are none in its window.
  private static @Nullable LocalDate storedDay(BarSource source, Set<String> known, Order order) {
    if (known.contains(order.instrument())) {
      BarSeries series = source.series(order.instrument());
      Calendar calendar = series.calendar();
      int day = calendar.dayOf(order.date());
      int bar = calendar.ceiling(BarTime.of(order.start()));
      if (bar < calendar.size() && (day < 0 || bar >= calendar.dayEnd(day))) {
        day = calendar.dayOfBar(bar);
      }
      if (bar < calendar.size()
          && calendar.time(bar) < BarTime.of(order.end())
          && series.day(day) != null) {
        return calendar.date(day);
      }
    }
    return null;
  }

  /// Plays the day that the replay waits for.
  ///
  /// @return whether to go on
  private static boolean play(
      String where, BarSource source, List<String> fields, OrderReplay replay, Pace pace) {
    LocalDate date = replay.date();
    var frames = new ArrayList<DayFrame>();
    var times = new TreeSet<Long>();
    for (String instrument : replay.instruments()) {
      DayFrame frame = source.day(instrument, date);
      if (frame != null) {
        frames.add(frame);
        IntStream.range(0, frame.ticks()).forEach(tick -> times.add(frame.time(tick)));
      }
    }
    int[] next = new int[frames.size()]; // the tick of each frame
    for (long time : times) {
      var values = new LinkedHashMap<String, float[]>();
      for (int i = 0; i < next.length; i++) {
        DayFrame frame = frames.get(i);
        if (next[i] < frame.ticks() && frame.time(next[i]) == time) {
          if (!frame.isMissing(next[i])) {
            values.put(frame.instrument(), values(frame, fields, next[i]));
          }
          next[i]++;
        }
      }
      if (!pace.await(time)) {
        return false;
      }
      replay.bars(where, time, values);
    }
    if (!replay.isOver() && replay.date().equals(date)) {
      replay.endDay(times.last());
    }
    return true;
  }

  /// Returns the ticks of a day that has bars.
  private static long[] storedTimes(BarSource source, String instrument, LocalDate date) {
    Calendar calendar = source.series(instrument).calendar();
    int day = calendar.dayOf(date);
    return calendar.times(calendar.dayStart(day), calendar.dayEnd(day));
  }

  /// Returns the ticks of a day whose bars have not come.
  private static long[] usualTimes(
      Wants wants, String instrument, LocalDate date, List<DayFrame> earlier) {
    LocalDate before = earlier.isEmpty() ? null : earlier.getLast().date();
    return DecisionRuntime.barTimes(wants.session(instrument), wants.frequency(), date, before);
  }

  private static float[] values(DayFrame frame, List<String> fields, int tick) {
    float[] values = new float[fields.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = frame.value(frame.fieldIndex(fields.get(i)), tick);
    }
    return values;
  }

  /// Executes the orders on bars as they arrive, until the bars or the orders end.
  ///
  /// @param bars CSV with a header, or JSON lines: instrument, time, and the fields; sorted by time
  /// @param mapping the names of the columns
  /// @param history the days before; null for none
  /// @throws DataException if a line is wrong or a field is missing
  public ReplaySummary over(LineInput bars, ColumnMapping mapping, @Nullable BarSource history) {
    Wants wants = maker.wants();
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
    List<String> fields = fieldsOf(wants.fields(), records.place(), there, fills == null);
    var earlier = new EarlierDays(history, wants.earlierDays());
    var replay =
        new OrderReplay(
            maker,
            fields,
            byDay(named -> weekday(wants.session(named.order().instrument()), named.order())),
            earlier,
            (code, date, before) -> usualTimes(wants, code, date, before),
            day -> earlier.add(day.frame()),
            newFills(),
            listener);
    int[] columns = fields.stream().mapToInt(there::indexOf).toArray();
    Boolean zoned = null; // as the first time is
    while (!replay.isOver()) {
      List<String> cells = records.next();
      if (cells == null) {
        break;
      }
      float[] values = new float[columns.length];
      for (int i = 0; i < columns.length; i++) {
        values[i] = (float) records.number(names.get(columns[i]), cells.get(columns[i]), true);
      }
      String of =
          String.valueOf(
              instrument == null ? mapping.instrument() : cells.get(names.indexOf(instrument)));
      String labelled = cells.get(names.indexOf(time));
      if (zoned != null && zoned != BarTime.hasOffset(labelled)) {
        throw new DataException(
            records.place(),
            "times that all have an offset such as +08:00 or Z, or none of them",
            "'" + labelled + "'");
      }
      zoned = BarTime.hasOffset(labelled);
      replay.bars(
          records.place(),
          start(records, mapping.reading(), wants, of, labelled),
          Map.of(of, values));
    }
    replay.end();
    return replay.summary();
  }

  /// Returns when a bar starts in the exchange's time.
  private static long start(
      Records records, SessionBars.Reading reading, Wants wants, String instrument, String text) {
    long time = time(records, text);
    long start = reading.label() == BarLabel.END ? time - wants.frequency().seconds() : time;
    ZoneId from = BarTime.hasOffset(text) ? ZoneId.of("UTC") : reading.zone();
    if (from == null) {
      return start;
    }
    ZoneId to = wants.session(instrument).zone();
    if (to == null) {
      throw new DataException(
          records.place(),
          "a model whose session has a zone, to convert times of " + from,
          wants.session(instrument).text());
    }
    return BarTime.of(
        BarTime.dateTime(start).atZone(from).withZoneSameInstant(to).toLocalDateTime());
  }

  private static long time(Records records, String text) {
    try {
      return BarTime.hasOffset(text) ? BarTime.parseInstant(text) : BarTime.parse(text);
    } catch (DateTimeException e) {
      throw new DataException(records.place(), "a date and time", "'" + text + "'", e);
    }
  }

  /// Returns the trading day of an order without knowing the holidays: a night session belongs to
  /// the next weekday.
  private static LocalDate weekday(Session session, Order order) {
    LocalDate date = order.date();
    if (!session.opensTheEveningBefore() || !date.equals(order.start().toLocalDate())) {
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

  private FillSource newFills() {
    Set<String> ids =
        orders.stream().map(NamedOrder::id).collect(Collectors.toCollection(LinkedHashSet::new));
    return fills == null ? new AssumedFills() : new ReportedFills(fills, ids);
  }
}
