package io.tranche.serving;

import java.util.ArrayList;
import java.util.List;

/// All threads that run models.
final class Workers implements AutoCloseable {

  private final List<Worker> workers = new ArrayList<>();

  void start(List<Worker> threads) {
    workers.addAll(threads);
  }

  private Worker of(DayKey day) {
    int hash = day.instrument().hashCode() * 0x9e3779b9; // names often differ in their last digit
    return workers.get((hash >>> 16) % workers.size());
  }

  /// Says that something has happened. The lock of the day's book is held.
  void wake(LedgerDay day) {
    of(day.key()).offer(new Worker.Task.Wake(day, day.eventCount()));
  }

  /// Lets a model read a day, so that the first decision need not wait. The lock of its book is
  /// held.
  void prepare(LedgerDay day, String model) {
    of(day.key()).offer(new Worker.Task.Prepare(day, model, day.eventCount()));
  }

  /// Asks for a decision. The lock of the day's book is held.
  ///
  /// @return whether the worker will hear of it
  boolean ask(Pending pending, List<String> shadows) {
    Worker worker = of(pending.order().day().key());
    boolean isAsked = worker.offer(new Worker.Task.Decide(pending));
    for (String shadow : shadows) {
      worker.offer(new Worker.Task.Shadow(shadow, pending));
    }
    return isAsked;
  }

  /// Returns how many tasks wait for the busiest.
  int waiting() {
    return workers.stream().mapToInt(Worker::waiting).max().orElse(0);
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
  }
}
