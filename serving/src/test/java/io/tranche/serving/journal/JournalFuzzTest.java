package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.serving.Answer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.engine.TestService;
import io.tranche.serving.ledger.Ledger;
import io.tranche.testkit.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Damaged journals are either refused with file and offset, or read up to an unfinished tail.
class JournalFuzzTest {

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
            List.of(),
            List.of(new Request.Switch(Request.Scope.ALL, null, true)),
            new TreeMap<>(Map.of("m@1", "ab")),
            new Event.Routed(new Route("m@1", "n@1", 0.5, List.of("s@1")), "o@1", "because"),
            Map.of("B", LocalDate.of(2020, 1, 1))),
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
        new Event.OrderOpened(DAY, TestService.order("a", "A", 100), "m@1", 30, 8, false),
        new Event.Decided(DAY, child, 100),
        new Event.Decided(
            DAY, new Answer.Child("a", 1, 0, 1.5, Answer.Source.KILL_SWITCH, "slice"), 100),
        new Event.Filled(DAY, new Request.Fill("a", "f", 0, 1, 10), true),
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
            true));

    for (Event event : all) {
      assertThat(EventCodec.read(EventCodec.write(event))).isEqualTo(event);
    }
  }

  @Test
  void damagedEventsAreRefusedInWords() {
    List<byte[]> originals = samples().stream().map(EventCodec::write).toList();
    Cases.forAll(
        Cases.count(5_000, 100_000),
        random -> {
          byte[] bytes = damage(originals.get(random.nextInt(originals.size())).clone(), random);
          try {
            EventCodec.read(bytes);
          } catch (IOException e) {
            assertThat(e).isNotNull();
          }
        });
  }

  @Test
  void damagedJournalsAreRefusedOrCut() throws IOException {
    byte[] original = journal();
    Path file = Segment.file(Files.createDirectories(folder), 1);
    Cases.forAll(
        Cases.count(1_000, 100_000),
        random -> {
          try {
            Files.write(file, damage(original.clone(), random));
            var ledger = new Ledger(TestService.config(folder));
            Recovery read = Recovery.read(folder, new ServiceState(), ledger::replay);
            assertThat(read.sequence()).isLessThanOrEqualTo(samples().size());
          } catch (DataException e) {
            assertThat(e).hasMessageContaining(folder.toString());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static byte[] journal() throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(Segment.header(1, 1));
    long sequence = 0;
    for (Event event : samples()) {
      bytes.write(JournalRecord.write(sequence + 1, sequence, EventCodec.write(event)));
      sequence++;
    }
    return bytes.toByteArray();
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
