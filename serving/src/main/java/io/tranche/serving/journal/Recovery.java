package io.tranche.serving.journal;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The result of reading the journal.
///
/// @param sequence the sequence number of the last event; 0 for none
/// @param events the number of events read
/// @param cutBytes the length of the unfinished tail that was cut; 0 for none
/// @param cutFile the name of the file it was cut from
public record Recovery(
    long lastSegment,
    long lastSize,
    long sequence,
    Map<Long, Set<Event.DayKey>> daysBySegment,
    long events,
    long cutBytes,
    @Nullable String cutFile) {

  /// Reads all segments, cuts an unfinished tail, and deletes segments that are not needed.
  ///
  /// @param ledger applies an event of a day and returns whether the day is known
  /// @throws DataException with file and offset if anything is damaged or missing
  public static Recovery read(
      Path folder, ServiceState serviceState, Predicate<Event.OfDay> ledger) {
    try {
      return new Reader(serviceState, ledger).read(folder);
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  /// Returns the files of the journal by number.
  static NavigableMap<Long, Path> segments(Path folder) throws IOException {
    var files = new TreeMap<Long, Path>();
    try (var list = Files.newDirectoryStream(folder, "*" + Segment.SUFFIX)) {
      for (Path file : list) {
        String name = file.getFileName().toString();
        String number = name.substring(0, name.length() - Segment.SUFFIX.length());
        if (number.matches("[0-9]{10,18}")) {
          files.put(Long.parseLong(number), file);
        }
      }
    }
    return files;
  }

  private static final class Reader {
    private final ServiceState serviceState;
    private final Predicate<Event.OfDay> ledger;
    private final Map<Long, Set<Event.DayKey>> daysBySegment = new HashMap<>();

    /// Days that began in a deleted segment. They must end later in the journal.
    private final Set<Event.DayKey> headless = new HashSet<>();

    private long sequence;
    private long events;

    Reader(ServiceState serviceState, Predicate<Event.OfDay> ledger) {
      this.serviceState = serviceState;
      this.ledger = ledger;
    }

    Recovery read(Path folder) throws IOException {
      NavigableMap<Long, Path> files = segments(folder);
      Segment last = null;
      while (last == null && !files.isEmpty()) {
        var newest = files.lastEntry();
        last = Segment.read(newest.getValue(), newest.getKey(), true);
        if (last == null) {
          Files.delete(newest.getValue()); // nothing in it was ever acknowledged
          files.pollLastEntry();
        }
      }
      if (last == null) {
        return new Recovery(0, 0, 0, Map.of(), 0, 0, null);
      }
      for (Segment older : older(folder, files, last)) {
        replay(older);
      }
      replay(last);
      if (!headless.isEmpty()) {
        throw new DataException(folder.toString(), "the start of each day", "none for " + headless);
      }
      if (last.cut() > 0) {
        cut(last);
      }
      String cutFile = last.cut() > 0 ? last.file().getFileName().toString() : null;
      return new Recovery(
          last.number(), last.size(), sequence, daysBySegment, events, last.cut(), cutFile);
    }

    private static List<Segment> older(Path folder, NavigableMap<Long, Path> files, Segment last)
        throws IOException {
      var needed = ((Event.Heading) last.entries().getFirst().event()).segments();
      var segments = new ArrayList<Segment>();
      for (long number : needed.stream().sorted().toList()) {
        Path file = files.get(number);
        Segment segment = file == null ? null : Segment.read(file, number, false);
        if (segment == null) {
          throw new DataException(
              folder.toString(),
              Segment.file(folder, number).getFileName().toString(),
              "nothing there");
        }
        segments.add(segment);
      }
      for (var each : files.headMap(last.number()).entrySet()) {
        if (!needed.contains(each.getKey())) {
          Files.delete(each.getValue());
        }
      }
      return segments;
    }

    private void replay(Segment segment) {
      for (Segment.Entry entry : segment.entries()) {
        String where = segment.file() + " at " + entry.offset();
        if (entry.sequence() <= sequence) {
          throw new DataException(where, "a record after " + sequence, entry.sequence());
        }
        try {
          serviceState.apply(entry.event());
          if (entry.event() instanceof Event.OfDay event) {
            replay(segment.number(), event);
          }
        } catch (IllegalArgumentException | IllegalStateException e) {
          throw new DataException(where, "an event that fits those before it", e.getMessage(), e);
        }
        sequence = entry.sequence();
        events++;
      }
    }

    private void replay(long segment, Event.OfDay event) {
      boolean isKnown = ledger.test(event);
      if (event instanceof Event.DayEnded(var day)) {
        headless.remove(day);
        daysBySegment.values().forEach(days -> days.remove(day));
      } else {
        daysBySegment.computeIfAbsent(segment, _ -> new HashSet<>()).add(event.day());
        if (!isKnown) {
          headless.add(event.day());
        }
      }
    }

    private static void cut(Segment segment) throws IOException {
      try (var channel = FileChannel.open(segment.file(), StandardOpenOption.WRITE)) {
        channel.truncate(segment.size());
        channel.force(true);
      }
    }
  }
}
