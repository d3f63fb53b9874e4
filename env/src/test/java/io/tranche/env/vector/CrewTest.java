package io.tranche.env.vector;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.testkit.Cases;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrewTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everyItemIsWorkedOnOnceARound(int threads) {
    try (var crew = new Crew(threads)) {
      for (int round = 0; round < Cases.count(2_000, 100_000); round++) {
        int items = round % 20;
        var seen = new AtomicIntegerArray(items);

        crew.run(
            items,
            (from, to) -> {
              for (int i = from; i < to; i++) {
                seen.incrementAndGet(i);
              }
            });

        for (int i = 0; i < items; i++) {
          assertThat(seen.get(i)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void workWakesHelpersThatHaveParked() {
    try (var crew = new Crew(2)) {
      var count = new AtomicIntegerArray(1);
      for (int round = 0; round < 3; round++) {
        awaitParkedHelper();
        crew.run(10, (from, to) -> count.addAndGet(0, to - from));
      }

      assertThat(count.get(0)).isEqualTo(30);
    }
  }

  private static void awaitParkedHelper() {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            thread ->
                thread.getName().equals("tranche-env-1")
                    && thread.getState() == Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anInterruptedCallerStillGetsItsWorkDone() {
    try (var crew = new Crew(2)) {
      var count = new AtomicIntegerArray(1);
      Thread.currentThread().interrupt();

      crew.run(10, (from, to) -> count.addAndGet(0, to - from));

      assertThat(count.get(0)).isEqualTo(10);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }
}
