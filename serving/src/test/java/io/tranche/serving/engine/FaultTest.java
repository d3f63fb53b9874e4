package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.BarAnswer;
import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Counters.Fallback;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.journal.Records;
import io.tranche.serving.model.ModelWorker;
import io.tranche.testkit.Cases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Models that stall or fail, and clocks that jump.
class FaultTest {

  private static final ServiceConfig.Bounds SHORT_QUEUE =
      ServiceConfig.Bounds.DEFAULT.withWorkers(2, 4).withStallMicros(60_000_000);

  private static final int ORDERS = Cases.count(20, 200);
  private static final int INSTRUMENTS = 4;

  @TempDir Path folder;

  private final AtomicBoolean isStalled = new AtomicBoolean();
  private final CountDownLatch stall = new CountDownLatch(1);

  /// Blocks the worker while the model is stalled.
  private void stall(String model, String instrument) {
    if (isStalled.get()) {
      Waiting.on(stall);
    }
  }

  /// Returns one of several instruments, so that every worker has some.
  private static String instrument(int order) {
    return "I" + order % INSTRUMENTS;
  }

  private static EngineParts interfering(ModelWorker.Interference interference) {
    return new EngineParts(System::nanoTime, JournalFile::open, interference);
  }

  @Test
  void aStalledModelDelaysNobodyBeyondTheDeadline() throws Exception {
    try (var service =
        TestService.open(folder, UnaryOperator.identity(), interfering(this::stall))) {
      for (int i = 0; i < ORDERS; i++) {
        service.ask(TestService.order("o" + i, instrument(i), 800));
      }
      service.ask(TestService.order("patient", instrument(0), 800));
      for (int i = 0; i < INSTRUMENTS; i++) {
        service.bars(instrument(i), 0, 10);
      }
      isStalled.set(true);

      // The machine and its disk may be busy, so deadlines are compared with each other: one that
      // is asked first and has a minute is still open when all others have had their answers.
      var patient = service.engine.ask(new Request.Decide("patient", null, 60_000_000L));
      var answers = new ArrayList<CompletableFuture<Answer>>();
      for (int i = 0; i < ORDERS; i++) {
        answers.add(service.engine.ask(new Request.Decide("o" + i, null, 100_000L)));
      }
      for (int i = 0; i < ORDERS; i++) {
        assertThat(answers.get(i).get())
            .isEqualTo(new Answer.Child("o" + i, 0, 100, null, Source.TWAP, null));
      }
      assertThat(patient).isNotDone();
      for (int i = 0; i < ORDERS; i++) {
        service.state(new Request.Fill("o" + i, "f", 50, 10));
      }
      for (int i = 0; i < INSTRUMENTS; i++) {
        service.bars(instrument(i), 10, 40);
      }

      Waiting.untilCount(service.engine.counters().fallbacks(Fallback.LATE), ORDERS);
      isStalled.set(false);
      stall.countDown();
      assertThat(patient.get())
          .isInstanceOfSatisfying(
              Answer.Child.class, child -> assertThat(child.source()).isEqualTo(Source.MODEL));
      List<Answer.Child> after = new ArrayList<>();
      for (int i = 0; i < ORDERS; i++) {
        after.add(service.decide("o" + i));
      }
      assertThat(after).extracting(Answer.Child::source).containsOnly(Source.MODEL);
      assertThat(after).extracting(Answer.Child::step).containsOnly(1);
      assertThat(service.look("o0").remaining()).isEqualTo(750);
      Records.assertFaithful(service, folder.resolve("journal"));
    }
  }

  @Test
  void aFailingModelIsReplacedAtOnce() {
    ModelWorker.Interference interference =
        (_, instrument) -> {
          if (instrument.equals("BAD")) {
            throw new IllegalStateException("broken");
          }
        };
    try (var service =
        TestService.open(folder, UnaryOperator.identity(), interfering(interference))) {
      service.ask(TestService.order("a", "BAD", 800));
      service.ask(TestService.order("b", "GOOD", 800));

      assertThat(service.decide("a"))
          .isEqualTo(new Answer.Child("a", 0, 100, null, Source.TWAP, null));
      assertThat(service.decide("b").source()).isEqualTo(Source.MODEL);
      Waiting.untilCount(service.engine.counters().fallbacks(Fallback.FAILED), 1);
      Waiting.until(
          () ->
              service.notices.stream()
                  .anyMatch(notice -> notice.kind() == Observer.Kind.MODEL_FAILED));
    }
  }

  @Test
  void aModelThatFailsOnceIsLostForTheDayAndBackOnTheNext() {
    var isBroken = new AtomicBoolean();
    ModelWorker.Interference interference =
        (_, _) -> {
          if (isBroken.getAndSet(false)) {
            throw new IllegalStateException("broken");
          }
        };
    try (var service =
        TestService.open(folder, UnaryOperator.identity(), interfering(interference))) {
      service.ask(TestService.order("a", "A", 800));
      assertThat(service.decide("a").source()).isEqualTo(Source.MODEL);
      isBroken.set(true);
      for (int step = 1; step < 8; step++) {
        service.bars("A", 30 * step - 30, 30 * step);
        assertThat(service.decide("a").source()).isEqualTo(Source.TWAP);
      }

      Waiting.untilCount(service.engine.counters().fallbacks(Fallback.FAILED), 7);
      Waiting.untilCount(service.engine.counters().daysLost, 1);
      var tomorrow = TestService.DATE.plusDays(1);
      service.ask(TestService.on(tomorrow, TestService.order("b", "A", 800)));
      assertThat(service.decide("b").source()).isEqualTo(Source.MODEL);
    }
    // A restarted service reads the day anew.
    try (var service = TestService.open(folder)) {
      service.ask(TestService.order("c", "A", 800));
      assertThat(service.decide("c").source()).isEqualTo(Source.MODEL);
    }
  }

