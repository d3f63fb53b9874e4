package io.tranche.serving.journal;

import io.tranche.market.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Everything that a journal and its archive still have. Changes nothing, and may read the journal
/// of a running service.
public final class JournalHistory {

  /// An event with the time and the caller that the journal has for it.
  ///
  /// @param time null if not known, because version 1 did not write it
  /// @param caller empty if not known
  public record Entry(
      long segment, long sequence, @Nullable Instant time, String caller, Event event) {

    /// @param micros the time in microseconds since 1970; 0 if not known
    static Entry of(long segment, long sequence, long micros, String caller, Event event) {
      Instant time =
          micros == 0
              ? null
              : Instant.ofEpochSecond(
                  Math.floorDiv(micros, 1_000_000L), 1_000L * Math.floorMod(micros, 1_000_000));
      return new Entry(segment, sequence, time, caller, event);
    }
  }

  /// What was read.
  ///
  /// @param chained how many segments were compared with the hash that the next one has of them
  /// @param first the number of the first record; 0 for none
  /// @param last the number of the last record; 0 for none
  /// @param tailBytes the length of an unfinished tail, which was never acknowledged
  public record Summary(int segments, int chained, long first, long last, long tailBytes) {}

  private static final ThreadFactory THREADS =
      Thread.ofPlatform().name("journal-read").daemon().factory();

  private final Path folder;
  private final Consumer<List<Entry>> reader;
  private @Nullable Segment previous;
  private int segments;
  private int chained;
  private long first;
  private long last;
  private long tailBytes;

  private JournalHistory(Path folder, Consumer<List<Entry>> reader) {
    this.folder = folder;
    this.reader = reader;
  }

  /// Reads all segments, oldest first, and checks numbers, lengths, hashes and what was
  /// acknowledged.
  ///
  /// @param reader gets the events of one segment after another
  /// @throws DataException with file and offset if anything is damaged or missing
  public static Summary read(Path folder, Consumer<List<Entry>> reader) {
    if (!Files.isDirectory(folder)) {
      throw new DataException(folder.toString(), "the folder of a journal", "no folder");
    }
    try {
      return new JournalHistory(folder, reader).read();
    } catch (IOException e) {
      throw new DataException(folder.toString(), "a readable folder", e.getMessage(), e);
    }
  }

  private Summary read() throws IOException {
    long acknowledged = AcknowledgedMark.read(folder); // first, since a service may be writing
    var files = new TreeMap<>(SegmentArchive.segments(folder));
    files.putAll(Recovery.segments(folder));
    if (files.isEmpty()) {
      throw new DataException(folder.toString(), "the files of a journal", "none");
    }
    try (var thread = Executors.newSingleThreadExecutor(THREADS)) {
      Function<@Nullable Long, CompletableFuture<@Nullable Segment>> ahead =
          number ->
              number == null
                  ? CompletableFuture.completedFuture(null)
                  : CompletableFuture.supplyAsync(
                      () -> segment(number, number.equals(files.lastKey()), acknowledged), thread);
      // One file is read while the one before it is worked on.
      var next = ahead.apply(files.firstKey());
      for (Long number : files.keySet()) {
        Segment segment = read(next);
        next = ahead.apply(files.higherKey(number));
        if (segment == null) {
          tailBytes = Files.size(file(number));
        } else {
          requireFollows(segment);
          read(segment);
        }
      }
    }
    if (last < acknowledged) {
      throw new DataException(
          "%s at %d".formatted(file(files.lastKey()), Files.size(file(files.lastKey()))),
          "records up to %d, which were acknowledged".formatted(acknowledged),
          last);
    }
    return new Summary(segments, chained, first, last, tailBytes);
  }

  private @Nullable Segment segment(long number, boolean isLast, long acknowledged) {
    return Segment.read(file(number), number, isLast, isLast ? acknowledged : 0);
  }

  private static @Nullable Segment read(CompletableFuture<@Nullable Segment> next) {
    try {
      return next.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /// A running service may have archived the file since it was listed.
  private Path file(long number) {
    Path file = Segment.file(folder, number);
    return Files.exists(file) ? file : Segment.file(SegmentArchive.of(folder), number);
  }

  private void requireFollows(Segment segment) {
    Segment before = previous;
    Segment.Header header = segment.header();
    if (before == null) {
      return; // older ones were deleted after the time they had to be kept
    }
    String where = segment.file() + " at 0";
    boolean isNext = header.number() == before.number() + 1;
    if (!isNext && !header.previousHash().isEmpty()) {
      throw new DataException(
          where,
          "segment %d before it".formatted(header.number() - 1),
          "segment " + before.number());
    }
    if (isNext ? header.first() != last + 1 : header.first() <= last) {
      throw new DataException(where, "record %d first".formatted(last + 1), header.first());
    }
    if (isNext && !header.previousHash().isEmpty()) {
      if (header.previousLength() != before.size()
          || !header.previousHash().equals(before.hash())) {
        throw new DataException(
            "%s at %d".formatted(before.file(), Math.min(before.size(), header.previousLength())),
            "%d bytes with the hash %s".formatted(header.previousLength(), header.previousHash()),
            "%d bytes with %s".formatted(before.size(), before.hash()));
      }
      chained++;
    }
  }

  private void read(Segment segment) {
    var entries = new ArrayList<Entry>(segment.entries().size());
    for (Segment.Entry each : segment.entries()) {
      entries.add(each.inHistory(segment.number()));
    }
    reader.accept(entries);
    segments++;
    first = first == 0 ? segment.header().first() : first;
    last = segment.end().last();
    tailBytes = segment.cut();
    previous = segment;
  }
}
