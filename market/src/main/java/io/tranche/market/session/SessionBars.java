package io.tranche.market.session;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Bars of another source, those of each instrument on the calendar of its session.
///
/// A session is stated, else recorded by the source, else found in the bars. Instruments of one
/// session share a calendar; its days are those of [SessionCalendar]. Where the source has that
/// calendar already, its series are returned as they are. Bars that are no ticks are set aside.
public final class SessionBars implements BarSource {

  /// How the times of a source are to be read.
  ///
  /// @param zone of the source's times; null if it is the exchange's
  public record Reading(StatedSessions sessions, BarLabel label, @Nullable ZoneId zone) {

    public static final Reading PLAIN = new Reading(StatedSessions.NONE, BarLabel.START, null);

    public static final List<String> KEYS = List.of("session", "label", "time_zone");

    /// Reads `session`, `label` and `time_zone` of a section.
    ///
    /// @throws ConfigException if one is wrong
    public static Reading from(ConfigNode section) {
      ConfigNode session = section.optional("session");
      ConfigNode label = section.optional("label");
      ConfigNode zone = section.optional("time_zone");
      return new Reading(
          session == null ? StatedSessions.NONE : StatedSessions.from(session),
          label == null ? BarLabel.START : BarLabel.parse(label.asChoice(List.of("start", "end"))),
          zone == null ? null : zone(zone));
    }

    private static ZoneId zone(ConfigNode node) {
      try {
        return ZoneId.of(node.asText());
      } catch (DateTimeException _) {
        throw node.wrong("a time zone such as UTC or Asia/Shanghai");
      }
    }

    /// Returns the keys that differ from [#PLAIN], as [#from] reads them.
    public Map<String, Object> toConfig() {
      var keys = new LinkedHashMap<String, Object>();
      Object stated = sessions.toConfig();
      if (stated != null) {
        keys.put("session", stated);
      }
      if (label != BarLabel.START) {
        keys.put("label", label.toString());
      }
      if (zone != null) {
        keys.put("time_zone", zone.getId());
      }
      return keys;
    }

    /// Returns this with what `other` states in place of what it does not leave open.
    public Reading overriddenBy(Reading other) {
      return new Reading(
          other.sessions.isEmpty() ? sessions : other.sessions,
          other.label == BarLabel.START ? label : other.label,
          other.zone == null ? zone : other.zone);
    }
  }

  /// Sources with more bars than this are not read as a whole to find sessions.
  private static final long MOST_BARS = 50_000_000;

  private static final int SAMPLE = 16;

  private final BarSource raw;
  private final Map<String, Session> sessions;
  private final Set<String> found;
  private final String origin;
  private final boolean isConverted;
  private final Map<Session, SessionCalendar> calendars;
  private final Calendar union;

  private SessionBars(
      BarSource raw,
      Map<String, Session> sessions,
      Set<String> found,
      String origin,
      boolean isConverted,
      Map<Session, SessionCalendar> calendars) {
    this.raw = raw;
    this.sessions = sessions;
    this.found = Set.copyOf(found);
    this.origin = origin;
    this.isConverted = isConverted;
    this.calendars = calendars;
    this.union =
        calendars.isEmpty()
            ? raw.calendar()
            : SessionCalendar.union(List.copyOf(calendars.values()));
  }

  /// Finds out the sessions of `raw`, which the result closes. Daily bars have none.
  ///
  /// @param where what to call the bars in errors
  /// @throws DataException if an instrument has no session, or the source's zone is stated but not
  ///   the exchange's
  public static BarSource of(String where, BarSource raw, Reading reading) {
    if (raw.calendar().frequency().isDay() && raw.hasInstants()) {
      throw new DataException(where, "dates without an offset, for daily bars", "times with one");
    }
    if (raw.calendar().frequency().isDay() || raw.calendar().size() == 0) {
      return raw;
    }
    return new Opening(where, raw, reading).bars();
  }

  /// The bars while their sessions are not yet known.
  private static final class Opening {

    private final String where;
    private final BarSource raw;
    private final Reading reading;
    private final @Nullable ZoneId from; // the zone of the source's times
    private final Frequency frequency;
    private final long[] starts;
    private boolean hasStated;
    private List<String> unknown = List.of();

    Opening(String where, BarSource raw, Reading reading) {
      this.where = where;
      this.raw = raw;
      this.reading = reading;
      this.from = raw.hasInstants() ? ZoneId.of("UTC") : reading.zone();
      this.frequency = raw.calendar().frequency();
      this.starts = raw.calendar().times(0, raw.calendar().size());
      if (reading.label() == BarLabel.END) {
        for (int i = starts.length - 1; i >= 0; i--) { // a short bar starts where the last ended
          long start = starts[i] - frequency.seconds();
          starts[i] = i == 0 ? start : Math.max(start, starts[i - 1]);
        }
      }
    }

