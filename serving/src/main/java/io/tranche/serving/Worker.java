package io.tranche.serving;

import io.tranche.runtime.DecisionRuntime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/// A thread that runs models for the instruments that are its own. What it is told of may be lost
/// when it is busy, because it reads days from the ledger, from where it left off.
final class Worker implements AutoCloseable {

  /// Something to do. All may rest on the first `events` events of the day.
  sealed interface Task {

    /// Something has happened that models of the day should know before they are asked.
    record Wake(LedgerDay day, int events) implements Task {}

    /// A model should know the day before it is asked.
    record Prepare(LedgerDay day, String model, int events) implements Task {}

    record Decide(Pending pending) implements Task {}

    /// @param model which shadow is asked
    record Shadow(String model, Pending pending) implements Task {}

    record Stop() implements Task {}
  }

  private record RuntimeKey(ServedModel model, boolean isShadow) {}

  private static final int SWEEP_EVERY = 1_000;

  private final ServiceConfig config;
  private final Models models;
  private final Counters counters;
  private final Advised advised;
  private final Interference interference;
  private final Observer observer;
  private final BlockingQueue<Task> queue;
  private final Thread thread;
  private final Map<LedgerDay, List<Mirror>> mirrors = new HashMap<>();
  private final Map<RuntimeKey, DecisionRuntime> runtimes = new HashMap<>();
  private int untilSweep = SWEEP_EVERY;

  /// Hears of what models say.
  interface Advised {
    void advised(Pending pending, Mirror.Advice advice);

    void failed(Pending pending, Counters.Fallback why);

    void shadowed(Pending pending, String model, double volume);
  }

  /// For tests: called before a model is asked.
  @FunctionalInterface
  interface Interference {
    Interference NONE = (_, _) -> {};

    void beforeAdvice(String model, String instrument);
  }

  Worker(
      String name,
      ServiceConfig config,
      Models models,
      Counters counters,
      Advised advised,
      Interference interference,
      Observer observer) {
    this.config = config;
    this.models = models;
    this.counters = counters;
    this.advised = advised;
    this.interference = interference;
    this.observer = observer;
    this.queue = new ArrayBlockingQueue<>(config.bounds().queue());
    this.thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  /// Adds a task unless too many wait.
  boolean offer(Task task) {
    return queue.offer(task);
  }

  int waiting() {
    return queue.size();
  }

  private void run() {
    try {
      for (Task task = queue.take(); !(task instanceof Task.Stop); task = queue.take()) {
        try {
          handle(task);
          if (--untilSweep == 0) {
            sweep();
          }
        } catch (RuntimeException e) {
          observer.noticed(new Observer.Notice(Observer.Kind.FAULT, "worker", e.toString()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
    for (Mirror mirror : mirrors.getOrDefault(day, List.of())) {
      if (!mirror.isLost()) {
        follow(mirror, events);
      }
    }
  }

  private void prepare(LedgerDay day, String model, int events) {
    Mirror mirror = mirror(day, model, false);
    if (mirror != null && !mirror.isLost()) {
      follow(mirror, events);
    }
  }

  private void follow(Mirror mirror, int events) {
    try {
      mirror.follow(events);
    } catch (RuntimeException e) {
      lose(mirror, e);
    }
  }

  private void lose(Mirror mirror, RuntimeException e) {
    mirror.lose();
    counters.daysLost.increment();
    observer.noticed(
        new Observer.Notice(
            Observer.Kind.MODEL_FAILED,
            mirror.served().name(),
            "failed on %s: %s".formatted(mirror.day().key(), e.getMessage())));
  }

  private void decide(Pending pending) {
    if (pending.isSettled()) {
      return;
    }
    LedgerOrder order = pending.order();
    Mirror mirror = mirror(order.day(), order.model(), false);
    if (mirror == null) {
      advised.failed(pending, Counters.Fallback.NOT_LOADED);
      return;
    }
    try {
      interference.beforeAdvice(order.model(), order.day().key().instrument());
      Mirror.Advice advice =
          mirror.isLost() ? null : mirror.advise(order.id(), pending.step(), pending.events());
      if (advice == null) {
        advised.failed(pending, Counters.Fallback.FAILED);
      } else {
        advised.advised(pending, advice);
      }
    } catch (RuntimeException e) {
      lose(mirror, e);
      advised.failed(pending, Counters.Fallback.FAILED);
    }
  }

  private void shadow(String model, Pending pending) {
    LedgerOrder order = pending.order();
    Mirror mirror = mirror(order.day(), model, true);
    if (mirror == null || mirror.isLost()) {
      return;
    }
    try {
      interference.beforeAdvice(model, order.day().key().instrument());
      Mirror.Advice advice = mirror.advise(order.id(), pending.step(), pending.events());
      if (advice != null) {
        advised.shadowed(pending, model, advice.volume());
      }
    } catch (RuntimeException e) {
      counters.shadowFailures.increment();
      lose(mirror, e);
    }
  }

  private @Nullable Mirror mirror(LedgerDay day, String model, boolean isShadow) {
    ServedModel served = models.find(model);
    if (served == null) {
      return null;
    }
    List<Mirror> ofDay = mirrors.computeIfAbsent(day, _ -> new ArrayList<>());
    for (Mirror mirror : ofDay) {
      if (mirror.served().equals(served) && mirror.isShadow() == isShadow) {
        return mirror;
      }
    }
    DecisionRuntime runtime =
        runtimes.computeIfAbsent(
            new RuntimeKey(served, isShadow), _ -> new DecisionRuntime(served.model()));
    var mirror = new Mirror(config, day, served, runtime, isShadow, counters);
    ofDay.add(mirror);
    return mirror;
  }

  /// Forgets days that have ended and models that were unloaded, in case nobody could tell.
  private void sweep() {
    untilSweep = SWEEP_EVERY;
    for (List<Mirror> ofDay : mirrors.values()) {
      ofDay.removeIf(
          mirror -> {
            boolean isOver = hasEnded(mirror.day()) || isGone(mirror.served());
            if (isOver) {
              mirror.close();
            }
            return isOver;
          });
    }
    mirrors.values().removeIf(List::isEmpty);
    runtimes.keySet().removeIf(key -> isGone(key.model()));
  }

  private boolean isGone(ServedModel served) {
    return !served.equals(models.find(served.name()));
  }

  private static boolean hasEnded(LedgerDay day) {
    synchronized (day.book()) {
      return day.hasEnded();
    }
  }

  /// Stops once everything that waits is done, or at once if that is too much.
  @Override
  public void close() {
    if (!queue.offer(new Task.Stop())) {
      thread.interrupt();
    }
  }
}
