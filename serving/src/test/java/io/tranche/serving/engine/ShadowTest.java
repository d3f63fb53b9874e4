package io.tranche.serving.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.serving.Answer;
import io.tranche.serving.Observer;
import io.tranche.serving.Request;
import io.tranche.serving.Route;
import io.tranche.serving.TestModels;
import io.tranche.serving.Waiting;
import io.tranche.serving.journal.JournalFile;
import io.tranche.serving.model.ModelWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A shadow never changes an answer: neither by its decision, nor by being slow, nor by failing.
class ShadowTest {

  private static final List<String> SHADOWS = List.of("shadow@1", "shadow@2", "shadow@3");
  private static final int STEPS = 8;

  @TempDir Path folder;

  private List<Answer.Child> alone = List.of();

  @BeforeEach
  void workAlone() throws IOException {
    try (var service = TestService.open(folder.resolve("alone"))) {
      alone = workADay(service);
    }
    assertThat(alone).hasSize(STEPS);
    Files.createDirectories(folder.resolve("models"));
    for (int i = 0; i < SHADOWS.size(); i++) {
      TestModels.write(folder.resolve("models"), SHADOWS.get(i), 10 + i);
    }
  }

  private TestService open(ModelWorker.Interference interference) {
    var parts = new EngineParts(System::nanoTime, JournalFile::open, interference);
    var service = TestService.open(folder, UnaryOperator.identity(), parts);
    SHADOWS.forEach(shadow -> service.done(new Request.Load(shadow)));
    service.done(new Request.SetRoute(new Route(TestService.MODEL, null, 0, SHADOWS)));
    return service;
  }

  private static List<Answer.Child> workADay(TestService service) {
    var children = new ArrayList<Answer.Child>();
    service.ask(TestService.order("day", "A", 800));
    for (int tick = 0; tick < 239; tick++) {
      if (service.look("day").isDue()) {
        Answer.Child child = service.decide("day");
        children.add(child);
        if (child.volume() > 0 && tick < 180) {
          service.ask(new Request.Fill("day", "f" + tick, child.volume() / 2, 10));
        }
      }
      service.bars("A", tick, tick + 1);
    }
    return children;
  }

  @Test
  void itIsCountedAndChangesNothing() throws InterruptedException {
    try (var service = open(ModelWorker.Interference.NONE)) {
      List<Answer.Child> shadowed = workADay(service);
      var counters = service.engine.counters();
      Waiting.until(() -> counters.shadowDecisions.sum() == (long) STEPS * SHADOWS.size());

      assertThat(shadowed).isEqualTo(alone);
      assertThat(counters.shadowDifferent.sum()).isPositive();
      assertThat(counters.shadowFailures.sum()).isZero();
      Waiting.until(
          () ->
              service.notices.stream()
                  .anyMatch(notice -> notice.kind() == Observer.Kind.SHADOW_DIFFERED));
    }
  }

  @Test
  void nobodyWaitsForOneThatStalls() {
    var stall = new CountDownLatch(1);
    try (var service =
        open(
            (model, _) -> {
              if (SHADOWS.contains(model)) {
                Waiting.on(stall);
              }
            })) {
      assertThat(workADay(service)).isEqualTo(alone);
      assertThat(service.engine.counters().shadowDecisions.sum()).isZero();
      stall.countDown();
    }
  }

  @Test
  void oneThatFailsIsCounted() throws InterruptedException {
    try (var service =
        open(
            (model, _) -> {
              if (SHADOWS.contains(model)) {
                throw new IllegalStateException("broken");
              }
            })) {
      assertThat(workADay(service)).isEqualTo(alone);
      Waiting.until(() -> service.engine.counters().shadowFailures.sum() == SHADOWS.size());
      assertThat(service.engine.rollbackReason()).isNull();
    }
  }
}
