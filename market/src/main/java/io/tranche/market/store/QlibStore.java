package io.tranche.market.store;

import io.tranche.config.ConfigException;
import io.tranche.market.BarSeries;
import io.tranche.market.BarSource;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.session.StatedSessions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One bar width of a Qlib `.bin` store. Safe to use from several threads.
///
/// Files are mapped into memory while they are read and closed afterwards. A store is not meant to
/// change while it is read; [QlibStoreWriter] replaces whole folders for that reason.
public final class QlibStore implements BarSource {

  private static final String ALL = "all";

  private final StoreLayout layout;
  private final StoreCalendars calendars;
  private final Calendar calendar;
  private volatile @Nullable Contents contents;
  private volatile @Nullable StatedSessions sessions;

  /// The store's contents at this bar width.
  private record Contents(List<String> instruments, List<String> fields) {}

  private QlibStore(StoreLayout layout, StoreCalendars calendars, Calendar calendar) {
    this.layout = layout;
    this.calendars = calendars;
    this.calendar = calendar;
  }

  /// Opens the bars of `frequency` in the store at `root`; trading days are calendar dates.
  ///
  /// @throws DataException if a path is missing, or the calendar is damaged
  public static QlibStore open(Path root, Frequency frequency) {
    return open(root, frequency, null);
  }

  /// Opens a store whose trading days are those of `session`, calendar dates when null.
  ///
  /// @throws DataException if a path is missing, or the calendar is damaged
  public static QlibStore open(Path root, Frequency frequency, @Nullable Session session) {
    var layout = new StoreLayout(root);
    requireFolder(root, "the folder of a Qlib store");
    requireFolder(layout.calendars(), "the calendars of a Qlib store");
    requireFolder(layout.features(), "the features of a Qlib store");
    var calendars = new StoreCalendars(layout, session, QlibRegion.CN);
    return new QlibStore(layout, calendars, calendars.stored(frequency));
  }

  /// Returns this store with calendars of steps that follow the clock of `region`; it is China's
  /// otherwise.
  public QlibStore in(QlibRegion region) {
    return new QlibStore(layout, new StoreCalendars(layout, calendars.session(), region), calendar);
  }

  /// Returns the bar widths that the store at `root` holds, the finest first.
  ///
  /// @throws DataException if it has no calendars
  public static List<Frequency> frequencies(Path root) {
    return List.copyOf(new StoreCalendars(new StoreLayout(root), null, QlibRegion.CN).stored());
  }

  private static void requireFolder(Path folder, String expected) {
    if (!Files.isDirectory(folder)) {
      throw new DataException(
          folder.toString(), expected, Files.exists(folder) ? "a file" : "no such folder");
    }
  }

