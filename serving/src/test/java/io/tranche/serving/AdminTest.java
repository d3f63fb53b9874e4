package io.tranche.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.ReferenceStatistics;
import io.tranche.serving.Answer.Reason;
import io.tranche.serving.Answer.Source;
import io.tranche.serving.ServiceConfig.DriftRules;
import io.tranche.serving.ServiceConfig.Limits;
import io.tranche.serving.ServiceConfig.Rollback;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Switches, limits, routes, shadows, rollbacks, and models that come and go.
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
      assertThat(service.engine.counters().killed.sum()).isEqualTo(1);
    }
  }

  private Answer.Child limited(Limits limits, int bars) {
    // The model fails, so that the wish is TWAP's: 100 a step.
    var parts =
        new Engine.Parts(
            System::nanoTime,
            JournalFile::open,
            (_, _) -> {
              throw new IllegalStateException("broken");
            });
    try (var service =
        TestService.open(
            folder.resolve(limits.toString()), config -> config.withLimits(limits), parts)) {
      service.ask(TestService.order("a", "A", 800));
      for (int tick = 0; tick < bars; tick++) {
        service.ask(
            new Request.Bar(
                "A",
                TestService.DATE,
                TestService.time(tick),
                TestModels.FIELDS,
                List.of(10f + tick / 100f, 50f)));
      }
      return service.decide("a");
    }
  }

  @Test
  void limitsHaveTheLastWord() {
    assertThat(limited(new Limits(70.0, null, null, 1, null), 0))
        .isEqualTo(new Answer.Child("a", 0, 70, null, Source.TWAP, "slice"));
    assertThat(limited(new Limits(null, 0.1, null, 1, null), 0))
        .isEqualTo(new Answer.Child("a", 0, 80, null, Source.TWAP, "slice_share"));
    assertThat(limited(new Limits(null, null, 0.1, 10, null), 20))
        .isEqualTo(new Answer.Child("a", 0, 50, null, Source.TWAP, "participation"));
    assertThat(limited(new Limits(null, null, 0.1, 9, null), 0))
        .isEqualTo(new Answer.Child("a", 0, 100, null, Source.TWAP, null));
    assertThat(limited(new Limits(null, null, null, 1, 15.0), 2).limited()).isNull();
    assertThat(limited(new Limits(null, null, null, 1, 15.5), 3))
        .isEqualTo(new Answer.Child("a", 0, 0, null, Source.TWAP, "price_band"));
    assertThat(limited(new Limits(90.0, 0.05, null, 1, null), 0))
        .isEqualTo(new Answer.Child("a", 0, 40, null, Source.TWAP, "slice_share"));
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
  void aShadowIsCountedAndChangesNothing() throws IOException {
    var alone = new ArrayList<Answer.Child>();
    try (var service = TestService.open(folder.resolve("alone"))) {
      alone.addAll(workADay(service, "A"));
    }
    var shadows = List.of("shadow@1", "shadow@2", "shadow@3");
    for (int i = 0; i < 3; i++) {
      write(shadows.get(i), 10 + i);
    }
    try (var service = TestService.open(folder)) {
      shadows.forEach(shadow -> service.done(new Request.Load(shadow)));
      service.done(new Request.SetRoute(new Route(TestService.MODEL, null, 0, shadows)));
      List<Answer.Child> shadowed = workADay(service, "A");
      var counters = service.engine.counters();

      assertThat(shadowed).isEqualTo(alone);
      assertThat(counters.shadowDecisions.sum()).isBetween(21L, 24L); // some may be under way
      assertThat(counters.shadowDifferent.sum()).isPositive();
      assertThat(counters.shadowFailures.sum()).isZero();
      assertThat(service.notices)
          .anyMatch(notice -> notice.kind() == Observer.Kind.SHADOW_DIFFERED);
    }
  }

  private static List<Answer.Child> workADay(TestService service, String instrument) {
    var children = new ArrayList<Answer.Child>();
    service.ask(TestService.order("day", instrument, 800));
    for (int tick = 0; tick < 239; tick++) {
      if (service.look("day").isDue()) {
        Answer.Child child = service.decide("day");
        children.add(child);
        if (child.volume() > 0 && tick < 180) {
          service.ask(new Request.Fill("day", "f" + tick, child.volume() / 2, 10));
        }
      }
      service.bars(instrument, tick, tick + 1);
    }
    return children;
  }

  @Test
  void newOrdersLeaveAModelThatFails() throws Exception {
    write(NEXT, 2);
    var isBroken = new AtomicBoolean(true);
    var parts =
        new Engine.Parts(
            System::nanoTime,
            JournalFile::open,
            (model, _) -> {
              if (model.equals(NEXT) && isBroken.get()) {
                throw new IllegalStateException("broken");
              }
            });
    UnaryOperator<ServiceConfig> strict =
        config -> config.withRollback(new Rollback(5, 0.2, 1, null));
    try (var service = TestService.open(folder, strict, parts)) {
      service.done(new Request.Load(NEXT));
      for (Route route :
          List.of(Route.to(NEXT), new Route(TestService.MODEL, NEXT, 1, List.of()))) {
        service.done(new Request.SetRoute(route));
        for (int i = 0; i < 5; i++) {
          String id = route.model() + i;
          service.ask(TestService.order(id, "I" + i, 800, NEXT));
          service.decide(id);
        }
        TestService.await(() -> service.engine.rollbackReason() != null);

        assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
        assertThat(service.engine.rollbackReason()).contains(NEXT, "failed in 5 of 5 decisions");
      }
      TestService.awaitCount(service.engine.counters().rollbacks, 2);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      assertThat(service.engine.rollbackReason()).contains("failed");
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
      assertThat(service.notices)
          .anyMatch(notice -> notice.message().contains("must be the one that orders began with"));
    }
  }

  @Test
  void driftIsToldByTheReferenceOfTheBundle() throws Exception {
    Path models = Files.createDirectories(folder.resolve("models"));
    // Closes of our bars are near 10, and a model does not take all choices equally often.
    TestModels.write(models, TestService.MODEL, 1, reference(10, 0.1));
    TestModels.write(models, NEXT, 1, reference(12, 0.1));
    var rules = new DriftRules(200, 1, 1_000, 10, true);
    try (var service =
        TestService.open(folder, config -> config.withDrift(rules), Engine.Parts.REAL)) {
      service.done(new Request.Load(NEXT));
      service.done(new Request.SetRoute(Route.to(NEXT)));
      service.ask(TestService.order("a", "A", 800, TestService.MODEL));
      service.ask(TestService.order("b", "B", 800));
      service.bars("A", 0, 210);
      service.bars("B", 0, 210);
      TestService.await(() -> service.engine.rollbackReason() != null);

      DriftReport bad = Objects.requireNonNull(service.engine.drift(NEXT));
      assertThat(bad.isAlarmed()).isTrue();
      assertThat(bad.feature()).isEqualTo("$close");
      assertThat(bad.featureShift()).isBetween(19.0, 21.0);
      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      DriftReport good = Objects.requireNonNull(service.engine.drift(TestService.MODEL));
      assertThat(good.isAlarmed()).isFalse();
      assertThat(good.hasReference()).isTrue();
    }
  }

  @Test
  void withoutAReferenceThereIsNothingToCompareWith() {
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.drift(TestService.MODEL)).isEqualTo(DriftReport.NO_REFERENCE);
      assertThat(service.engine.drift("nothing")).isNull();
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

  private static ReferenceStatistics reference(double close, double deviation) {
    return new ReferenceStatistics(
        10,
        80,
        List.of(
            new ReferenceStatistics.Feature("$close", close, deviation),
            new ReferenceStatistics.Feature("$volume", 500, 290)),
        List.of(0.2, 0.2, 0.2, 0.2, 0.2));
  }
}
