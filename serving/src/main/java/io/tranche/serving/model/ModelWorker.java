package io.tranche.serving.model;

import io.tranche.runtime.DecisionRuntime;
import io.tranche.serving.Counters;
import io.tranche.serving.FatalError;
import io.tranche.serving.Observer;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.ledger.LedgerDay;
import io.tranche.serving.ledger.LedgerOrder;
import io.tranche.serving.ledger.PendingDecision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// A thread that runs models for its instruments. Wake-ups may be lost when it is busy, because it
/// reads each day's events from its last position.
public final class ModelWorker implements AutoCloseable {

  /// A task. It may use the first `events` events of the day.
  sealed interface Task {

    /// Lets the models of a day read new events before the next decision.
    record Wake(LedgerDay day, int events) implements Task {}

    /// Lets a model read a day before its first decision.
    record Prepare(LedgerDay day, String model, int events) implements Task {}

    record Decide(PendingDecision pending) implements Task {}

    /// @param model the shadow that decides
    record Shadow(String model, PendingDecision pending) implements Task {}

    record Stop() implements Task {}
  }

  private record RuntimeKey(LoadedModels.ServedModel model, boolean isShadow) {}

  private static final int SWEEP_EVERY = 1_000;

  private final ServiceConfig config;
  private final LoadedModels models;
  private final Counters counters;
  private final Advised advised;
  private final Interference interference;
  private final Observer observer;
  private final BlockingQueue<Task> queue;
  private final Thread thread;
  private final Map<LedgerDay, List<ModelReplica>> replicas = new HashMap<>();
  private final Map<RuntimeKey, DecisionRuntime> runtimes = new HashMap<>();
  private int untilSweep = SWEEP_EVERY;

  /// Receives the models' decisions.
  public interface Advised {
    void advised(PendingDecision pending, ModelReplica.Advice advice);

    void failed(PendingDecision pending, Counters.Fallback why);

    void shadowed(PendingDecision pending, String model, double volume);
  }

  /// For tests: called before a model decides.
  @FunctionalInterface
  public interface Interference {
    Interference NONE = (_, _) -> {};

    void beforeAdvice(String model, String instrument);
  }

  public ModelWorker(
      String name,
      ServiceConfig config,
      LoadedModels models,
      Counters counters,
      Advised advised,
      Interference interference,
      Observer observer,
      boolean isStepped) {
    this.config = config;
    this.models = models;
    this.counters = counters;
    this.advised = advised;
    this.interference = interference;
    this.observer = observer;
    this.queue = new ArrayBlockingQueue<>(config.bounds().queue());
    this.thread =
        Thread.ofPlatform().name(name).daemon().unstarted(FatalError.guarded(name, this::run));
    if (!isStepped) {
      thread.start();
    }
  }

  /// Handles the next task, for services without threads.
  ///
  /// @return whether there was one
  public boolean step() {
    Task task = queue.poll();
    if (task == null || task instanceof Task.Stop) {
      return false;
    }
    take(task);
    return true;
  }

  /// Adds a task unless too many are waiting.
  boolean offer(Task task) {
    return queue.offer(task);
  }

  int waiting() {
    return queue.size();
  }

