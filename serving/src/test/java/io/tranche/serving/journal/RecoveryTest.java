package io.tranche.serving.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.engine.TestService;
import io.tranche.serving.ledger.Ledger;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Heap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A journal that is cut anywhere still has every acknowledged change, and none of them twice.
class RecoveryTest {

  private static final long MAX_GROWTH = 8 << 20;

  @TempDir Path folder;

  /// A request, its answer, and the length of the journal at that time.
  private record Said(Request request, Answer answer, long size) {}

  private List<Said> talk(Path where) throws IOException {
    var said = new ArrayList<Said>();
    try (var service = TestService.open(where)) {
      Path file = newest(where);
      var requests = new ArrayList<Request>();
      requests.add(TestService.order("a", "A", 1_000));
      requests.add(TestService.order("b", "B", 500));
      requests.add(new Request.Switch(Request.Scope.INSTRUMENT, "B", true));
      for (int tick = 0; tick < 70; tick += 10) {
        requests.add(TestService.bar("A", tick));
        requests.add(TestService.bar("B", tick));
        if (tick % 30 == 0) {
          requests.add(new Request.Decide("a", tick / 30, TestService.PATIENT));
          requests.add(new Request.Decide("b", tick / 30, TestService.PATIENT));
          requests.add(new Request.Fill("a", "f" + tick, 1, 10));
        }
      }
      requests.add(new Request.Cancel("b"));
      for (Request request : requests) {
        Answer answer = service.ask(request);
        said.add(new Said(request, answer, Files.size(file)));
      }
    }
    return said;
  }

  private static Path newest(Path where) throws IOException {
    return Recovery.segments(where.resolve("journal")).lastEntry().getValue();
  }

  private static List<Event> recover(Path journal) {
    var events = new ArrayList<Event>();
    var ledger = new Ledger(TestService.config(journal));
    Recovery.read(
        journal,
        new ServiceState(),
        event -> {
          events.add(event);
          return ledger.replay(event) != null;
        });
    return events;
  }

  @Test
  void everyPrefixHasWhatWasAcknowledged() throws IOException {
    Path original = folder.resolve("original");
    List<Said> said = talk(original);
    byte[] bytes = Files.readAllBytes(newest(original));
    List<Event> all =
        Records.events(original.resolve("journal")).stream()
            .filter(Event.OfDay.class::isInstance)
            .toList();
    Path copy = Files.createDirectories(folder.resolve("copy"));
    Path file = Segment.file(copy, 1);
    int step = Cases.count(7, 1);

    for (int length = 0; length <= bytes.length; length += step) {
      Files.write(file, java.util.Arrays.copyOf(bytes, length));
      List<Event> events = recover(copy);

      assertThat(events).isEqualTo(all.subList(0, events.size()));
      int cut = length;
      long acknowledged =
          said.stream()
              .filter(each -> each.size() <= cut)
              .filter(each -> all.stream().anyMatch(event -> tells(event, each)))
              .count();
      assertThat(
              said.stream()
                  .filter(each -> events.stream().anyMatch(event -> tells(event, each)))
                  .count())
          .isGreaterThanOrEqualTo(acknowledged);
    }
  }

  private static boolean tells(Event event, Said said) {
    return switch (event) {
      case Event.OrderOpened opened -> opened.request().equals(said.request());
      case Event.Decided(_, var child, _, _, _, _) -> child.equals(said.answer());
      case Event.Filled(_, var fill, _) -> fill.equals(said.request());
      case Event.Cancelled(_, var id) -> said.request().equals(new Request.Cancel(id));
      case Event.BarTaken bar ->
          said.request() instanceof Request.Bar sent
              && sent.instrument().equals(bar.day().instrument())
              && BarValues.of(sent.values()).equals(bar.values());
      default -> false;
    };
  }

