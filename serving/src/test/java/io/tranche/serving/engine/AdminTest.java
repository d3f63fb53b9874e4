package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.TestModels;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.JournalFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Switches, routes, and models that come and go.
class AdminTest {

  private static final String NEXT = "demo@2";

  @TempDir Path folder;

  private void write(String name, long seed) throws IOException {
    Files.createDirectories(folder.resolve("models"));
    TestModels.write(folder.resolve("models"), name, seed);
  }

  private static Request.Switch off(Request.Scope scope, @Nullable String name) {
    return new Request.Switch(scope, name, true);
  }

  @Test
  void aSwitchStopsTradingUntilItIsTurnedBack() {
    var scopes =
        List.of(
            off(Request.Scope.ALL, null),
            off(Request.Scope.MODEL, TestService.MODEL),
            off(Request.Scope.INSTRUMENT, "A"));
    try (var service = TestService.open(folder)) {
      for (int i = 0; i < 9; i++) {
        service.ask(TestService.order("o" + i, "A", 800));
      }
      service.ask(TestService.order("other", "B", 800));
      for (int i = 0; i < 3; i++) {
        service.done(scopes.get(i));
        assertThat(service.decide("o" + i))
            .isEqualTo(new Answer.Child("o" + i, 0, 0, null, Source.KILL_SWITCH, null));
        if (i == 2) {
          assertThat(service.decide("other").source()).isEqualTo(Source.MODEL);
        }
        service.done(new Request.Switch(scopes.get(i).scope(), scopes.get(i).name(), false));
        assertThat(service.decide("o" + (i + 3)).source()).isEqualTo(Source.MODEL);
      }
      service.done(scopes.getFirst());
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.switchedOff()).containsExactly(scopes.getFirst());
      assertThat(service.decide("o7").source()).isEqualTo(Source.KILL_SWITCH);
      Waiting.untilCount(service.engine.counters().killed, 1);
    }
  }

  @Test
  void aSwitchStopsDecisionsThatAreUnderWay() throws IOException {
    write(NEXT, 2);
    var asked = new CountDownLatch(1);
    var stall = new CountDownLatch(1);
    var parts =
        new EngineParts(
            System::nanoTime,
            JournalFile::open,
            (model, _) -> {
              if (model.equals(TestService.MODEL)) {
                asked.countDown();
                Waiting.on(stall);
              }
            });
    try (var service = TestService.open(folder, UnaryOperator.identity(), parts)) {
      service.done(new Request.Load(NEXT));
      service.ask(TestService.order("a", "A", 800));
      service.ask(TestService.order("b", "B", 800, NEXT));
      var answer = service.engine.ask(new Request.Decide("a", null, TestService.PATIENT));
      Waiting.on(asked);
      service.done(off(Request.Scope.MODEL, TestService.MODEL));
      stall.countDown();

      assertThat(answer.join())
          .isEqualTo(new Answer.Child("a", 0, 0, null, Source.KILL_SWITCH, null));
      assertThat(service.decide("b").source()).isEqualTo(Source.MODEL);
    }
  }

  @Test
  void aCanaryGetsItsShareAndTheSameIdGoesTheSameWay() throws IOException {
    write(NEXT, 2);
    try (var service = TestService.open(folder)) {
      service.done(new Request.Load(NEXT));
      service.done(new Request.SetRoute(new Route(TestService.MODEL, NEXT, 0.25, List.of())));
      int canaries = 0;
      for (int i = 0; i < 400; i++) {
        var state = service.state(TestService.order("order-" + i, "A", 800));
        assertThat(service.state(TestService.order("order-" + i, "A", 800)).model())
            .isEqualTo(state.model());
        canaries += state.model().equals(NEXT) ? 1 : 0;
      }

      assertThat(canaries).isBetween(70, 130);
      assertThat(service.state(TestService.order("mine", "A", 800, NEXT)).model()).isEqualTo(NEXT);
    }
  }

  @Test
  void modelsComeAndGoWhileOrdersAreWorked() throws Exception {
    write(NEXT, 2);
    try (var service = TestService.open(folder)) {
      var isDone = new AtomicBoolean();
      var failure = new ArrayList<Throwable>();
      Thread traffic =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; !isDone.get() || i < 50; i++) {
                        service.state(TestService.order("t" + i, "A", 800, TestService.MODEL));
                        assertThat(service.decide("t" + i).source()).isEqualTo(Source.MODEL);
                      }
                    } catch (AssertionError | RuntimeException e) {
                      failure.add(e);
                    }
                  });
      for (int round = 0; round < 3; round++) {
        service.done(new Request.Load(NEXT));
        service.done(new Request.Load(NEXT));
        service.done(new Request.Unload(NEXT));
      }
      isDone.set(true);
      traffic.join();

      assertThat(failure).isEmpty();
      assertThat(service.refused(new Request.Unload(NEXT)).reason()).isEqualTo(Reason.UNKNOWN);
      assertThat(service.refused(new Request.Unload(TestService.MODEL)).message())
          .contains("on the route");
      service.done(new Request.Load(NEXT));
      service.ask(TestService.order("used", "B", 800, NEXT));
      assertThat(service.refused(new Request.Unload(NEXT)).message()).contains("has open orders");
      service.state(new Request.Cancel("used"));
      service.done(new Request.Unload(NEXT));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../demo@1",
        "/etc/passwd",
        "demo@1/..",
        "",
        "..",
        "a\u0000b",
        "http://host/demo@1",
        "demo@1.tranche/../../x",
        "link@1",
        "nothing@1",
        "broken@1"
      })
  void aNameNeverLeavesTheFolderNorTellsWhereItIs(String name) throws IOException {
    Path outside = Files.createDirectories(folder.resolve("outside"));
    TestModels.write(outside, "demo@1", 3);
    Files.createDirectories(folder.resolve("models"));
    Files.createSymbolicLink(
        folder.resolve("models/link@1.tranche"), outside.resolve("demo@1.tranche"));
    Files.writeString(folder.resolve("models/broken@1.tranche"), "no bundle");
    try (var service = TestService.open(folder)) {
      Answer.Refused refused = service.refused(new Request.Load(name));

      assertThat(refused.reason()).isEqualTo(Reason.INVALID);
      assertThat(refused.message()).doesNotContain(folder.toString());
      assertThat(service.engine.models()).containsExactly(TestService.MODEL);
    }
  }

  @Test
  void aModelThatIsAnotherAfterARestartDoesNotDecide() throws IOException {
    try (var service = TestService.open(folder)) {
      service.ask(TestService.order("a", "A", 800));
    }
    write(TestService.MODEL, 7);
    try (var service = TestService.open(folder)) {
      assertThat(service.decide("a"))
          .isEqualTo(new Answer.Child("a", 0, 100, null, Source.TWAP, null));
      Waiting.until(
          () ->
              service.notices.stream()
                  .anyMatch(
                      notice ->
                          notice.message().contains("must be the one that its orders began with")));
    }
  }

  @Test
  void aClosedServiceAnswersThatItIs() {
    var service = TestService.open(folder);
    service.close();

    assertThat(service.refused(TestService.order("a", "A", 1)).reason())
        .isEqualTo(Reason.UNAVAILABLE);
    assertThat(service.refused(new Request.Load(NEXT)).reason()).isEqualTo(Reason.UNAVAILABLE);
  }
}