    SessionBars bars() {
      Map<String, Session> known = sessions();
      var groups = new LinkedHashMap<Session, List<String>>();
      known.forEach(
          (code, session) -> groups.computeIfAbsent(session, _ -> new ArrayList<>()).add(code));
      var calendars = new LinkedHashMap<Session, SessionCalendar>();
      groups.forEach(
          (session, codes) -> {
            var present = new BitSet(starts.length);
            if (groups.size() == 1) {
              present.set(0, starts.length);
            } else {
              codes.forEach(code -> mark(raw.series(code), present));
            }
            var clock = new SessionClock(session, frequency, zone(session));
            var calendar = SessionCalendar.of(clock, raw.calendar(), starts, present);
            if (calendar.calendar().size() > 0) {
              calendars.put(session, calendar);
            }
          });
      if (calendars.isEmpty()) {
        throw new DataException(
            where, "bars within the session " + groups.keySet(), raw.calendar());
      }
      String origin = !unknown.isEmpty() ? "found" : hasStated ? "stated" : "recorded";
      boolean isConverted = reading.label() == BarLabel.END || from != null;
      return new SessionBars(raw, known, Set.copyOf(unknown), origin, isConverted, calendars);
    }

    private @Nullable ZoneId zone(Session session) {
      if (from != null && session.zone() == null) {
        throw new DataException(
            where + ": session",
            "a name, or segments with a zone, to convert times of %s".formatted(from),
            session.text());
      }
      return from;
    }

    private static void mark(BarSeries series, BitSet present) {
      for (int row = 0; row < series.size(); row++) {
        if (!series.isMissing(row)) {
          present.set(series.firstBar() + row);
        }
      }
    }

    private Map<String, Session> sessions() {
      var known = new LinkedHashMap<String, Session>();
      unknown = new ArrayList<>();
      for (String code : raw.instruments()) {
        Session stated = reading.sessions().of(code);
        Session session = stated == null ? raw.session(code) : stated;
        hasStated = hasStated || stated != null;
        known.put(code, session == null ? Session.CRYPTO : session);
        if (session == null) {
          unknown.add(code);
        }
      }
      if (!unknown.isEmpty()) {
        if (from != null) {
          throw new DataException(
              where + ": session",
              "one for %s, such as --session us_stocks or segments with a zone, to convert times of %s"
                  .formatted(unknown.getFirst(), from),
              "none");
        }
        known.putAll(found(unknown));
      }
      return known;
    }

    private Map<String, Session> found(List<String> codes) {
      if ((long) codes.size() * starts.length > MOST_BARS) {
        int step = Math.max(1, codes.size() / SAMPLE);
        List<String> sample =
            IntStream.range(0, codes.size())
                .filter(i -> i % step == 0)
                .mapToObj(codes::get)
                .toList();
        var found = new LinkedHashMap<>(scanned(sample));
        List<Session> distinct = found.values().stream().distinct().toList();
        if (distinct.size() == 1) {
          codes.forEach(code -> found.put(code, distinct.getFirst()));
          return found;
        }
      }
      return scanned(codes);
    }

    /// Finds sessions from the instrument with the most bars on: what fits one with few may be
    /// many.
    private Map<String, Session> scanned(List<String> codes) {
      TickCounts[] counts =
          (raw.isSequential() ? codes.stream() : codes.parallelStream())
              .map(code -> counts(raw.series(code)))
              .toArray(TickCounts[]::new);
      List<Integer> busiest =
          IntStream.range(0, counts.length)
              .boxed()
              .sorted(Comparator.comparingLong((Integer i) -> counts[i].bars()).reversed())
              .toList();
      var uses = new LinkedHashMap<Session, Integer>();
      var found = new HashMap<String, Session>();
      for (int i : busiest) {
        List<Session> usual =
            uses.entrySet().stream()
                .sorted(Map.Entry.<Session, Integer>comparingByValue().reversed())
                .map(Map.Entry::getKey)
                .toList();
        Session session =
            counts[i].bars() == 0 && !usual.isEmpty()
                ? usual.getFirst()
                : SessionFinder.find(where + ": " + codes.get(i), counts[i], frequency, usual);
        uses.merge(session, 1, Integer::sum);
        found.put(codes.get(i), session);
      }
      return found;
    }

    private TickCounts counts(BarSeries series) {
      var counts = new TickCounts();
      for (int row = 0; row < series.size(); row++) {
        if (!series.isMissing(row)) {
          counts.add(starts[series.firstBar() + row]);
        }
      }
      return counts;
    }
  }

  /// Returns the days of all instruments, for dates and the bar width only.
  @Override
  public Calendar calendar() {
    return union;
  }

