package io.tranche.serving.journal;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
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
/// @param ends the segments that are still needed, and the last one
/// @param sequence the sequence number of the last event; 0 for none
/// @param lastHash the SHA-256 of the last segment
/// @param events the number of events read
/// @param cutBytes the length of the unfinished tail that was cut; 0 for none
/// @param cutFile the name of the file it was cut from
public record Recovery(
    long lastSegment,
    long lastSize,
    String lastHash,
    Map<Long, Event.SegmentEnd> ends,
    long sequence,
    Map<Long, Set<Event.DayKey>> daysBySegment,
    long events,
    long cutBytes,
    @Nullable String cutFile) {

  /// Reads all segments that are needed, cuts an unfinished tail, and archives the other segments.
  ///
  /// @param ledger applies an event of a day and returns whether the day is known
  /// @param feed gets what was read
  /// @throws DataException with file and offset if anything is damaged or missing
  public static Recovery read(
      Path folder, ServiceState serviceState, Predicate<Event.OfDay> ledger, EventFeed feed) {
    try {
      return new Reader(folder, serviceState, ledger, feed).read();
    } catch (IOException e) {
      throw DataException.unwritable(folder, e);
    }
  }

  static Recovery read(Path folder, ServiceState serviceState, Predicate<Event.OfDay> ledger) {
    return read(folder, serviceState, ledger, new EventFeed());
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
    private final Path folder;
    private final ServiceState serviceState;
    private final Predicate<Event.OfDay> ledger;
    private final EventFeed feed;
    private final Map<Long, Set<Event.DayKey>> daysBySegment = new HashMap<>();
    private final Map<Long, Event.SegmentEnd> ends = new HashMap<>();

    /// Days that began in an archived segment. They must end later in the journal.
    private final Set<Event.DayKey> headless = new HashSet<>();

    /// The newest files whose heading is incomplete: nothing in them was ever acknowledged.
    private final List<Path> torn = new ArrayList<>();

    private long previous;
    private long sequence;
    private long events;

    Reader(Path folder, ServiceState serviceState, Predicate<Event.OfDay> ledger, EventFeed feed) {
      this.feed = feed;
      this.folder = folder;
      this.serviceState = serviceState;
      this.ledger = ledger;
    }

    Recovery read() throws IOException {
      long acknowledged = AcknowledgedMark.read(folder);
      NavigableMap<Long, Path> files = segments(folder);
      Segment last = last(files, acknowledged);
      if (last != null) {
        for (Segment older : older(files, last.heading().segments())) {
          replay(older);
        }
        replay(last);
      }
      if (sequence < acknowledged) {
        String where =
            last == null ? folder.toString() : "%s at %d".formatted(last.file(), last.size());
        throw new DataException(
            where,
            "records up to %d, which were acknowledged".formatted(acknowledged),
            "%d; the files are incomplete".formatted(sequence));
      }
      if (!headless.isEmpty()) {
        throw new DataException(folder.toString(), "the start of each day", "none for " + headless);
      }
      // Everything is readable, so the files may be changed.
      for (Path each : torn) {
        Files.delete(each);
      }
      if (last == null) {
        return new Recovery(0, 0, Segment.Header.NONE, Map.of(), 0, Map.of(), 0, 0, null);
      }
      if (last.cut() > 0) {
        cut(last);
      }
      for (var each : files.headMap(last.number()).entrySet()) {
        if (!ends.containsKey(each.getKey())) {
          SegmentArchive.add(folder, each.getValue());
        }
      }
      String cutFile = last.cut() > 0 ? last.file().getFileName().toString() : null;
      return new Recovery(
          last.number(),
          last.size(),
          last.hash(),
          ends,
          sequence,
          daysBySegment,
          events,
          last.cut(),
          cutFile);
    }

    /// Returns the newest segment whose heading is complete, or null.
    private @Nullable Segment last(NavigableMap<Long, Path> files, long acknowledged) {
      Event.SegmentEnd required = null;
      while (!files.isEmpty()) {
        var newest = files.lastEntry();
        Segment last = Segment.read(newest.getValue(), newest.getKey(), true, acknowledged);
        if (last != null) {
          if (!torn.isEmpty() && last.cut() > 0) {
            // The next file was begun only after everything in this one was durable.
            throw new DataException(
                "%s at %d".formatted(last.file(), last.size()),
                "a complete segment, because the next one was begun",
                "damage in the middle of the journal");
          }
          if (required != null) {
            requireEnd(last, required);
          }
          return last;
        }
        Segment.Header header = Segment.header(newest.getValue(), newest.getKey());
        required =
            header == null || header.previousLength() == 0
                ? null
                : new Event.SegmentEnd(
                    header.number() - 1, header.first() - 1, header.previousLength());
        torn.add(newest.getValue());
        files.pollLastEntry();
      }
      return null;
    }

    private List<Segment> older(NavigableMap<Long, Path> files, List<Event.SegmentEnd> needed) {
      var segments = new ArrayList<Segment>();
      for (Event.SegmentEnd each :
          needed.stream().sorted(Comparator.comparingLong(Event.SegmentEnd::number)).toList()) {
        Path file = files.get(each.number());
        Segment segment = file == null ? null : Segment.read(file, each.number(), false, 0);
        if (segment == null) {
          throw new DataException(
              folder.toString(),
              Segment.file(folder, each.number()).getFileName().toString(),
              "nothing there");
        }
        requireEnd(segment, each);
        segments.add(segment);
      }
      return segments;
    }

    private static void requireEnd(Segment segment, Event.SegmentEnd required) {
      if (required.isKnown() && !segment.end().equals(required)) {
        throw new DataException(
            "%s at %d".formatted(segment.file(), Math.min(segment.size(), required.length())),
            "%d bytes up to record %d".formatted(required.length(), required.last()),
            "%d bytes up to record %d".formatted(segment.size(), segment.end().last()));
      }
    }

    private void replay(Segment segment) {
      long first = segment.header().first();
      if (first <= sequence || (segment.number() == previous + 1 && first != sequence + 1)) {
        throw new DataException(
            "%s at %d".formatted(segment.file(), segment.header().length()),
            "a record after " + sequence,
            first);
      }
      if (segment.number() != previous + 1) {
        feed.startAfter(first - 1); // those before it are archived
      }
      for (Segment.Entry entry : segment.entries()) {
        JournalRecord record = entry.record();
        feed.add(
            segment.number(), record.sequence(), record.micros(), record.caller(), entry.event());
        try {
          serviceState.apply(entry.event());
          if (entry.event() instanceof Event.OfDay event) {
            replay(segment.number(), event);
          }
        } catch (IllegalArgumentException | IllegalStateException e) {
          throw new DataException(
              segment.file() + " at " + entry.offset(),
              "an event that fits those before it",
              e.getMessage(),
              e);
        }
        events++;
      }
      ends.put(segment.number(), segment.end());
      previous = segment.number();
      sequence = segment.end().last();
      feed.advance(sequence);
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
