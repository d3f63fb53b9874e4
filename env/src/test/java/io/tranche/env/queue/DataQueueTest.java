package io.tranche.env.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.tranche.testkit.Cases;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class DataQueueTest {

  private static final DataQueueConfig SHUFFLED = DataQueueConfig.DEFAULT.withSeed(7);
  private static final DataQueueConfig ORDERED = SHUFFLED.withShuffle(false);

  @Test
  void theOrderDependsOnSeedAndEpochAlone() {
    Cases.forAll(
        Cases.count(60, 2_000),
        random -> {
          int size = random.nextInt(1, 40);
          DataQueueConfig config =
              SHUFFLED.withRepeat(random.nextInt(1, 4)).withSeed(random.nextLong());
          List<Integer> alone = drain(size, config);
          int producers = random.nextInt(1, 5);
          int capacity = random.nextInt(1, 9);

          assertThat(drain(size, config.withProducers(producers, capacity))).isEqualTo(alone);
          for (int epoch = 0; epoch < config.repeat(); epoch++) {
            assertThat(alone.subList(epoch * size, (epoch + 1) * size))
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, size).boxed().toList());
          }
        });
  }

  @Test
  void epochsAndSeedsHaveOrdersOfTheirOwn() {
    List<Integer> first = drain(50, SHUFFLED.withRepeat(2));
    List<Integer> other = drain(50, SHUFFLED.withRepeat(2).withSeed(8));

    assertThat(first.subList(0, 50)).isNotEqualTo(first.subList(50, 100));
    assertThat(first).isNotEqualTo(other);
  }

  @Test
  void everyPlaceInTheOrderIsEquallyLikely() {
    var counts = new int[4][4];
    List<Integer> items = drain(4, SHUFFLED.withRepeat(10_000));
    for (int i = 0; i < items.size(); i++) {
      counts[i % 4][items.get(i)]++;
    }

    for (int[] place : counts) {
      for (int count : place) {
        assertThat(count).isBetween(2_300, 2_700);
      }
    }
  }

  @Test
  void aQueueGoesOnWhereAnotherStopped() {
    List<Integer> whole = drain(10, SHUFFLED.withRepeat(3));
    long position;
    try (var queue = queue(10, SHUFFLED.withRepeat(3)).activate()) {
      IntStream.range(0, 17).forEach(_ -> queue.take());
      position = queue.position();
    }

    assertThat(drain(10, SHUFFLED.withRepeat(3).withStart(position)))
        .isEqualTo(whole.subList(17, 30));
    assertThat(drain(10, SHUFFLED.withStart(99))).isEmpty();
  }

  @Test
  void manyConsumersGetEveryItemOnceAndInAscendingTurns() throws InterruptedException {
    for (int producers : new int[] {0, 1, 3}) {
      for (int consumers : new int[] {1, 2, 8}) {
        var taken = new ConcurrentLinkedQueue<Integer>();
        var isAscending = new ConcurrentLinkedQueue<Boolean>();
        try (var queue = queue(500, ORDERED.withProducers(producers, 3)).activate()) {
          List<Thread> threads =
              IntStream.range(0, consumers)
                  .mapToObj(
                      _ ->
                          Thread.startVirtualThread(
                              () -> {
                                int last = -1;
                                for (int item : queue) {
                                  isAscending.add(item > last);
                                  last = item;
                                  taken.add(item);
                                }
                              }))
                  .toList();
          for (Thread thread : threads) {
            thread.join();
          }
        }

        assertThat(taken)
            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500).boxed().toList());
        assertThat(isAscending).doesNotContain(false);
      }
    }
  }

  @Test
  void noMoreThanTheCapacityIsLoadedAhead() {
    var loaded = new AtomicInteger();
    var config = ORDERED.withRepeat(DataQueueConfig.ENDLESS).withProducers(4, 5);
    try (var queue =
        new DataQueue<>(
                3,
                index -> {
                  loaded.incrementAndGet();
                  return index;
                },
                config)
            .activate()) {
      for (int taken = 1; taken <= 200; taken++) {
        queue.take();
        assertThat(loaded.get()).isBetween(taken, taken + 5);
      }
      assertThat(queue.isProduced()).isFalse();
    }
  }

  @Test
  void aFailureGoesToWhoTakesTheItemAndTheRestFollows() {
    for (int producers : new int[] {0, 2}) {
      var queue =
          new DataQueue<>(3, DataQueueTest::failing, ORDERED.withProducers(producers, 2))
              .activate();

      assertThat(queue.take()).isEqualTo("0");
      assertThatIllegalStateException().isThrownBy(queue::take).withMessage("item 1 is broken");
      assertThat(queue.take()).isEqualTo("2");
      assertThat(queue.take()).isNull();
      queue.close();
    }
  }

  private static String failing(int index) {
    if (index == 1) {
      throw new IllegalStateException("item 1 is broken");
    }
    return "" + index;
  }

  @Test
  void anErrorInTheDataSetLeavesNobodyWaiting() {
    try (var queue =
        new DataQueue<Integer>(
                1,
                _ -> {
                  throw new StackOverflowError();
                },
                ORDERED.withProducers(1, 1))
            .activate()) {

      assertThatIllegalStateException()
          .isThrownBy(queue::take)
          .withMessage("item must load, was item 0")
          .withCauseInstanceOf(StackOverflowError.class);
    }
  }

  @Test
  void closingWakesWhoWaitsAndEndsEveryThread() throws InterruptedException {
    int before = queueThreads();
    for (int i = 0; i < 50; i++) {
      var isLoading = new CountDownLatch(1);
      var queue =
          new DataQueue<>(
                  2,
                  _ -> {
                    isLoading.countDown();
                    return blocked();
                  },
                  ORDERED.withProducers(2, 2))
              .activate();
      var results = new ConcurrentLinkedQueue<Boolean>();
      Thread consumer = Thread.startVirtualThread(() -> results.add(queue.take() == null));
      isLoading.await();

      queue.close();
      queue.close();
      consumer.join();

      assertThat(results).containsExactly(true);
      assertThat(queue.take()).isNull();
    }
    assertThat(queueThreads()).isEqualTo(before);
  }

  private static Integer blocked() {
    try {
      new CountDownLatch(1).await();
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Test
  void aConsumerThatStopsEarlyLeavesNothingBehind() {
    int before = queueThreads();
    var random = new SplittableRandom(1);
    for (int i = 0; i < 100; i++) {
      try (var queue =
          queue(20, SHUFFLED.withRepeat(-1).withProducers(random.nextInt(4), 3)).activate()) {
        IntStream.range(0, random.nextInt(30)).forEach(_ -> queue.take());
      }
    }

    assertThat(queueThreads()).isEqualTo(before);
  }

  @Test
  void itemsPutByHandComeFirst() {
    try (var queue = queue(2, ORDERED)) {
      queue.put(99);
      queue.activate();

      assertThat(queue).containsExactly(99, 0, 1);
      assertThat(queue.iterator().hasNext()).isFalse();
    }
  }

  @Test
  void misuseIsNamed() {
    var queue = queue(1, ORDERED);

    assertThatIllegalStateException().isThrownBy(queue::iterator);
    assertThatIllegalStateException().isThrownBy(queue::take);
    queue.activate();
    assertThatIllegalStateException().isThrownBy(queue::activate);
    queue.close();
    assertThatIllegalStateException().isThrownBy(queue::activate);
    assertThat(queue.iterator().hasNext()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> queue.iterator().next());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> queue(0, ORDERED.withRepeat(-1)))
        .withMessage("size must be positive to repeat endlessly, was 0");
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERED.withRepeat(-2));
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERED.withProducers(1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERED.withProducers(1 << 20, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> ORDERED.withStart(-1));
  }

  private static int queueThreads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().startsWith("tranche-data-queue-"))
            .count();
  }

  private static DataQueue<Integer> queue(int size, DataQueueConfig config) {
    return new DataQueue<>(IntStream.range(0, size).boxed().toList(), config);
  }

  private static List<Integer> drain(int size, DataQueueConfig config) {
    var items = new ArrayList<Integer>();
    try (var queue = queue(size, config).activate()) {
      queue.forEach(items::add);
      assertThat(queue.isProduced()).isTrue();
    }
    return items;
  }
}
