package io.tranche.market.store;

import io.tranche.files.StagedFolder;
import io.tranche.market.BarSeries;
import io.tranche.market.BarTime;
import io.tranche.market.BarWriter;
import io.tranche.market.Calendar;
import io.tranche.market.DataException;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes a Qlib `.bin` store: calendar, `all.txt`, one file per field, and the sessions.
///
/// An instrument is stored and listed from its first bar with a value to its last; one without any
/// is left out. Everything is written into a folder beside the target, which takes its place on
/// [#commit].
public final class QlibStoreWriter implements BarWriter {

  /// What to do with a target that exists and is not empty.
  public enum Existing {
    /// It is an error.
    REFUSE,
    /// It is deleted once the new store is in its place.
    REPLACE,
    /// Its other bar widths are kept and this one is replaced; spans of instruments in both become
    /// the union. The new store is made of links to the old files and replaces the old folder as
    /// with REPLACE, so that no reader sees half of it.
    MERGE
  }

  private static final int LARGEST_CALENDAR = 1 << 24; // a bin's header is single precision

  private final StagedFolder staged;
  private final StoreLayout layout;
  private final Existing existing;
  private final Map<String, List<Span>> spans = new LinkedHashMap<>();
  private final Map<String, Session> sessions = new LinkedHashMap<>();
  private final Set<String> folders = new HashSet<>();
  private ByteBuffer bin = ByteBuffer.allocate(0); // what is written to a file, for reuse
  private @Nullable BarSeries model; // the first series, whose calendar and fields all share
  private boolean committed;

  private QlibStoreWriter(StagedFolder staged, Existing existing) {
    this.staged = staged;
    this.layout = new StoreLayout(staged.folder());
    this.existing = existing;
  }

  /// Begins a store at `target`.
  ///
  /// @throws DataException if the target has contents and `existing` is REFUSE
  public static QlibStoreWriter create(Path target, Existing existing) throws IOException {
    if (existing == Existing.REFUSE) {
      requireEmpty(target);
    }
    return new QlibStoreWriter(StagedFolder.create(target), existing);
  }

