package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.runtime.ReferenceStatistics;
import io.tranche.serving.DriftReport;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.ServiceConfig.DriftRules;
import io.tranche.serving.ServiceConfig.Rollback;
import io.tranche.serving.TestModels;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// New orders leave a model that fails, is late, is slow, or drifts.
class RollbackTest {

  private static final String NEXT = "demo@2";

  @TempDir Path folder;

  private TestService open(Rollback rules, ModelWorker.Interference interference)
      throws IOException {
    Files.createDirectories(folder.resolve("models"));
    TestModels.write(folder.resolve("models"), NEXT, 2);
    var service =
        TestService.open(
            folder,
            config -> config.withRollback(rules),
            new EngineParts(System::nanoTime, JournalFile::open, interference));
    service.done(new Request.Load(NEXT));
    return service;
  }

  /// Lets the new model decide for a number of orders, each of its own instrument.
  private static void work(TestService service, String prefix, int orders, long micros) {
    for (int i = 0; i < orders; i++) {
      service.ask(TestService.order(prefix + i, "I" + i, 800, NEXT));
      service.ask(new Request.Decide(prefix + i, null, micros));
    }
  }

  @Test
  void aModelThatFailsLosesItsRoute() throws Exception {
    ModelWorker.Interference broken =
        (model, _) -> {
          if (model.equals(NEXT)) {
            throw new IllegalStateException("broken");
          }
        };
    try (var service = open(new Rollback(5, 0.2, 1, null), broken)) {
      for (Route route :
          List.of(Route.to(NEXT), new Route(TestService.MODEL, NEXT, 1, List.of()))) {
        service.done(new Request.SetRoute(route));
        work(service, route.model(), 5, TestService.PATIENT);
        Waiting.until(() -> service.engine.rollbackReason() != null);

        assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
        assertThat(service.engine.rollbackReason()).contains(NEXT, "failed in 5 of 5 decisions");
        assertThat(service.state(TestService.order("new" + route.model(), "N", 800)).model())
            .isEqualTo(TestService.MODEL);
      }
      Waiting.untilCount(service.engine.counters().rollbacks, 2);
    }
    try (var service = TestService.open(folder)) {
      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      assertThat(service.engine.rollbackReason()).contains("failed");
    }
  }

