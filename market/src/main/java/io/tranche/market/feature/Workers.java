package io.tranche.market.feature;

import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/// Runs numbered tasks on a few threads.
final class Workers {

  private Workers() {}

  /// Runs `task` for 0 to `count`; the failure of the lowest number is the one that is thrown.
  static void forEach(int threads, int count, IntConsumer task) {
    var pending = new ArrayList<Future<?>>();
    try (var pool = Executors.newFixedThreadPool(threads)) {
      for (int i = 0; i < count; i++) {
        int number = i;
        pending.add(pool.submit(() -> task.accept(number)));
      }
      for (Future<?> future : pending) {
        try {
          future.get();
        } catch (ExecutionException e) {
          pool.shutdownNow();
          if (e.getCause() instanceof RuntimeException cause) {
            throw cause;
          }
          throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
          pool.shutdownNow();
          Thread.currentThread().interrupt();
          throw new IllegalStateException("features must not be interrupted", e);
        }
      }
    }
  }
}
