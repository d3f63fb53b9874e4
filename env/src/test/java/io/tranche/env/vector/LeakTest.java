package io.tranche.env.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.walk.TargetWalk;
import io.tranche.env.walk.TargetWalk.Seen;
import io.tranche.env.walk.TargetWalk.Start;
import io.tranche.env.walk.Walkers;
import io.tranche.testkit.Cases;
import io.tranche.testkit.Heap;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Vectors leave no threads, file handles or memory behind.
class LeakTest {

  private static final Path HANDLES = Path.of("/proc/self/fd");

  @Test
  void tenThousandResetsLeaveMemoryThreadsAndHandlesFlat() {
    try (var environments = endless(2, 8)) {
      resets(environments, 200);
      long threads = ourThreads();
      int handles = handles();
      long memory = Heap.used();

      resets(environments, 10_000);

      assertThat(ourThreads()).isEqualTo(threads);
      assertHandles(handles);
      assertThat(Heap.growthSince(memory, 4 << 20)).isLessThan(4 << 20);
    }
    assertThat(ourThreads()).isZero();
  }

  private static void resets(FiniteVectorEnv<Start, ?> environments, int count) {
    int[] ids = {0, 1, 2, 3, 4, 5, 6, 7};
    var actions = Stream.generate(() -> new Action.Discrete(2)).limit(8).toArray(Action[]::new);
    for (int i = 0; i < count; i += 8) {
      environments.reset(ids);
      environments.step(ids, actions);
    }
  }

  @Test
  void thousandsOfCollectsLeaveNoThreads() {
    int handles = handles();
    try (var environments = endless(3, 6)) {
      for (int i = 0; i < Cases.count(300, 3_000); i++) {
        environments.guarded(() -> environments.reset(0, 1, 2, 3, 4, 5));

        assertThat(ourThreads()).isZero();
      }
    }
    assertHandles(handles);
  }

  @Test
  void aConsumerThatStopsEarlyLeavesNothingRunningAndTheNextCollectWorks() {
    assumeThat(File.separatorChar).isEqualTo('/');
    try (var environments = endless(2, 2)) {
      for (int round = 0; round < 2; round++) {
        int handles = handles();
        try {
          environments.guarded(
              () -> {
                collector(environments).collectSteps(5);
                throw new UnsupportedOperationException("enough");
              });
        } catch (UnsupportedOperationException e) {
          assertThat(e).hasMessage("enough");
        }

        assertThat(ourThreads()).isZero();
        assertHandles(handles);
      }
      assertThat(environments.guarded(() -> collector(environments).collectEpisodes(3)).episodes())
          .isEqualTo(3);
    }
  }

  private static Collector<?> collector(FiniteVectorEnv<Start, Seen> environments) {
    return new Collector<>(
        Walkers.BEST, Policy.Mode.TRAIN, environments, _ -> {}, Collector.Resets.NEEDED, 1, 0);
  }

  private static FiniteVectorEnv<Start, Seen> endless(int threads, int size) {
    Iterator<Start> starts = Stream.generate(() -> new Start(4)).iterator();
    return Vectors.make(threads, TargetWalk.problem(), starts, VectorConfig.of(size));
  }

  private static long ourThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("tranche-parallel"))
        .count();
  }

  private static int handles() {
    if (!Files.isDirectory(HANDLES)) {
      return 0;
    }
    String[] names = HANDLES.toFile().list();
    return names == null ? 0 : List.of(names).size();
  }

  /// Compares the open handles with those before, and waits a moment for JVM threads to close
  /// theirs.
  private static void assertHandles(int before) {
    for (int i = 0; i < 3_000 && handles() > before + 4; i++) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(handles()).isLessThanOrEqualTo(before + 4);
  }
}
