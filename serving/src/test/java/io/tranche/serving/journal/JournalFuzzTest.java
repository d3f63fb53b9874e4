package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Counters;
import io.tranche.serving.Limit;
import io.tranche.serving.Observer;
import io.tranche.serving.Phase;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import io.tranche.serving.Route;
import io.tranche.serving.engine.TestService;
import io.tranche.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged journals are either refused with file and offset, or read up to an unfinished tail.
class JournalFuzzTest {

  private static final Request.SetLimits LIMITS =
      new Request.SetLimits(
          Request.Scope.ACCOUNT, "desk", RiskLimits.of(Limit.NET_VALUE, 0).with(Limit.LOT, 100));

  private static final Event.DayKey DAY = new Event.DayKey("A", TestService.DATE);

  @TempDir Path folder;

  private static List<Event> samples() {
    var child = new Answer.Child("a", 0, 10, null, Answer.Source.MODEL, null);
    var earlier =
        new Request.EarlierDay(
            TestService.DATE.minusDays(1),
            List.of(
                new Request.Bar(
                    "A",
                    TestService.DATE.minusDays(1),
                    TestService.time(0).minusDays(1),
                    List.of("close"),
                    List.of(1f))));
    return List.of(
        new Event.Heading(
            List.of(new Event.SegmentEnd(1, 20, 300)),
            List.of(new Request.Switch(Request.Scope.ALL, null, true)),
            new TreeMap<>(Map.of("m@1", "ab")),
            new Event.Routed(new Route("m@1", "n@1", 0.5, List.of("s@1")), "o@1", "because"),
            Map.of("B", LocalDate.of(2020, 1, 1)),
            List.of(LIMITS),
            List.of(new Request.Fill("u", "f", 1, 10)),
            Map.of("desk", 5)),
        new Event.DayOpened(DAY, List.of(earlier), Request.Hours.USUAL),
        new Event.DayOpened(
            new Event.DayKey("H", TestService.DATE),
            List.of(
                new Request.EarlierDay(
                    TestService.DATE.minusDays(1),
                    List.of(),
                    new Request.Hours(TestService.DATE.minusDays(4), 100))),
            new Request.Hours(null, 120)),
        new Event.BarTaken(
            DAY,
            List.of("close", "volume"),
            io.tranche.market.BarTime.of(TestService.time(0)),
            BarValues.of(List.of(1f, Float.NaN))),
        new Event.OrderOpened(
            DAY,
            TestService.order("a", "A", 100),
            "m@1",
            30,
            8,
            false,
            "ab12",
            "1min 09:30-15:00",
            true),
        new Event.OrderOpened(
            DAY,
            new Request.OpenOrder(
                    "r",
                    "A",
                    TestService.DATE,
                    io.tranche.market.Side.BUY,
                    5,
                    TestService.time(0),
                    TestService.time(9),
                    null,
                    "desk")
                .withReplaces("a"),
            "m@1",
            30,
            8,
            false,
            "ab12",
            "1min 09:30-15:00",
            true),
        new Event.Decided(DAY, child, 100, 120, 7, 10.5),
        new Event.Decided(
            DAY,
            new Answer.Child("a", 1, 0, 1.5, Answer.Source.KILL_SWITCH, "slice", 10.0, 10.01),
            100,
            3,
            8,
            Double.NaN),
        new Event.Filled(DAY, new Request.Fill("a", "f", 0, 1, 10), true),
        new Event.Reported(DAY, new Request.Report("a", 0, Phase.DONE)),
        new Event.Amended(DAY, "a", 200, TestService.time(60)),
        new Event.FillCorrected(DAY, new Request.CorrectFill("a", "f", 0, 10)),
        new Event.BarCorrected(
            DAY,
            io.tranche.market.BarTime.of(TestService.time(0)),
            BarValues.of(List.of(2f, Float.NaN))),
        new Event.Referenced(DAY, 9.5),
        new Event.Halted(DAY, true),
        new Event.LimitsSet(LIMITS),
        new Event.Started(List.of(LIMITS), "Asia/Shanghai"),
        new Event.Unmatched(new Request.Fill("u", "f", 3, 1, 10)),
        new Event.HeartbeatSet("desk", 5),
        new Event.Cancelled(DAY, "a"),
        new Event.Switched(new Request.Switch(Request.Scope.MODEL, "m@1", true)),
        new Event.ModelLoaded("m@2", "cd"),
        new Event.ModelUnloaded("m@2"),
        new Event.Routed(Route.to("m@1"), null, null),
        new Event.DayEnded(DAY));
  }