  private static void requireEmpty(Path target) throws IOException {
    if (!Files.exists(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw new DataException(target.toString(), "a folder or nothing", "a file");
    }
    try (Stream<Path> entries = Files.list(target)) {
      if (entries.findAny().isPresent()) {
        throw new DataException(target.toString(), "a new or empty folder", "a folder in use");
      }
    }
  }

  @Override
  public void write(BarSeries series) throws IOException {
    requireSameShape(series);
    String code = series.instrument();
    if (!folders.add(StoreLayout.folderName(code))) {
      throw new DataException("instrument " + code, "each code once, ignoring case", "twice");
    }
    int first = 0;
    int end = series.size();
    while (first < end && series.isMissing(first)) {
      first++;
    }
    while (end > first && series.isMissing(end - 1)) {
      end--;
    }
    if (first == end) {
      return;
    }
    Calendar calendar = series.calendar();
    int bar = series.firstBar() + first;
    Files.createDirectories(layout.features(code));
    int bytes = Math.multiplyExact(1 + end - first, Float.BYTES);
    if (bin.capacity() < bytes) {
      bin = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    for (int field = 0; field < series.fields().size(); field++) {
      FloatBuffer values = bin.clear().limit(bytes).asFloatBuffer();
      values.put(bar);
      series.copy(field, first, end - first, values);
      write(layout.bin(code, series.fields().get(field), calendar.frequency()), bin);
    }
    Span span = new Span(calendar.time(bar), calendar.time(series.firstBar() + end - 1));
    spans.put(code, List.of(span));
  }

  private void requireSameShape(BarSeries series) {
    if (model == null) {
      if (series.calendar().size() > LARGEST_CALENDAR) {
        throw new DataException(
            "calendar",
            "at most %d bars, which a bin file can count".formatted(LARGEST_CALENDAR),
            series.calendar().size());
      }
      model = series;
    }
    if (!series.calendar().equals(model.calendar()) || !series.fields().equals(model.fields())) {
      throw new IllegalArgumentException(
          "series must share calendar and fields with %s, was %s with other ones"
              .formatted(model.instrument(), series.instrument()));
    }
  }

  @Override
  public void record(String instrument, Session session) {
    sessions.put(instrument, session);
  }

  @Override
  public void commit() throws IOException {
    if (committed || model == null) {
      throw new IllegalStateException(
          committed ? "store must be committed once, was twice" : "store must not be empty, was");
    }
    Calendar calendar = model.calendar();
    if (existing == Existing.REFUSE) {
      requireEmpty(staged.target());
    } else if (existing == Existing.MERGE && Files.exists(staged.target())) {
      merge(calendar.frequency());
    }
    Files.createDirectories(layout.calendars());
    Files.createDirectories(layout.instruments());
    Files.createDirectories(layout.features());
    write(layout.calendar(calendar.frequency(), false), calendarText(calendar));
    write(layout.instruments("all"), instrumentsText());
    if (!sessions.isEmpty() && !calendar.frequency().isDay()) {
      write(
          layout.sessions(calendar.frequency()),
          StandardCharsets.UTF_8.encode(StoreSessions.text(sessions)));
    }
    staged.commit();
    committed = true;
  }

  @Override
  public void close() throws IOException {
    if (!committed) {
      staged.close();
    }
  }

  /// Links the target's files of other bar widths.
  private void merge(Frequency frequency) throws IOException {
    Path target = staged.target();
    var old = new StoreLayout(target);
    Path instruments = old.instruments("all");
    if (Files.exists(instruments)) {
      var listed = new LinkedHashMap<>(StoreInstruments.read(instruments));
      spans.forEach((code, added) -> listed.merge(code, added, QlibStoreWriter::union));
      spans.clear(); // the target's order first, then what is new
      spans.putAll(listed);
    }
    Set<Path> replaced =
        Set.of(
            instruments,
            old.calendar(frequency, false),
            old.calendar(frequency, true),
            old.sessions(frequency));
    String suffix = StoreLayout.suffix(frequency);
    try (Stream<Path> files = Files.walk(target)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path copy = staged.folder().resolve(target.relativize(file));
        boolean ours = file.startsWith(old.features()) && file.toString().endsWith(suffix);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
          Files.createDirectories(copy);
        } else if (!ours && !replaced.contains(file)) {
          link(file, copy);
        }
      }
    }
  }

  private static void link(Path file, Path copy) throws IOException {
    try {
      Files.createLink(copy, file);
    } catch (UnsupportedOperationException | FileSystemException _) {
      Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS); // another file system, or no links at all
    }
  }

  private static List<Span> union(List<Span> one, List<Span> two) {
    var all = new ArrayList<>(one);
    all.addAll(two);
    all.sort(Comparator.comparingLong(Span::start));
    var merged = new ArrayList<Span>();
    for (Span span : all) {
      if (!merged.isEmpty() && span.start() <= merged.getLast().end()) {
        Span last = merged.removeLast();
        merged.add(new Span(last.start(), Math.max(last.end(), span.end())));
      } else {
        merged.add(span);
      }
    }
    return List.copyOf(merged);
  }

  private static ByteBuffer calendarText(Calendar calendar) {
    var text = new StringBuilder();
    String date = "";
    long tomorrow = Long.MIN_VALUE;
    for (int i = 0; i < calendar.size(); i++) {
      long time = calendar.time(i);
      if (calendar.frequency().isDay()) {
        text.append(StoreInstruments.format(time)).append('\n');
        continue;
      }
      if (time >= tomorrow) {
        date = BarTime.date(time) + " ";
        tomorrow = BarTime.of(BarTime.date(time)) + BarTime.SECONDS_A_DAY;
      }
      text.append(date);
      BarTime.appendTimeOfDay(time, text);
      text.append('\n');
    }
    return StandardCharsets.UTF_8.encode(text.toString());
  }

  private ByteBuffer instrumentsText() {
    var text = new StringBuilder();
    spans.forEach(
        (code, list) -> {
          for (Span span : list) {
            text.append(code).append('\t').append(StoreInstruments.format(span.start()));
            text.append('\t').append(StoreInstruments.format(span.end())).append('\n');
          }
        });
    return StandardCharsets.UTF_8.encode(text.toString());
  }

  /// Writes without forcing: the commit forces all files together.
  private static void write(Path file, ByteBuffer bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }
}