  /// Returns the names of the markets that a store lists, sorted.
  ///
  /// @throws DataException if there is no such store
  public static List<String> markets(Path root) {
    try (Stream<Path> files = Files.list(new StoreLayout(root).instruments())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".txt"))
          .map(name -> name.substring(0, name.length() - 4))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new DataException(root.toString(), "a store with instruments", "none", e);
    }
  }

  public Path root() {
    return layout.root();
  }

  @Override
  public Calendar calendar() {
    return calendar;
  }

  /// Returns the session that was recorded when the store was written.
  @Override
  public @Nullable Session session(String instrument) {
    StatedSessions known = sessions;
    if (known == null) {
      known = StoreSessions.read(layout.sessions(calendar.frequency()));
      sessions = known;
    }
    return known.of(instrument);
  }

  /// Returns a calendar of the store, resampled from the nearest finer one if it is not there.
  ///
  /// @param future whether to read `<frequency>_future.txt` where that exists
  /// @throws DataException if the store has no calendar of that width or finer
  public Calendar calendar(Frequency frequency, boolean future) {
    return calendars.calendar(frequency, future, calendar);
  }

  /// Returns the codes of `instruments/all.txt` that have data of this bar width.
  @Override
  public List<String> instruments() {
    return contents().instruments();
  }

  /// Returns the spans of each instrument of a market, in the order of its file.
  ///
  /// @throws DataException if there is no such market or its file is damaged
  public SequencedMap<String, List<Span>> instruments(String market) {
    return StoreInstruments.read(layout.instruments(market));
  }

  /// Returns the spans cut to `start` .. `end`, without instruments that have none left.
  public SequencedMap<String, List<Span>> instruments(String market, long start, long end) {
    return StoreInstruments.within(instruments(market), start, end);
  }

  /// Returns the instruments that are in a market without a gap at all bars from `start` to `end`.
  public List<String> members(String market, long start, long end) {
    Calendar bars = calendar();
    int first = bars.ceiling(start);
    int last = bars.floor(end);
    if (first > last || first == bars.size()) {
      return List.of();
    }
    var members = new ArrayList<String>();
    instruments(market)
        .forEach(
            (code, spans) -> {
              if (spans.stream()
                  .anyMatch(
                      span -> span.contains(bars.time(first)) && span.contains(bars.time(last)))) {
                members.add(code);
              }
            });
    return members;
  }

  @Override
  public List<String> fields() {
    return contents().fields();
  }

  @Override
  public BarSeries series(String instrument) {
    List<String> fields = fields();
    try (var bins = bins(instrument)) {
      int first = calendar.size();
      int end = 0;
      for (String field : fields) {
        BinFile file = bins.file(field);
        if (file != null && file.end() > file.first()) {
          first = Math.min(first, file.first());
          end = Math.max(end, file.end());
        }
      }
      if (first >= end) {
        Path folder = layout.features(instrument);
        throw new DataException(
            folder.toString(),
            "bars of %s, %s".formatted(instrument, calendar.frequency()),
            Files.exists(folder) ? "none" : "no such folder");
      }
      int firstDay = calendar.dayOfBar(first);
      int from = calendar.dayStart(firstDay);
      float[][] columns =
          new float[fields.size()][calendar.dayEnd(calendar.dayOfBar(end - 1)) - from];
      for (int i = 0; i < columns.length; i++) {
        BinFile file = bins.file(fields.get(i));
        if (file == null) {
          Arrays.fill(columns[i], Float.NaN);
        } else {
          file.copy(from, columns[i], 0, columns[i].length);
        }
      }
      return BarSeries.wrap(instrument, calendar, firstDay, fields, columns);
    }
  }

  /// Prepares expressions over the bars from `start` to `end`, both inclusive.
  ///
  /// @param start [io.tranche.market.BarTime] seconds; moves forward to a bar
  /// @param end moves back to a bar; a date alone is its midnight, so that day's bars are left out
  /// @throws ConfigException if an expression is wrong
  public FeatureQuery query(List<String> expressions, long start, long end) {
    return new FeatureQuery(layout, calendar, expressions, start, end);
  }

  /// Returns the values of `expressions` for each instrument, ordered by code; instruments without
  /// rows are left out. Qlib: `D.features`.
  ///
  /// @throws ConfigException if an expression is wrong
  /// @throws DataException if a file is damaged or does not allow an operation
  public List<FeatureRows> features(
      List<String> instruments, List<String> expressions, long start, long end) {
    FeatureQuery query = query(expressions, start, end);
    return instruments.stream()
        .distinct()
        .sorted()
        .parallel()
        .map(query::rows)
        .filter(rows -> rows.size() > 0)
        .toList();
  }

  private InstrumentBins bins(String instrument) {
    return new InstrumentBins(layout, instrument, calendar.frequency(), calendar.size());
  }

  private Contents contents() {
    Contents known = contents;
    if (known == null) {
      known = list();
      contents = known; // two threads may list twice, with the same result
    }
    return known;
  }

  private Contents list() {
    var codes = new ArrayList<String>();
    var fields = new TreeSet<String>();
    String suffix = StoreLayout.suffix(calendar.frequency());
    for (String code : instruments(ALL).keySet()) {
      Path folder = layout.features(code);
      try (Stream<Path> files = Files.list(folder)) {
        List<String> found =
            files
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(suffix))
                .map(name -> name.substring(0, name.length() - suffix.length()))
                .toList();
        fields.addAll(found);
        if (!found.isEmpty()) {
          codes.add(code);
        }
      } catch (NoSuchFileException | NotDirectoryException _) {
        // Listed without data: Qlib allows it, and a query gives no rows.
      } catch (IOException e) {
        throw new DataException(folder.toString(), "a readable folder", e.getMessage(), e);
      }
    }
    return new Contents(List.copyOf(codes), List.copyOf(fields));
  }
}
