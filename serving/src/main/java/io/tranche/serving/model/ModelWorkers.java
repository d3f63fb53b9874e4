package io.tranche.serving.model;

import io.tranche.serving.journal.Event;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.PendingDecision;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// All threads that run models.
public final class ModelWorkers implements AutoCloseable {

  private final List<ModelWorker> workers = new ArrayList<>();

  /// Runs the shadows of all instruments. Nothing waits for them, however slow they are.
  private @Nullable ModelWorker shadow;

  private volatile boolean hasShadows;

  public void start(List<ModelWorker> threads, ModelWorker forShadows) {
    workers.addAll(threads);
    shadow = forShadows;
  }

  /// Lets each worker handle one task, for services without threads.
  ///
  /// @return whether there was one
  public boolean step() {
    boolean hasWorked = shadow != null && shadow.step();
    for (ModelWorker each : workers) {
      hasWorked |= each.step();
    }
    return hasWorked;
  }

  private ModelWorker of(Event.DayKey day) {
    int hash = day.instrument().hashCode() * 0x9e3779b9; // names often differ in their last digit
    return workers.get((hash >>> 16) % workers.size());
  }

  /// Wakes the workers after an event. The caller holds the lock of the instrument's state.
  public void wake(LedgerDay day) {
    var wake = new ModelWorker.Task.Wake(day, day.eventCount());
    of(day.key()).offer(wake);
    if (hasShadows && shadow != null) {
      shadow.offer(wake);
    }
  }

  /// Lets a model read a day, so that the first decision need not wait. The caller holds the lock
  /// of the instrument's state.
  public void prepare(LedgerDay day, String model) {
    of(day.key()).offer(new ModelWorker.Task.Prepare(day, model, day.eventCount()));
  }

  /// Requests a decision. The caller holds the lock of the instrument's state.
  ///
  /// @return false if the worker's queue is full
  public boolean ask(PendingDecision pending, List<String> shadows) {
    boolean isAsked = of(pending.order.day().key()).offer(new ModelWorker.Task.Decide(pending));
    if (shadow != null) {
      for (String model : shadows) {
        hasShadows = true;
        shadow.offer(new ModelWorker.Task.Shadow(model, pending));
      }
    }
    return isAsked;
  }

  /// Returns the number of tasks that wait for the busiest worker.
  public int waiting() {
    return workers.stream().mapToInt(ModelWorker::waiting).max().orElse(0);
  }

  @Override
  public void close() {
    workers.forEach(ModelWorker::close);
    if (shadow != null) {
      shadow.close();
    }
  }
}
