package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.Event;
import io.tranche.serving.journal.ForwardingFile;
import io.tranche.serving.journal.JournalFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trading can be switched off at any time.
class KillSwitchTest {

  private static final Request.Switch ALL_OFF = new Request.Switch(Scope.ALL, null, true);

  @TempDir Path folder;

  /// Opens orders and waits until each has a child order.
  private static void work(TestService service, int orders) {
    for (int i = 0; i < orders; i++) {
      service.state(TestService.order("o" + i, i % 2 == 0 ? "A" : "B", 1_000));
    }
    for (int tick = 0; tick < 240; tick++) {
      boolean isWorking = true;
      for (int i = 0; i < orders; i++) {
        if (service.look("o" + i).isDue()) {
          service.decide("o" + i);
        }
        isWorking &= service.look("o" + i).working() > 0;
      }
      if (isWorking) {
        return;
      }
      service.bars("A", tick, tick + 1);
      service.bars("B", tick, tick + 1);
    }
    throw new AssertionError("no child order");
  }

  @Test
  void workingChildOrdersAreWithdrawnAlsoAfterARestart() {
    try (var service = TestService.open(folder)) {
      work(service, 2);
      service.done(new Request.Switch(Scope.INSTRUMENT, "A", true));
      Waiting.until(() -> service.look("o0").working() == 0);
      assertThat(service.look("o1").working()).isPositive();
      assertThat(service.ask(new Request.ListSwitches()))
          .isEqualTo(new Answer.Switches(List.of(new Request.Switch(Scope.INSTRUMENT, "A", true))));
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.look("o0").working()).isZero();
      assertThat(service.look("o1").working()).isPositive();
      // What the market had filled before is still booked.
      Answer.OrderState before = service.look("o0");
      assertThat(
              service.state(new Request.Fill("o0", "late", before.nextStep() - 1, 1, 10)).filled())
          .isEqualTo(1);
    }
  }

  /// What a crash leaves if it comes after the switch was written and before the withdrawals.
  @Test
  void aSwitchWithoutItsWithdrawalsIsFinishedByTheNextStart() {
    var off = new Request.Switch(Scope.INSTRUMENT, "A", true);
    try (var service = TestService.open(folder)) {
      work(service, 2);
      service.engine.core().journal().append(new Event.Switched(off));
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.switchedOff()).containsExactly(off);
      assertThat(service.look("o0").working()).isZero();
      assertThat(service.look("o1").working()).isPositive();
    }
  }

  /// The answer is complete, however slow the journal is: reserved space is enough.
  @Test
  void anAnsweredSwitchIsKeptAndItsChildOrdersAreWithdrawn() {
    var isSlow = new AtomicBoolean();
    var goOn = new CountDownLatch(1);
    JournalFile.Opener disk = path -> slow(JournalFile.open(path), () -> hold(isSlow, goOn));
    var parts = new EngineParts(System::nanoTime, disk, EngineParts.REAL.interference());
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      work(service, 2);
      isSlow.set(true);
      var answers = new ArrayList<String>();
      try {
        for (int i = 0; i < 200 && answers.stream().noneMatch(KillSwitchTest::isComplete); i++) {
          answers.add(((Answer.Done) service.ask(ALL_OFF)).message());
        }
      } finally {
        goOn.countDown();
      }
      assertThat(answers).anyMatch(KillSwitchTest::isComplete);
      assertThat(service.look("o0").working()).isZero();
      assertThat(service.look("o1").working()).isZero();
    }
  }

  private static boolean isComplete(String answer) {
    return !answer.contains("follow") && !answer.contains("forget");
  }

  private static void hold(AtomicBoolean isSlow, CountDownLatch goOn) {
    try {
      if (isSlow.get()) {
        goOn.await();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// A file whose fsync waits for something.
  private static JournalFile slow(JournalFile file, Runnable beforeForce) {
    return new ForwardingFile(file) {
      @Override
      public void force() throws IOException {
        beforeForce.run();
        super.force();
      }
    };
  }

  @Test
  void unknownNamesAreRefused() {
    try (var service = TestService.open(folder)) {
      service.state(TestService.order("a", "A", 1_000));
      for (var unknown :
          List.of(
              new Request.Switch(Scope.INSTRUMENT, "a", true),
              new Request.Switch(Scope.MODEL, "demo", true),
              new Request.Switch(Scope.INSTRUMENT, "B", false))) {
        assertThat(service.refused(unknown).reason()).isEqualTo(Reason.UNKNOWN);
      }
      assertThat(service.engine.switchedOff()).isEmpty();
    }
  }

  @Test
  void doesNotWaitForModelsThatLoad() throws Exception {
    try (var service = TestService.open(folder)) {
      service.state(TestService.order("a", "A", 1_000));
      var loads = new ArrayList<CompletableFuture<Answer>>();
      for (int i = 0; i < 30; i++) {
        loads.add(service.engine.ask(new Request.Load(TestService.MODEL)));
      }
      var answered = service.engine.ask(new Request.Switch(Scope.ALL, null, true));

      assertThat(service.engine.switchedOff()).hasSize(1); // in force before anything is answered
      assertThat(answered.get(5, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
      assertThat(loads.getLast()).isNotDone();
      assertThat(service.decide("a").source()).isEqualTo(Source.KILL_SWITCH);
      loads.forEach(CompletableFuture::join);
    }
  }

  @Test
  void worksOnAFullDisk() {
    var disk = new LimitedDisk();
    var parts = new EngineParts(System::nanoTime, disk::open, EngineParts.REAL.interference());
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.ask(TestService.order("a", "A", 1_000));
      disk.limit(disk.written());
      assertThat(service.refused(TestService.order("b", "A", 1_000)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      var answer = (Answer.Done) service.ask(new Request.Switch(Scope.INSTRUMENT, "A", true));

      assertThat(answer.message()).startsWith("instrument A is off");
      assertThat(service.engine.switchedOff()).hasSize(1);
      disk.limit(Long.MAX_VALUE);
    }
  }

  @Test
  void anAccountWhoseHeartbeatDoesNotComeIsSwitchedOff() {
    var nanos = new AtomicLong(1);
    var parts = new EngineParts(nanos::get, JournalFile::open, EngineParts.REAL.interference());
    long second = TimeUnit.SECONDS.toNanos(1);
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.done(new Request.Heartbeat("desk", 5));
      service.done(new Request.Heartbeat("other", 60));
      nanos.addAndGet(4 * second);
      service.engine.step(Engine.Step.HEARTBEATS);
      assertThat(service.engine.switchedOff()).isEmpty();
      service.done(new Request.Heartbeat("desk", 5));
      nanos.addAndGet(4 * second);
      service.engine.step(Engine.Step.HEARTBEATS);
      assertThat(service.engine.switchedOff()).as("it came in time").isEmpty();
      nanos.addAndGet(2 * second);
      Waiting.until(() -> !service.engine.switchedOff().isEmpty()); // by its own thread

      assertThat(service.engine.switchedOff())
          .containsExactly(new Request.Switch(Scope.ACCOUNT, "desk", true));
      assertThat(service.notices).anyMatch(each -> each.kind() == Observer.Kind.HEARTBEAT_MISSED);
      assertThat(service.engine.counters().heartbeatsMissed.sum()).isEqualTo(1);
    }
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      assertThat(service.engine.switchedOff()).as("until an operator acts").hasSize(1);
      nanos.addAndGet(61 * second);
      Waiting.until(() -> service.engine.switchedOff().size() == 2); // heartbeats survive too
    }
  }

  /// A log that nobody reads blocks whoever writes to it.
  @Test
  void doesNotWaitForTheLog() throws Exception {
    var isRead = new CountDownLatch(1);
    Observer stuck =
        notice -> {
          if (notice.kind() == Observer.Kind.SWITCHED) {
            try {
              isRead.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          }
        };
    try (var engine = Engine.open(TestService.config(folder), stuck)) {
      for (boolean isOff : List.of(true, false, true)) {
        Answer answer =
            engine.ask(new Request.Switch(Scope.ALL, null, isOff)).get(60, TimeUnit.SECONDS);
        assertThat(answer).isInstanceOf(Answer.Done.class);
        assertThat(engine.switchedOff()).hasSize(isOff ? 1 : 0);
      }
      isRead.countDown();
    }
  }

  /// Prints how long switches took. What is asserted is that each was in force when answered.
  @Test
  void isInForceWhenAnsweredUnderLoadWhileModelsLoadAndOnAFullDisk() throws Exception {
    var disk = new LimitedDisk();
    var parts = new EngineParts(System::nanoTime, disk::open, EngineParts.REAL.interference());
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.state(TestService.order("a", "A", 1_000));
      var isDone = new AtomicBoolean();
      var busy = new ArrayList<Thread>();
      for (int i = 0; i < 2; i++) {
        busy.add(
            Thread.startVirtualThread(
                () -> {
                  while (!isDone.get()) {
                    var _ =
                        service.engine.ask(
                            new Request.Heartbeat("x", 60 + (int) (Math.random() * 9)));
                    service.engine.ask(new Request.Decide("a", null, null)).join();
                  }
                }));
      }
      busy.add(
          Thread.startVirtualThread(
              () -> {
                while (!isDone.get()) {
                  service.engine.ask(new Request.Load(TestService.MODEL)).join();
                }
              }));
      print("under load, while models load", switches(service));
      isDone.set(true);
      for (Thread each : busy) {
        each.join();
      }
      disk.limit(disk.written());
      assertThat(service.refused(TestService.order("b", "A", 1_000)).reason())
          .isEqualTo(Reason.UNAVAILABLE);
      print("on a full disk", switches(service));
      disk.limit(Long.MAX_VALUE);
    }
  }

  private static long[] switches(TestService service) {
    long[] nanos = new long[100];
    for (int i = 0; i < nanos.length; i++) {
      boolean isOff = i % 2 == 0;
      long began = System.nanoTime();
      Answer answer = service.ask(new Request.Switch(Scope.ALL, null, isOff));
      nanos[i] = System.nanoTime() - began;
      assertThat(answer).isInstanceOf(Answer.Done.class);
      assertThat(service.engine.switchedOff()).hasSize(isOff ? 1 : 0);
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static void print(String when, long[] nanos) {
    System.out.printf(
        "kill switch %s: p50 %d µs, p99 %d µs%n", when, nanos[50] / 1_000, nanos[98] / 1_000);
  }
}