  @Override
  public @Nullable Session session(String instrument) {
    return sessions.get(instrument);
  }

  /// Found hours do not tell whose clock the bars have.
  @Override
  public @Nullable ZoneId zone(String instrument) {
    return found.contains(instrument) ? null : BarSource.super.zone(instrument);
  }

  @Override
  public Calendar calendar(String instrument) {
    return sessionCalendar(instrument).calendar();
  }

  /// Returns the sessions and where they are from, in words.
  public String describe() {
    var counts = new LinkedHashMap<Session, Integer>();
    sessions.values().forEach(session -> counts.merge(session, 1, Integer::sum));
    var words = new StringJoiner(", ");
    counts.forEach(
        (session, count) ->
            words.add(counts.size() == 1 ? session.text() : count + " of " + session.text()));
    return "%s (%s)".formatted(words, origin);
  }

  @Override
  public List<String> instruments() {
    return raw.instruments();
  }

  @Override
  public List<String> fields() {
    return raw.fields();
  }

  @Override
  public BarSeries series(String instrument) {
    BarSeries series = raw.series(instrument);
    SessionCalendar session = sessionCalendar(instrument);
    if (session.isRaw()) {
      return series;
    }
    Calendar calendar = session.calendar();
    int base = series.firstBar();
    int firstDay = Integer.MAX_VALUE;
    int lastDay = -1;
    for (int row = 0; row < series.size(); row++) {
      int target = session.target(base + row);
      if (target >= 0 && !series.isMissing(row)) {
        firstDay = Math.min(firstDay, calendar.dayOfBar(target));
        lastDay = Math.max(lastDay, calendar.dayOfBar(target));
      }
    }
    if (lastDay < 0) {
      throw new DataException(instrument, "bars within the session " + session.session(), "none");
    }
    int from = calendar.dayStart(firstDay);
    float[][] columns = new float[series.fields().size()][calendar.dayEnd(lastDay) - from];
    for (int field = 0; field < columns.length; field++) {
      Arrays.fill(columns[field], Float.NaN);
      for (int row = 0; row < series.size(); row++) {
        int target = session.target(base + row) - from;
        if (target >= 0 && target < columns[field].length) {
          columns[field][target] = series.value(field, row);
        }
      }
    }
    return BarSeries.wrap(instrument, calendar, firstDay, series.fields(), columns);
  }

  private SessionCalendar sessionCalendar(String instrument) {
    Session session = sessions.get(instrument);
    SessionCalendar calendar = session == null ? null : calendars.get(session);
    if (calendar == null) {
      throw new DataException(
          "instrument", "one of the %d instruments".formatted(sessions.size()), instrument);
    }
    return calendar;
  }

  /// Returns the bars of `instrument` that are no ticks, by reason.
  public List<SetAside> setAside(String instrument) {
    SessionCalendar calendar = sessionCalendar(instrument);
    if (calendar.isRaw()) {
      return List.of();
    }
    BarSeries series = raw.series(instrument);
    var aside = new LinkedHashMap<String, SetAside>();
    for (int row = 0; row < series.size(); row++) {
      int index = series.firstBar() + row;
      if (calendar.target(index) < 0 && !series.isMissing(row)) {
        String why = calendar.why(index);
        var first = new SetAside(instrument, 1, calendar.time(index), why);
        aside.merge(why, first, (a, _) -> new SetAside(instrument, a.bars() + 1, a.first(), why));
      }
    }
    return List.copyOf(aside.values());
  }

  /// Returns the bars of all instruments that are no ticks.
  public List<SetAside> setAside() {
    boolean isAllTicks = calendars.size() == 1 && calendars.values().iterator().next().takesAll();
    return isAllTicks
        ? List.of()
        : instruments().stream().flatMap(code -> setAside(code).stream()).toList();
  }

  /// Returns the bars for a file with one calendar: as the source has them, or, if their times were
  /// converted, those within the sessions.
  public BarSource onOneCalendar() {
    return isConverted ? new CommonCalendar(this) : raw;
  }

  /// Returns the sessions, and a line for each reason to set bars aside.
  public List<String> notes() {
    var notes = new ArrayList<String>();
    notes.add("session: " + describe());
    var byReason = new LinkedHashMap<String, List<SetAside>>();
    setAside().forEach(a -> byReason.computeIfAbsent(a.why(), _ -> new ArrayList<>()).add(a));
    byReason.forEach(
        (why, all) ->
            notes.add(
                "%d bars of %d instruments are set aside, the first of %s at %s: %s"
                    .formatted(
                        all.stream().mapToInt(SetAside::bars).sum(),
                        all.size(),
                        all.getFirst().instrument(),
                        BarTime.format(all.getFirst().first()),
                        why)));
    return notes;
  }

  @Override
  public void close() {
    raw.close();
  }
}
