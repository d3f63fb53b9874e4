package io.tranche.serving;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All threads that run models.
final class Workers implements AutoCloseable {

  private final List<Worker> workers = new ArrayList<>();

  /// One for the shadows of all instruments: however slow they are, nobody waits for them.
  private @Nullable Worker shadow;

  private volatile boolean hasShadows;

  void start(List<Worker> threads, Worker forShadows) {
    workers.addAll(threads);
    shadow = forShadows;
  }

  private Worker of(DayKey day) {
    int hash = day.instrument().hashCode() * 0x9e3779b9; // names often differ in their last digit
    return workers.get((hash >>> 16) % workers.size());
  }

  /// Says that something has happened. The lock of the day's book is held.
  void wake(LedgerDay day) {
    var wake = new Worker.Task.Wake(day, day.eventCount());
    of(day.key()).offer(wake);
    if (hasShadows && shadow != null) {
      shadow.offer(wake);
    }
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
    boolean isAsked = of(pending.order().day().key()).offer(new Worker.Task.Decide(pending));
    if (shadow != null) {
      for (String model : shadows) {
        hasShadows = true;
        shadow.offer(new Worker.Task.Shadow(model, pending));
      }
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
    if (shadow != null) {
      shadow.close();
    }
  }
}