  @Test
  void aClientThatAsksAgainEndsWhereItWouldHave() throws IOException {
    Path original = folder.resolve("original");
    List<Said> said = talk(original);
    byte[] bytes = Files.readAllBytes(newest(original));
    var random = new SplittableRandom(1);

    for (int i = 0; i < Cases.count(6, 60); i++) {
      Path copy = folder.resolve("copy" + i);
      Files.createDirectories(copy.resolve("models"));
      Files.createDirectories(copy.resolve("journal"));
      String bundle = "models/" + TestService.MODEL + ".tranche";
      Files.copy(original.resolve(bundle), copy.resolve(bundle));
      Files.write(
          Segment.file(copy.resolve("journal"), 1),
          java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)));
      try (var service = TestService.open(copy)) {
        for (Said each : said) {
          Answer again = service.ask(each.request());
          if (each.answer() instanceof Answer.Child) {
            assertThat(again).isEqualTo(each.answer());
          }
        }
        Records.assertFaithful(service, copy.resolve("journal"));
      }
    }
  }

  @Test
  void aTornTailIsCutAndNamed() throws IOException {
    talk(folder);
    Path file = newest(folder);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 3));
    Files.delete(mark(folder)); // a power cut may leave no mark

    try (var service = TestService.open(folder)) {
      assertThat(service.notices)
          .anyMatch(
              notice ->
                  notice.kind() == Observer.Kind.TAIL_CUT
                      && notice.subject().equals(file.getFileName().toString()));
      assertThat(service.look("b").status().isFinal()).isFalse(); // the last was its end
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.notices).noneMatch(notice -> notice.kind() == Observer.Kind.TAIL_CUT);
    }
  }

  private static Path mark(Path where) {
    return where.resolve("journal").resolve(AcknowledgedMark.NAME);
  }

  @Test
  void aTailThatIsLostAfterACleanStopIsRefused() throws IOException {
    talk(folder);
    Path file = newest(folder);
    byte[] bytes = Files.readAllBytes(file);
    for (int length : List.of(bytes.length - 1, bytes.length / 2, Segment.HEADER, 3, 0)) {
      Files.write(file, java.util.Arrays.copyOf(bytes, length));

      assertThatThrownBy(() -> TestService.open(folder))
          .isInstanceOf(DataException.class)
          .hasMessageContaining(folder.resolve("journal").toString());
    }
    Files.delete(file);
    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("which were acknowledged, was 0");

    Files.write(file, bytes);
    TestService.open(folder).close();
  }

  @Test
  void aShortenedOlderSegmentIsRefused() throws IOException {
    talk(folder);
    Path first = newest(folder);
    TestService.open(folder).close();
    byte[] bytes = Files.readAllBytes(first);
    Segment segment = segment(first);
    for (Segment.Entry entry : segment.entries().subList(1, segment.entries().size())) {
      Files.write(first, java.util.Arrays.copyOf(bytes, (int) entry.offset()));

      assertThatThrownBy(() -> TestService.open(folder))
          .isInstanceOf(DataException.class)
          .hasMessageContaining("%s at %d".formatted(first, entry.offset()))
          .hasMessageContaining("expected %d bytes".formatted(bytes.length));
    }
  }

  /// The segment after this one was begun, so this one had been durable.
  @Test
  void aSegmentBeforeATornOneMustBeComplete() throws IOException {
    talk(folder);
    Path first = newest(folder);
    TestService.open(folder).close();
    Path second = newest(folder);
    Files.delete(mark(folder));
    byte[] bytes = Files.readAllBytes(first);
    Files.write(second, java.util.Arrays.copyOf(Files.readAllBytes(second), Segment.HEADER + 5));
    Files.write(first, java.util.Arrays.copyOf(bytes, bytes.length - 1));
    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(first + " at ");

    Segment segment = segment(first);
    Files.write(first, java.util.Arrays.copyOf(bytes, (int) segment.size()));
    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("expected %d bytes".formatted(bytes.length));

    Files.write(first, bytes);
    TestService.open(folder).close();
  }

  @Test
  void aJournalOfTheLastVersionOpens() throws Exception {
    Path journal = Files.createDirectories(folder.resolve("journal"));
    for (int number = 1; number <= 3; number++) {
      String name = Segment.file(journal, number).getFileName().toString();
      try (var in = getClass().getResourceAsStream("version-1/" + name)) {
        Files.write(journal.resolve(name), Objects.requireNonNull(in).readAllBytes());
      }
    }
    byte[] shortened = Files.readAllBytes(Segment.file(journal, 1));
    Answer.OrderState before;
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.openOrders()).isEqualTo(2);
      before = service.look("a");
      assertThat(before.amount()).isEqualTo(1_000);
      assertThat(before.remaining()).isLessThan(1_000).isPositive();
      assertThat(before.nextStep()).isEqualTo(2);
      assertThat(service.look("b").remaining()).isEqualTo(500);
      assertThat(service.engine.switchedOff()).hasSize(1);
      service.bars("A", 31, 40);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("a").remaining()).isEqualTo(before.remaining());
    }
    Files.write(
        Segment.file(journal, 1),
        java.util.Arrays.copyOf(shortened, (int) offsetOfLast(Segment.file(journal, 1))));
    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining("0000000001.journal at ");
  }

  private static Segment segment(Path file) {
    return Objects.requireNonNull(Segment.read(file, 1, true, 0), "complete");
  }

  private static long offsetOfLast(Path file) {
    return segment(file).entries().getLast().offset();
  }

  @Test
  void aJournalOfANewerVersionIsRefusedByVersion() throws IOException {
    talk(folder);
    Path file = newest(folder);
    byte[] bytes = Files.readAllBytes(file);
    bytes[7] = 3;
    Files.write(file, bytes);

    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(file + " at 4: expected a journal of version 1 or 2;")
        .hasMessageEndingWith("was 3");
  }

  @Test
  void archivedFilesStayAsLongAsTheyMust() throws IOException {
    Path journal = Files.createDirectories(folder.resolve("journal"));
    Instant now = Instant.now();
    for (int age = 5; age >= 1; age--) {
      Path file = Files.writeString(Segment.file(journal, 10 - age), "x");
      Files.setLastModifiedTime(file, FileTime.from(now.minus(Duration.ofDays(age))));
      SegmentArchive.add(journal, file);
    }

    SegmentArchive.expire(journal, Duration.ofHours(60));
    assertThat(SegmentArchive.segments(journal).keySet()).containsExactly(8L, 9L);
    SegmentArchive.expire(journal, Duration.ZERO);
    assertThat(SegmentArchive.segments(journal)).isEmpty();
  }

  @Test
  void filesBelongToTheirOwnerAlone() throws IOException {
    talk(folder);
    TestService.open(folder).close();
    try (var files = Files.list(folder.resolve("journal"))) {
      assertThat(files.filter(file -> Files.isRegularFile(file) && !file.endsWith("lock")))
          .hasSize(4)
          .allSatisfy(
              file ->
                  assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                      .isEqualTo("rw-------"));
    }
  }

  @Test
  void damageInTheMiddleIsRefusedByName() throws IOException {
    talk(folder);
    Path file = newest(folder);
    byte[] bytes = Files.readAllBytes(file);
    int at = bytes.length / 2;
    bytes[at] ^= 1;
    Files.write(file, bytes);

    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(file.getFileName() + " at ")
        .hasMessageContaining("damage in the middle");
  }

  @Test
  void aSegmentThatIsGoneIsRefusedByName() throws IOException {
    talk(folder);
    Path first = newest(folder);
    TestService.open(folder).close();
    Files.delete(first);

    assertThatThrownBy(() -> TestService.open(folder))
        .isInstanceOf(DataException.class)
        .hasMessageContaining(first.getFileName().toString());
  }

  @Test
  void twoServicesCannotHaveOneJournal() {
    try (var service = TestService.open(folder)) {
      assertThatThrownBy(() -> TestService.open(folder))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("no other process is working in, was in use by this process");
      service.ask(TestService.order("a", "A", 1_000));
    }
    TestService.open(folder).close();
  }

  @Test
  void daysThatEndAreForgottenAndTheirFilesGo() throws IOException {
    // After so many days the events that are kept for readers are as many as there ever will be.
    int first = Cases.count(9, EventFeed.MOST / 42 - 1);
    var sizes = new TreeMap<Integer, Integer>();
    long growth = 0;
    try (var service = TestService.open(folder)) {
      long before = 0;
      for (int day = 0; day <= first + Cases.count(20, 1_000); day++) {
        var date = TestService.DATE.plusDays(day);
        service.ask(TestService.on(date, TestService.order("o" + day, "A", 100)));
        for (int tick = 0; tick < 40; tick++) {
          service.ask(TestService.on(date, TestService.bar("A", tick)));
        }
        service.decide("o" + day);
        service.state(new Request.Cancel("o" + day)); // a day with open orders must be ended
        if (day % 10 == 9) {
          service.done(new Request.EndDays(null, date.minusDays(1)));
          sizes.put(day, Recovery.segments(folder.resolve("journal")).size());
          assertThat(service.engine.openOrders()).isEqualTo(1);
        }
        if (day == first) {
          before = Heap.used();
        }
      }
      growth = Heap.growthSince(before, MAX_GROWTH);
    }

    assertThat(sizes.values()).allMatch(size -> size <= 3);
    assertThat(growth).as("growth of memory").isLessThan(MAX_GROWTH);
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.openOrders()).isEqualTo(1);
      assertThat(service.refused(TestService.order("late", "A", 100)).message())
          .contains("must not have ended");
    }
  }
}
