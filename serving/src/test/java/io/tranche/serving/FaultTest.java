package io.tranche.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.market.BarTime;
import io.tranche.runtime.DecisionRuntime;
import io.tranche.runtime.LiveDay;
import io.tranche.runtime.LiveOrder;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Counters.Fallback;
import io.tranche.testkit.Cases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Models that stall or fail, clocks that jump, disks that are full.
class FaultTest {

  private static final ServiceConfig.Bounds SHORT_QUEUE =
      new ServiceConfig.Bounds(2, 4, 20_000, 5_000, 1_000_000, 100_000, 2, 16 << 20, 100_000);

  private static final int ORDERS = Cases.count(20, 200);

  @TempDir Path folder;

  private final AtomicBoolean isStalled = new AtomicBoolean();
  private final CountDownLatch stall = new CountDownLatch(1);

  /// Holds the worker that asks the model, for as long as it is stalled.
  private void stall(String model, String instrument) {
    if (isStalled.get()) {
      await(stall);
    }
  }

  private static Engine.Parts interfering(Worker.Interference interference) {
    return new Engine.Parts(System::nanoTime, JournalFile::open, interference);
  }

  @Test
  void aStalledModelDelaysNobodyBeyondTheDeadline() throws Exception {
    try (var service =
        TestService.open(folder, UnaryOperator.identity(), interfering(this::stall))) {
      for (int i = 0; i < ORDERS; i++) {
        service.ask(TestService.order("o" + i, "A", 800));
      }
      service.bars("A", 0, 10);
      isStalled.set(true);

      var answers = new ArrayList<CompletableFuture<Answer>>();
      var took = new ArrayList<CompletableFuture<Long>>();
      for (int i = 0; i < ORDERS; i++) {
        long asked = System.nanoTime();
        var answer = service.engine.ask(new Request.Decide("o" + i, null, 100_000L));
        answers.add(answer);
        took.add(answer.thenApply(_ -> System.nanoTime() - asked));
      }
      for (int i = 0; i < ORDERS; i++) {
        assertThat(answers.get(i).get())
            .isEqualTo(new Answer.Child("o" + i, 0, 100, null, Source.TWAP, null));
        // The machine and its disk may be busy; without a deadline it would take for ever.
        assertThat(took.get(i).get()).isLessThan(60_000_000_000L);
      }
      for (int i = 0; i < ORDERS; i++) {
        service.state(new Request.Fill("o" + i, "f", 50, 10));
      }
      service.bars("A", 10, 40);

      TestService.awaitCount(service.engine.counters().fallbacks(Fallback.LATE), ORDERS);
      isStalled.set(false);
      stall.countDown();
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

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFailingModelIsReplacedAtOnce() {
    Worker.Interference interference =
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
      TestService.awaitCount(service.engine.counters().fallbacks(Fallback.FAILED), 1);
      assertThat(service.notices).anyMatch(notice -> notice.kind() == Observer.Kind.MODEL_FAILED);
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
      TestService.await(() -> service.engine.queueDepth() == 0);
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
      assertThat(service.notices).anyMatch(notice -> notice.kind() == Observer.Kind.FAULT);
    }
  }

  @Test
  void aClockThatJumpsChangesNothing() {
    var offset = new AtomicLong();
    var parts =
        new Engine.Parts(
            () -> System.nanoTime() + offset.get(), JournalFile::open, Worker.Interference.NONE);
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
  void aFullDiskIsRefusedAndNothingIsLostOnceItIsNot() {
    var disk = new LimitedDisk();
    var parts = new Engine.Parts(System::nanoTime, disk::open, Worker.Interference.NONE);
    Answer.OrderState known;
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 800));
      service.bars("A", 0, 5);
      Answer.Child child = service.decide("a");
      disk.limit(disk.written() + 10);

      assertThat(service.refused(TestService.order("b", "A", 800)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.refused(TestService.order("c", "A", 800)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.refused(TestService.bar("A", 5)).reason()).isEqualTo(Reason.UNAVAILABLE);
      assertThat(service.engine.failure()).isNotNull();
      // What is durable can still be seen.
      assertThat(service.ask(new Request.Decide("a", 0, null))).isEqualTo(child);
      known = service.look("a");

      disk.limit(Long.MAX_VALUE);
      TestService.await(() -> service.engine.failure() == null);
      assertThat(service.ask(TestService.order("b", "A", 800)))
          .isInstanceOf(Answer.OrderState.class);
      service.bars("A", 5, 8);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("a")).isEqualTo(known);
      assertThat(service.look("b").remaining()).isEqualTo(800);
      assertThat(service.refused(new Request.Look("c")).reason()).isEqualTo(Reason.UNKNOWN);
    }
  }

  @Test
  void aDecisionThatCouldNotBeWrittenIsTakenAgain() {
    var disk = new LimitedDisk();
    var engine = new AtomicReference<Engine>();
    var isToFail = new AtomicBoolean();
    var next = new AtomicInteger();
    Worker.Interference interference =
        (_, _) -> {
          if (isToFail.getAndSet(false)) {
            disk.limit(disk.written());
            engine.get().ask(TestService.bar("Z", next.getAndIncrement())).join(); // in vain
          }
        };
    var parts = new Engine.Parts(System::nanoTime, disk::open, interference);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      engine.set(service.engine);
      var runtime =
          new DecisionRuntime(
              Objects.requireNonNull(service.engine.model(TestService.MODEL), "loaded"));
      LiveDay day = runtime.openDay("A", TestService.DATE, List.of());
      Request.OpenOrder request = TestService.order("a", "A", 800);
      LiveOrder order = day.openOrder("a", request.side(), 800, request.start(), request.end());
      service.ask(request);
      for (int tick = 0; tick < 239; tick++) {
        if (order.isDue()) {
          isToFail.set(true);
          assertThat(service.refused(new Request.Decide("a", null, TestService.PATIENT)).reason())
              .isEqualTo(Reason.UNAVAILABLE);
          disk.limit(Long.MAX_VALUE);
          TestService.await(() -> service.engine.failure() == null);
          // What the model saw the first time must leave no trace.
          if (order.working() > 0) {
            double part = order.working() / 2;
            order.fill(part, 10);
            service.state(new Request.Fill("a", "f" + tick, part, 10));
          }

          assertThat(service.decide("a").volume()).isEqualTo(order.decide());
        }
        Request.Bar bar = TestService.bar("A", tick);
        service.ask(bar);
        day.bar(BarTime.of(bar.time()), new float[] {bar.values().get(0), bar.values().get(1)});
      }
      assertThat(service.look("a").remaining()).isEqualTo(order.position()).isLessThan(800);
    }
  }

  @Test
  void nothingUnwrittenIsThereAfterACrashOnAFullDisk() {
    var disk = new LimitedDisk();
    var parts = new Engine.Parts(System::nanoTime, disk::open, Worker.Interference.NONE);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 800));
      disk.limit(disk.written() + 40);
      service.refused(TestService.order("b", "A", 800));
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("a").remaining()).isEqualTo(800);
      assertThat(service.refused(new Request.Look("b")).reason()).isEqualTo(Reason.UNKNOWN);
    }
  }
}
