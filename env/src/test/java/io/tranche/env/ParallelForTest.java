package io.tranche.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tranche.testkit.Allocation;
import io.tranche.testkit.Cases;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelForTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8})
  void everyItemIsWorkedOnOnceARound(int threads) {
    try (var loop = new ParallelFor(threads)) {
      for (int round = 0; round < Cases.count(2_000, 100_000); round++) {
        int items = round % 300;
        var seen = new AtomicIntegerArray(items);

        loop.run(items, (item, _) -> seen.incrementAndGet(item));

        for (int i = 0; i < items; i++) {
          assertThat(seen.get(i)).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void workWakesHelpersThatHaveParked() {
    try (var loop = new ParallelFor(2)) {
      var count = new AtomicInteger();
      for (int round = 0; round < 3; round++) {
        awaitParkedHelper();
        loop.run(10, (_, _) -> count.incrementAndGet());
      }

      assertThat(count).hasValue(30);
    }
  }

  private static void awaitParkedHelper() {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            thread ->
                thread.getName().equals("tranche-parallel-1")
                    && thread.getState() == Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anInterruptedCallerStillGetsItsWorkDone() {
    try (var loop = new ParallelFor(2)) {
      var count = new AtomicInteger();
      Thread.currentThread().interrupt();

      loop.run(10, (_, _) -> count.incrementAndGet());

      assertThat(count).hasValue(10);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }

  /// Item 0 ends only when all others are done: those of its own slice too.
  @Test
  void aThreadThatIsDoneTakesTheWorkOfOneThatWaits() {
    try (var loop = new ParallelFor(2)) {
      var others = new CountDownLatch(15);

      loop.run(
          16,
          (item, _) -> {
            if (item == 0) {
              await(others);
            } else {
              others.countDown();
            }
          });

      assertThat(others.getCount()).isZero();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void throwsWhatTheLowestItemThrewAndGoesOn(int threads) {
    try (var loop = new ParallelFor(threads)) {
      assertThatThrownBy(
              () ->
                  loop.run(
                      20,
                      (item, _) -> {
                        if (item >= 5) {
                          throw new ArithmeticException("item " + item);
                        }
                      }))
          .isInstanceOf(ArithmeticException.class)
          .hasMessage("item 5");
      var done = new AtomicIntegerArray(4);
      loop.run(4, (item, _) -> done.incrementAndGet(item));
      assertThat(done).hasToString("[1, 1, 1, 1]");
    }
  }

  @Test
  void aRoundAllocatesNothing() {
    try (var loop = new ParallelFor(2)) {
      var done = new AtomicIntegerArray(8);
      ParallelFor.Work work = (item, _) -> done.incrementAndGet(item);
      Runnable rounds =
          () -> {
            for (int i = 0; i < 100; i++) {
              loop.run(8, work);
            }
          };

      // The first wait that ends in parking loads classes.
      assertThat(Allocation.settledBytesOf(1, rounds)).isZero();
    }
  }
}