  @Test
  void everyEventIsReadAsItWasWritten() throws IOException {
    var all = new ArrayList<>(samples());
    all.add(new Event.Filled(DAY, new Request.Fill("a", "f", 1, 10), false));
    all.add(new Event.Filled(DAY, new Request.Fill("a", "f", 0, 1, 10), true));
    all.add(
        new Event.OrderOpened(
            DAY,
            new Request.OpenOrder(
                "b",
                "A",
                TestService.DATE,
                Side.BUY,
                1,
                TestService.time(0),
                TestService.time(9),
                "m@1"),
            "m@1",
            1,
            1,
            true,
            "",
            "",
            false));

    for (Event event : all) {
      assertThat(EventCodec.read(EventCodec.write(event))).isEqualTo(event);
    }
  }

  @Test
  void damagedEventsAreRefusedInWords() {
    List<byte[]> originals = samples().stream().map(EventCodec::write).toList();
    var read = new AtomicInteger();
    var refused = new AtomicInteger();
    Cases.forAll(
        Cases.count(5_000, 100_000),
        random -> {
          byte[] bytes = damage(originals.get(random.nextInt(originals.size())).clone(), random);
          try {
            Event event = EventCodec.read(bytes);
            // What is read is a whole event, which can be written and read again.
            assertThat(EventCodec.write(EventCodec.read(EventCodec.write(event))))
                .isEqualTo(EventCodec.write(event));
            read.incrementAndGet();
          } catch (EOFException e) {
            refused.incrementAndGet(); // the reader of segments has the words for it
          } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("Exception");
            refused.incrementAndGet();
          }
        });
    assertThat(read).hasPositiveValue();
    assertThat(refused).hasPositiveValue();
  }

  /// The files of a journal in several segments, written by group commits.
  private static Map<Path, byte[]> journal(Path folder) throws IOException {
    var config = TestService.config(folder);
    Files.createDirectories(config.journal());
    var state = new ServiceState();
    Recovery empty = Recovery.read(config.journal(), state, _ -> true);
    var counters = new Counters();
    try (var journal =
        new Journal(
            config,
            JournalFuzzTest::slow,
            empty,
            state,
            counters,
            new EventFeed(),
            Observer.NONE,
            InstantSource.system(),
            false)) {
      for (int i = 0; i < 40; i++) {
        String name = "I" + i % 7;
        var day = new Event.DayKey(name, TestService.DATE);
        journal.append(
            i < 7
                ? new Event.DayOpened(day, List.of(), Request.Hours.USUAL)
                : new Event.Cancelled(day, "o" + i));
        journal.rollAt(900);
      }
    }
    assertThat(counters.journalForces.sum()).isLessThan(35);
    var files = new TreeMap<Path, byte[]>();
    for (Path each : Recovery.segments(config.journal()).values()) {
      files.put(each, Files.readAllBytes(each));
    }
    assertThat(files).hasSizeGreaterThan(3);
    return files;
  }

  private static JournalFile slow(Path path) throws IOException {
    return new ForwardingFile(JournalFile.open(path)) {
      @Override
      public void force() throws IOException {
        LockSupport.parkNanos(500_000); // so that events gather
        super.force();
      }
    };
  }

  /// In memory where there is such a folder: on a disk the files take nearly all of the time.
  @Test
  void aDamagedFileIsRefusedOrLosesNothing() throws IOException {
    Path memory = Path.of("/dev/shm");
    if (!Files.isWritable(memory)) {
      damagedFilesAreRefusedOrLoseNothing(folder);
      return;
    }
    Path fast = Files.createTempDirectory(memory, "tranche-fuzz-");
    try {
      damagedFilesAreRefusedOrLoseNothing(fast);
    } finally {
      deleteAll(fast);
    }
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static void damagedFilesAreRefusedOrLoseNothing(Path folder) throws IOException {
    Path journal = folder.resolve("journal");
    Map<Path, byte[]> files = journal(folder);
    Path mark = journal.resolve(AcknowledgedMark.NAME);
    byte[] marked = Files.readAllBytes(mark);
    long all = Recovery.read(journal, new ServiceState(), _ -> true).sequence();
    assertThat(AcknowledgedMark.read(journal)).isEqualTo(all);
    files.put(mark, marked);
    var paths = List.copyOf(files.keySet());
    var refused = new AtomicInteger();
    var damaged = new HashSet<Path>();
    Cases.forAll(
        Cases.count(2_000, 100_000),
        random -> {
          Path file = paths.get(random.nextInt(paths.size()));
          damaged.add(file);
          try {
            restore(files);
            Cases.write(file, damage(Objects.requireNonNull(files.get(file)).clone(), random));
            Recovery read = Recovery.read(journal, new ServiceState(), _ -> true);
            assertThat(read.sequence()).as("after damage of " + file).isEqualTo(all);
          } catch (DataException e) {
            refused.incrementAndGet();
            assertThat(e).hasMessageContaining(".journal at ");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    assertThat(refused.get()).isPositive();
    assertThat(damaged).as("every file is damaged").hasSameSizeAs(paths);
  }

  /// Writes only what reading has changed or moved: writing everything takes most of the time.
  private static void restore(Map<Path, byte[]> files) throws IOException {
    for (var each : files.entrySet()) {
      if (Files.notExists(each.getKey())
          || !Arrays.equals(Files.readAllBytes(each.getKey()), each.getValue())) {
        Cases.write(each.getKey(), each.getValue());
      }
    }
  }

  /// Ended days of instruments that never come back are forgotten, oldest first.
  @Test
  void aHeadingStaysReadableHoweverManyInstrumentsThereWere() throws IOException {
    var config = TestService.config(folder);
    Files.createDirectories(config.journal());
    var state = new ServiceState();
    Recovery empty = Recovery.read(config.journal(), state, _ -> true);
    String suffix = "x".repeat(400);
    try (var journal =
        new Journal(
            config,
            JournalFile::open,
            empty,
            state,
            new Counters(),
            new EventFeed(),
            Observer.NONE,
            InstantSource.system(),
            false)) {
      for (int i = 0; i < 120_000; i++) {
        var day = new Event.DayKey(i + suffix, TestService.DATE.plusDays(i / 10_000));
        journal.append(new Event.DayEnded(day));
      }
      journal.rollAt(1);
    }
    var read = new ServiceState();
    Recovery.read(config.journal(), read, _ -> true);

    Event.Heading heading = read.heading(List.of());
    assertThat(EventCodec.write(heading).length).isLessThan(JournalRecord.MAX_PAYLOAD);
    assertThat(heading.ended()).hasSizeBetween(10_000, 100_000);
    assertThat(read.hasEnded(new Event.DayKey(119_999 + suffix, TestService.DATE))).isTrue();
    assertThat(read.hasEnded(new Event.DayKey(0 + suffix, TestService.DATE))).isFalse();
  }

  /// Three records of one group commit, then two that were acknowledged one by one.
  @Test
  void aFlippedBitInAGroupCommitIsRefused() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(new Segment.Header(1, 1, 0, Segment.Header.NONE).bytes());
    long[] durable = {0, 1, 1, 1, 4, 5};
    int[] ends = new int[durable.length];
    for (int i = 0; i < durable.length; i++) {
      Event event =
          i == 0 ? new ServiceState().heading(List.of()) : new Event.ModelLoaded("m" + i, "ab");
      bytes.write(
          JournalRecord.write(i + 1, durable[i], 1, new byte[] {'c'}, EventCodec.write(event)));
      ends[i] = bytes.size();
    }
    Path file = Segment.file(Files.createDirectories(folder), 1);
    for (int at = ends[0]; at < ends[3]; at++) {
      byte[] damaged = bytes.toByteArray();
      damaged[at] ^= 4;
      Cases.write(file, damaged);
      assertThatThrownBy(() -> Recovery.read(folder, new ServiceState(), _ -> true))
          .isInstanceOf(DataException.class)
          .hasMessageContaining(file + " at ")
          .hasMessageContaining("damage in the middle");
    }
    byte[] torn = bytes.toByteArray();
    torn[ends[4] + 3] ^= 4; // the last record, which nothing later calls durable
    Cases.write(file, torn);
    assertThat(Recovery.read(folder, new ServiceState(), _ -> true).sequence()).isEqualTo(5);
  }

  private static byte[] damage(byte[] bytes, SplittableRandom random) {
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(3)) {
        case 0 -> bytes[at] = (byte) random.nextInt();
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        default -> {
          int length = Math.min(random.nextInt(1, 9), bytes.length - at);
          Arrays.fill(bytes, at, at + length, (byte) (random.nextBoolean() ? 0xff : 0x7f));
        }
      }
    }
    return random.nextInt(4) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
  }
}