  private void run() {
    try {
      for (Task task = queue.take(); !(task instanceof Task.Stop); task = queue.take()) {
        take(task);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(Task task) {
    try {
      handle(task);
      if (--untilSweep == 0) {
        sweep();
      }
    } catch (RuntimeException e) {
      observer.notice(Observer.Kind.FAULT, "worker", e.toString());
    }
  }

  private void handle(Task task) {
    switch (task) {
      case Task.Wake(var day, int events) -> wake(day, events);
      case Task.Prepare(var day, var model, int events) -> prepare(day, model, events);
      case Task.Decide(var pending) -> decide(pending);
      case Task.Shadow(var model, var pending) -> shadow(model, pending);
      case Task.Stop _ -> {}
    }
  }

  private void wake(LedgerDay day, int events) {
    for (ModelReplica replica : replicas.getOrDefault(day, List.of())) {
      follow(replica, events);
    }
  }

  private void prepare(LedgerDay day, String model, int events) {
    ModelReplica replica = replica(day, model, false);
    if (replica != null) {
      follow(replica, events);
    }
  }

  private void follow(ModelReplica replica, int events) {
    try {
      if (!replica.isLost()) {
        replica.follow(events);
      }
    } catch (RuntimeException | LinkageError e) {
      lose(replica, e);
    }
  }

  /// A plug-in that does not fit this version fails its model, not the service.
  private void lose(ModelReplica replica, Throwable e) {
    replica.lose();
    counters.daysLost.increment();
    observer.notice(
        Observer.Kind.MODEL_FAILED,
        replica.served.name(),
        "failed on %s: %s".formatted(replica.day.key(), e.getMessage()));
  }

  private void decide(PendingDecision pending) {
    if (pending.isSettled()) {
      return;
    }
    LedgerOrder order = pending.order;
    ModelReplica replica = replica(order.day(), order.model(), false);
    if (replica == null || !order.opened().isOf(replica.served.model().fingerprint())) {
      advised.failed(pending, Counters.Fallback.NOT_LOADED);
      return;
    }
    if (config.rules().needsEarlierDays() && replica.lacksDays()) {
      advised.failed(pending, Counters.Fallback.NO_EARLIER_DAYS);
      return;
    }
    try {
      interference.beforeAdvice(order.model(), order.day().key().instrument());
      ModelReplica.Advice advice =
          replica.isLost() ? null : replica.advise(order.id(), pending.step, pending.events);
      if (advice == null) {
        advised.failed(pending, Counters.Fallback.FAILED);
      } else {
        advised.advised(pending, advice);
      }
    } catch (RuntimeException | LinkageError e) {
      lose(replica, e);
      advised.failed(pending, Counters.Fallback.FAILED);
    }
  }

  private void shadow(String model, PendingDecision pending) {
    LedgerOrder order = pending.order;
    ModelReplica replica = replica(order.day(), model, true);
    if (replica == null || replica.isLost()) {
      return;
    }
    try {
      interference.beforeAdvice(model, order.day().key().instrument());
      ModelReplica.Advice advice = replica.advise(order.id(), pending.step, pending.events);
      if (advice != null) {
        advised.shadowed(pending, model, advice.volume());
      }
    } catch (RuntimeException | LinkageError e) {
      counters.shadowFailures.increment();
      lose(replica, e);
    }
  }

  private @Nullable ModelReplica replica(LedgerDay day, String model, boolean isShadow) {
    LoadedModels.ServedModel served = models.find(model);
    if (served == null) {
      return null;
    }
    List<ModelReplica> ofDay = replicas.computeIfAbsent(day, _ -> new ArrayList<>());
    for (ModelReplica replica : ofDay) {
      if (replica.served.equals(served) && replica.isShadow == isShadow) {
        return replica;
      }
    }
    DecisionRuntime runtime =
        runtimes.computeIfAbsent(
            new RuntimeKey(served, isShadow), _ -> new DecisionRuntime(served.model()));
    var replica = new ModelReplica(config, day, served, runtime, isShadow, counters);
    ofDay.add(replica);
    if (replica.lacksDays() && !isShadow) {
      observer.notice(
          Observer.Kind.DAYS_MISSING,
          model,
          "needs %d earlier days, but %s began with %d"
              .formatted(
                  served.model().spec().features().earlierDays(),
                  day.key(),
                  day.opened().earlier().size()));
    }
    return replica;
  }

  /// Forgets days that have ended and models that were unloaded, in case a wake-up was lost.
  private void sweep() {
    untilSweep = SWEEP_EVERY;
    for (List<ModelReplica> ofDay : replicas.values()) {
      ofDay.removeIf(
          replica -> {
            boolean isOver = hasEnded(replica.day) || isGone(replica.served);
            if (isOver) {
              replica.close();
            }
            return isOver;
          });
    }
    replicas.values().removeIf(List::isEmpty);
    runtimes.keySet().removeIf(key -> isGone(key.model()));
  }

  private boolean isGone(LoadedModels.ServedModel served) {
    return !served.equals(models.find(served.name()));
  }

  private static boolean hasEnded(LedgerDay day) {
    synchronized (day.instrument()) {
      return day.hasEnded();
    }
  }

  /// Stops after the waiting tasks, or at once if the queue is full.
  @Override
  public void close() {
    if (!queue.offer(new Task.Stop())) {
      thread.interrupt();
    }
  }
}
