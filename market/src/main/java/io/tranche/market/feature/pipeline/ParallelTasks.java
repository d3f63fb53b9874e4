package io.tranche.market.feature.pipeline;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/// Runs numbered tasks on a few threads.
final class ParallelTasks {

  private ParallelTasks() {}

  /// Runs `task` for 0 to `count`. After a failure no further task begins; of several failures,
  /// that of the lowest number is thrown.
  static void forEach(int threads, int count, IntConsumer task) {
    var pending = new ArrayList<Future<?>>();
    var failed = new AtomicBoolean();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < count; i++) {
        int number = i;
        pending.add(pool.submit(() -> attempt(task, number, failed)));
      }
      for (Future<?> future : pending) {
        try {
          future.get();
        } catch (ExecutionException e) {
          if (e.getCause() instanceof RuntimeException cause) {
            throw cause;
          }
          throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
          failed.set(true);
          Thread.currentThread().interrupt();
          throw new IllegalStateException("features must not be interrupted", e);
        }
      }
    }
  }

  private static void attempt(IntConsumer task, int number, AtomicBoolean failed) {
    try {
      if (!failed.get()) {
        task.accept(number);
      }
    } catch (RuntimeException | Error e) {
      failed.set(true);
      throw e;
    }
  }
}