  @Test
  void aFullQueueIsAnsweredByTwap() {
    try (var service =
        TestService.open(
            folder, config -> config.withBounds(SHORT_QUEUE), interfering(this::stall))) {
      for (int i = 0; i < ORDERS; i++) {
        service.ask(TestService.order("o" + i, "A", 800));
      }
      isStalled.set(true);
      var answers = new ArrayList<CompletableFuture<Answer>>();
      for (int i = 0; i < ORDERS; i++) {
        answers.add(service.engine.ask(new Request.Decide("o" + i, null, 100_000L)));
      }
      for (var answer : answers) {
        assertThat(answer.join()).isInstanceOf(Answer.Child.class);
      }
      isStalled.set(false);
      stall.countDown();

      assertThat(service.engine.counters().fallbacks(Fallback.QUEUE_FULL).sum()).isPositive();
      service.bars("A", 0, 30);
      // A queue that is still full would be answered by TWAP again.
      Waiting.until(() -> service.engine.queueDepth() == 0);
      // What the worker was not told of it reads when it is asked.
      assertThat(service.decide("o1").source()).isEqualTo(Source.MODEL);
      Records.assertFaithful(service, folder.resolve("journal"));
    }
  }

  @Test
  void closingAnswersWhoeverWaits() {
    isStalled.set(true);
    var service = TestService.open(folder, UnaryOperator.identity(), interfering(this::stall));
    service.ask(TestService.order("a", "A", 800));
    var answer = service.engine.ask(new Request.Decide("a", null, TestService.PATIENT));
    service.close();

    assertThat(answer.join()).isEqualTo(new Answer.Child("a", 0, 100, null, Source.TWAP, null));
    stall.countDown();
    try (var again = TestService.open(folder)) {
      assertThat(again.ask(new Request.Decide("a", 0, null))).isEqualTo(answer.join());
    }
  }

  @Test
  void aClientThatThrowsHurtsNobody() {
    try (var service = TestService.open(folder)) {
      service.engine.handle(
          TestService.order("a", "A", 800),
          _ -> {
            throw new IllegalStateException("client");
          });

      assertThat(service.decide("a").source()).isEqualTo(Source.MODEL);
      Waiting.until(
          () -> service.notices.stream().anyMatch(notice -> notice.kind() == Observer.Kind.FAULT));
    }
  }

  @Test
  void aClockThatJumpsChangesNothing() {
    var offset = new AtomicLong();
    var parts =
        new EngineParts(
            () -> System.nanoTime() + offset.get(),
            JournalFile::open,
            ModelWorker.Interference.NONE);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 800));

      // A monotonic clock near its largest value wraps around.
      offset.set(Long.MAX_VALUE - System.nanoTime() - 1_000);
      assertThat(service.decide("a").source()).isEqualTo(Source.MODEL);
      offset.set(Long.MIN_VALUE);
      service.bars("A", 0, 30);
      assertThat(service.decide("a").source()).isEqualTo(Source.MODEL);
    }
  }

  @Test
  void aModelDoesNotDecideWithoutTheDaysItNeeds() {
    Engine engine;
    try (var service =
        TestService.open(folder, config -> config.withEarlierDaysNeeded(true), EngineParts.REAL)) {
      engine = service.engine;
      service.state(TestService.order("a", "A", 800));

      assertThat(service.decide("a").source()).isEqualTo(Source.TWAP);
      assertThat(service.notices)
          .anyMatch(
              notice ->
                  notice.kind() == Observer.Kind.DAYS_MISSING
                      && notice
                          .message()
                          .equals("needs 1 earlier days, but A 2026-03-03 began with 0"));
    }
    // The answer may come before it is counted.
    assertThat(engine.counters().fallbacks(Fallback.NO_EARLIER_DAYS).sum()).isEqualTo(1);
  }

  @Test
  void marketTimeThatJumpsSkipsDecisionsAndNeverGoesBack() {
    try (var service = TestService.open(folder)) {
      service.ask(TestService.order("a", "A", 800));
      assertThat(service.decide("a").step()).isZero();
      service.bars("A", 100, 101);
      Answer.Child child = service.decide("a");
      assertThat(child.step()).isEqualTo(3);
      assertThat(child.source()).isEqualTo(Source.MODEL);

      assertThat(service.ask(TestService.bar("A", 50)))
          .isEqualTo(new Answer.BarTaken(BarAnswer.LATE));
      var tomorrow = TestService.DATE.plusDays(1);
      service.ask(TestService.on(tomorrow, TestService.bar("A", 0)));
      service.bars("A", 101, 121); // the day before goes on
      assertThat(service.decide("a").step()).isEqualTo(4);
      Request.Bar third = TestService.on(tomorrow.plusDays(1), TestService.bar("A", 0));
      assertThat(service.refused(third).message()).contains("must wait until A 2026-03-03");
      service.state(new Request.Cancel("a"));
      service.ask(third);
      assertThat(service.refused(new Request.Look("a")).reason()).isEqualTo(Reason.UNKNOWN);
      assertThat(service.refused(TestService.bar("A", 121)).message())
          .contains("must not have ended");
    }
  }
}
