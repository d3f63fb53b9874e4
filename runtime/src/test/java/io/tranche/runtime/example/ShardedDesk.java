package io.tranche.runtime.example;

import io.tranche.runtime.LoadedModel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// One thread a core over instruments: each has a desk of its own, all share the model, and an
/// instrument always goes to the same one. There is nothing to lock.
final class ShardedDesk implements AutoCloseable {

  private record Shard(ExecutorService thread, Desk desk) {}

  private final List<Shard> shards;

  /// @param market hears of child orders from all threads
  ShardedDesk(LoadedModel model, int threads, Desk.Market market) {
    shards =
        IntStream.range(0, threads)
            .mapToObj(_ -> new Shard(Executors.newSingleThreadExecutor(), new Desk(model, market)))
            .toList();
  }

  /// Does something with the desk of `instrument`, on its thread.
  CompletableFuture<Void> on(String instrument, Consumer<Desk> task) {
    Shard shard = shards.get(Math.floorMod(instrument.hashCode(), shards.size()));
    return CompletableFuture.runAsync(() -> task.accept(shard.desk()), shard.thread());
  }

  /// Takes all decisions that are due, on all threads.
  CompletableFuture<Void> decide() {
    return CompletableFuture.allOf(
        shards.stream()
            .map(shard -> CompletableFuture.runAsync(shard.desk()::decide, shard.thread()))
            .toArray(CompletableFuture[]::new));
  }

  @Override
  public void close() {
    shards.forEach(shard -> shard.thread().close());
  }
}