  private static void dawdle(String model) {
    if (model.equals(NEXT)) {
      try {
        TimeUnit.MILLISECONDS.sleep(20);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aModelThatIsLateLosesItsRoute() throws Exception {
    var stall = new CountDownLatch(1);
    ModelWorker.Interference stalled =
        (model, _) -> {
          if (model.equals(NEXT)) {
            Waiting.on(stall);
          }
        };
    try (var service = open(new Rollback(5, 1, 0.5, null), stalled)) {
      service.done(new Request.SetRoute(new Route(TestService.MODEL, NEXT, 1, List.of())));
      work(service, "hasty", 5, 100); // clients that leave no time do not count
      assertThat(service.engine.rollbackReason()).isNull();
      work(service, "o", 5, 20_000);
      stall.countDown();
      Waiting.until(() -> service.engine.rollbackReason() != null);

      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      assertThat(service.engine.rollbackReason()).contains("was late for 5 of 5 decisions");
    }
  }

  @Test
  void aModelThatIsSlowLosesItsRoute() throws Exception {
    try (var service = open(new Rollback(5, 1, 1, 10_000L), (model, _) -> dawdle(model))) {
      service.done(new Request.SetRoute(Route.to(NEXT)));
      work(service, "o", 5, TestService.PATIENT);
      Waiting.until(() -> service.engine.rollbackReason() != null);

      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      assertThat(service.engine.rollbackReason()).contains("at the 99th percentile of 5 decisions");
      Waiting.until(
          () ->
              service.notices.stream().anyMatch(each -> each.kind() == Observer.Kind.ROLLED_BACK));
    }
  }

  @Test
  void aModelThatDoesWellKeepsItsRoute() throws Exception {
    try (var service = open(new Rollback(5, 0, 0, 60_000_000L), ModelWorker.Interference.NONE)) {
      service.done(new Request.SetRoute(Route.to(NEXT)));
      work(service, "o", 20, TestService.PATIENT);

      assertThat(service.engine.route()).isEqualTo(Route.to(NEXT));
      assertThat(service.engine.rollbackReason()).isNull();
    }
  }

  private TestService drifting(DriftRules rules, ReferenceStatistics now, ReferenceStatistics next)
      throws IOException {
    Path models = Files.createDirectories(folder.resolve("models"));
    TestModels.write(models, TestService.MODEL, 1, now);
    TestModels.write(models, NEXT, 1, next);
    var service = TestService.open(folder, config -> config.withDrift(rules), EngineParts.REAL);
    service.done(new Request.Load(NEXT));
    service.done(new Request.SetRoute(Route.to(NEXT)));
    return service;
  }

  private static ReferenceStatistics reference(double close, double... choices) {
    var shares = java.util.Arrays.stream(choices).boxed().toList();
    return new ReferenceStatistics(
        10,
        80,
        List.of(
            new ReferenceStatistics.Feature("$close", close, 0.1),
            new ReferenceStatistics.Feature("$volume", 500, 290)),
        shares.isEmpty() ? List.of(0.2, 0.2, 0.2, 0.2, 0.2) : shares);
  }

  @Test
  void aWindowRaisesItsAlarmOnce() throws Exception {
    var rules = new DriftRules(50, 1, 1, 100, false);
    try (var service = drifting(rules, reference(10), reference(12))) {
      service.ask(TestService.order("b", "B", 800));
      service.bars("B", 0, 60);
      Waiting.until(() -> service.engine.counters().driftAlarms.sum() > 0);
      service.decide("b"); // ends a window of choices, which are well

      assertThat(Objects.requireNonNull(service.engine.drift(NEXT)).actionIndex()).isPositive();
      assertThat(service.engine.counters().driftAlarms.sum()).isEqualTo(1);
    }
  }

  @Test
  void driftOfFeaturesIsToldByTheReferenceOfTheBundle() throws Exception {
    // Closes of our bars are near 10.
    var rules = new DriftRules(200, 1, 1_000, 10, true);
    try (var service = drifting(rules, reference(10), reference(12))) {
      service.ask(TestService.order("a", "A", 800, TestService.MODEL));
      service.ask(TestService.order("b", "B", 800));
      service.bars("A", 0, 210);
      service.bars("B", 0, 210);
      Waiting.until(() -> service.engine.rollbackReason() != null);

      DriftReport bad = Objects.requireNonNull(service.engine.drift(NEXT));
      assertThat(bad.isAlarmed()).isTrue();
      assertThat(bad.feature()).isEqualTo("$close");
      assertThat(bad.featureShift()).isBetween(19.0, 21.0);
      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
      Waiting.untilCount(service.engine.counters().driftAlarms, 1);
      Waiting.until(
          () -> service.notices.stream().anyMatch(each -> each.kind() == Observer.Kind.DRIFT));
      DriftReport good = Objects.requireNonNull(service.engine.drift(TestService.MODEL));
      assertThat(good.isAlarmed()).isFalse();
      assertThat(good.hasReference()).isTrue();
    }
  }

  @Test
  void driftOfAFormWithTheSameMeanIsAnAlarmThatEnds() throws Exception {
    // Closes are near 10 with a deviation of 0.1. The reference has them in two heaps around 10.
    var close =
        new ReferenceStatistics.Feature(
            "$close", 10, 1, List.of(9.5, 10.5), List.of(0.5, 0.0, 0.5));
    var volume =
        new ReferenceStatistics.Feature(
            "$volume", 500, 290, List.of(250.0, 500.0, 750.0), List.of(0.25, 0.25, 0.25, 0.25));
    var odd =
        new ReferenceStatistics(10, 80, List.of(close, volume), List.of(0.2, 0.2, 0.2, 0.2, 0.2));
    var rules = new DriftRules(100, 1, 1_000_000, 0.25, false);
    try (var service = drifting(rules, reference(10), odd)) {
      service.ask(TestService.order("b", "B", 800));
      service.bars("B", 0, 100);
      Waiting.until(() -> service.engine.counters().driftAlarms.sum() > 0);
      DriftReport report = Objects.requireNonNull(service.engine.drift(NEXT));
      assertThat(report.featureShift()).isLessThan(1);
      assertThat(report.feature()).isEqualTo("$close");
      assertThat(report.featureIndex()).isGreaterThan(0.25);
      assertThat(service.notices)
          .anyMatch(
              each -> each.kind() == Observer.Kind.DRIFT && each.message().contains("means only"));
      for (int tick = 100; tick < 230; tick++) {
        service.ask(
            new Request.Bar(
                "B",
                TestService.DATE,
                TestService.time(tick),
                TestModels.FIELDS,
                List.of(tick % 2 == 0 ? 9f : 11f, (tick % 4) * 250f + 100)));
      }
      Waiting.until(
          () ->
              service.notices.stream().anyMatch(each -> each.kind() == Observer.Kind.DRIFT_ENDED));
      assertThat(Objects.requireNonNull(service.engine.drift(NEXT)).isAlarmed()).isFalse();
    }
  }

  @Test
  void driftOfActionsIsAnAlarmAndARollback() throws Exception {
    var rules = new DriftRules(1_000_000, 1, 20, 0.25, true);
    // The reference took one choice nearly always, and a model of random weights takes several.
    var odd = reference(10, 0.001, 0.001, 0.001, 0.001, 0.996);
    try (var service = drifting(rules, reference(10), odd)) {
      for (int i = 0; i < 20; i++) {
        service.ask(TestService.order("o" + i, "I" + i, 800));
        service.bars("I" + i, 0, i);
        service.decide("o" + i);
      }
      Waiting.until(() -> service.engine.rollbackReason() != null);

      DriftReport report = Objects.requireNonNull(service.engine.drift(NEXT));
      assertThat(report.actionIndex()).isGreaterThan(0.25);
      assertThat(service.engine.rollbackReason()).contains("drifted");
      assertThat(service.engine.route()).isEqualTo(Route.to(TestService.MODEL));
    }
  }

  @Test
  void anAlarmAloneChangesNoRoute() throws Exception {
    var rules = new DriftRules(200, 1, 1_000, 10, false);
    try (var service = drifting(rules, reference(10), reference(12))) {
      service.ask(TestService.order("b", "B", 800));
      service.bars("B", 0, 210);
      Waiting.until(() -> service.engine.counters().driftAlarms.sum() == 1);

      assertThat(service.engine.route()).isEqualTo(Route.to(NEXT));
    }
  }

  @Test
  void withoutAReferenceThereIsNothingToCompareWith() {
    try (var service = TestService.open(folder, UnaryOperator.identity(), EngineParts.REAL)) {
      assertThat(service.engine.drift(TestService.MODEL)).isEqualTo(DriftReport.NO_REFERENCE);
      assertThat(service.engine.drift("nothing")).isNull();
    }
  }
}
