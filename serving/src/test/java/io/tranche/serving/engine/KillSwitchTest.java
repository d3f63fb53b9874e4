package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Request;
import io.tranche.serving.Request.Scope;
import io.tranche.serving.Waiting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Trading can be switched off at any time.
class KillSwitchTest {

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
    var parts = new Engine.Parts(System::nanoTime, disk::open, Engine.Parts.REAL.interference());
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
}
