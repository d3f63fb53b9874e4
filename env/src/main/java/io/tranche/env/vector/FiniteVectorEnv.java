package io.tranche.env.vector;

import io.tranche.env.EpisodeFailure;
import io.tranche.env.LogCollector;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Step;
import io.tranche.env.space.Action;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Environments that each take the next of the shared initial states whenever they are reset. Qlib:
/// `FiniteVectorEnv`, `vectorize_env`.
///
/// Initial states are handed out, and results read, on the driver's thread in the order of the ids,
/// so the number of threads never changes a result.
///
/// @param <I> what an episode begins with
/// @param <O> the observation
public final class FiniteVectorEnv<I, O extends Observation> implements VectorEnv<O> {

  private final Iterator<? extends I> initialStates;
  private final List<LogWriter> writers;
  private final Supplier<Workers<I, O>> start;
  private final List<Slot<I, O>> slots = new ArrayList<>();
  private final List<Slot<I, O>> asked = new ArrayList<>();
  private final Quarantine quarantine;
  private @Nullable Workers<I, O> workers;
  private @Nullable O defaultObservation;
  private @Nullable Step<O> defaultStep;
  private Map<String, LogCollector.Entry> defaultLog = Map.of();
  private long episodes;
  private boolean guarded;
  private boolean usedUp;

  /// @param threads how many step the environments, the caller's included; with 1 the caller's own
  ///   thread steps them one after another
  public FiniteVectorEnv(
      Problem<I, ?, ?, O> problem,
      Iterator<? extends I> initialStates,
      VectorConfig config,
      List<? extends LogWriter> writers,
      int threads) {
    this.initialStates = initialStates;
    this.writers = List.copyOf(writers);
    this.quarantine = new Quarantine(config);
    this.start = () -> new Workers<>(problem, config, threads);
    for (int id = 0; id < config.size(); id++) {
      slots.add(new Slot<>(id));
    }
  }

  @Override
  public int size() {
    return slots.size();
  }

  @Override
  public <R> R guarded(Supplier<R> collect) {
    if (guarded) {
      throw new IllegalStateException("a collect must be over before the next begins");
    }
    guarded = true;
    R result;
    try {
      writers.forEach(LogWriter::onEnvAllReady);
      result = collect.get();
    } finally {
      guarded = false;
      close();
    }
    writers.forEach(LogWriter::onEnvAllDone);
    return result;
  }

  @Override
  public boolean reset(int... ids) {
    requireUsable();
    Workers<I, O> current = workers();
    asked.clear();
    for (int id : ids) {
      handOut(slots.get(id));
    }
    while (!asked.isEmpty()) {
      current.begin(asked);
      List<Slot<I, O>> failed = quarantine.sift(asked);
      asked.clear();
      failed.forEach(this::handOut);
    }
    for (int id : ids) {
      announce(slots.get(id));
    }
    usedUp = slots.stream().noneMatch(slot -> slot.alive);
    return !usedUp;
  }

  private void announce(Slot<I, O> slot) {
    O observation = slot.observation();
    if (slot.alive && observation != null) {
      for (LogWriter writer : writers) {
        writer.onEnvReset(slot.id, observation);
      }
      defaultObservation = defaultObservation == null ? observation : defaultObservation;
    }
  }

  private void handOut(Slot<I, O> slot) {
    if (!slot.alive) {
      return;
    }
    if (initialStates.hasNext()) {
      slot.assign(initialStates.next(), episodes++);
      asked.add(slot);
    } else {
      slot.alive = false;
      slot.running = false;
    }
  }

  @Override
  public void step(int[] ids, Action[] actions) {
    requireUsable();
    if (actions.length != ids.length) {
      throw new IllegalArgumentException(
          "actions must be %d, one for each id, was %d".formatted(ids.length, actions.length));
    }
    asked.clear();
    for (int row = 0; row < ids.length; row++) {
      Slot<I, O> slot = slots.get(ids[row]);
      if (slot.alive) {
        if (!slot.running) {
          throw new IllegalStateException(
              "environment %d must be in an episode, was between two".formatted(slot.id));
        }
        slot.decide(actions[row]);
        asked.add(slot);
      }
    }
    workers().step(asked);
    quarantine.sift(asked);
    for (Slot<I, O> slot : asked) {
      Step<O> step = slot.last();
      if (slot.failure() == null && step != null) {
        for (LogWriter writer : writers) {
          writer.onEnvStep(
              slot.id, step.observation(), step.reward(), step.done(), step.log().entries());
        }
        if (defaultStep == null) {
          defaultStep = step;
          defaultLog = new LinkedHashMap<>(step.log().entries());
        }
      }
    }
  }

  private void requireUsable() {
    if (usedUp) {
      throw new IllegalStateException("a vector must not be used after its initial states ran out");
    }
  }

  private Workers<I, O> workers() {
    Workers<I, O> current = workers;
    if (current == null) {
      current = start.get();
      workers = current;
    }
    return current;
  }

  @Override
  public boolean isAlive(int id) {
    return slots.get(id).alive;
  }

  @Override
  public O observation(int id) {
    Slot<I, O> slot = slots.get(id);
    O observation = slot.alive ? slot.observation() : defaultObservation;
    if (observation == null) {
      throw new IllegalStateException("environment " + id + " must have been reset");
    }
    return observation;
  }

  @Override
  public double reward(int id) {
    Step<O> step = lastStep(id);
    return step == null ? 0 : step.reward();
  }

  @Override
  public boolean isDone(int id) {
    return slots.get(id).alive && slots.get(id).isDone();
  }

  @Override
  public boolean hasFailed(int id) {
    return slots.get(id).alive && slots.get(id).failure() != null;
  }

  /// Returns what the last step of environment `id` logged; valid until its next one.
  public Map<String, LogCollector.Entry> log(int id) {
    Step<O> step = lastStep(id);
    return step == null || !slots.get(id).alive ? defaultLog : step.log().entries();
  }

  private @Nullable Step<O> lastStep(int id) {
    Slot<I, O> slot = slots.get(id);
    return slot.alive ? slot.last() : defaultStep;
  }

  @Override
  public long episode(int id) {
    return slots.get(id).episode;
  }

  @Override
  public int stepsTaken(int id) {
    return slots.get(id).step;
  }

  /// Returns what the episode of environment `id` began with.
  public I initialState(int id) {
    return slots.get(id).initialState();
  }

  @Override
  public List<EpisodeFailure> takeFailures() {
    return quarantine.take();
  }

  /// Ends the threads. The next reset starts new ones, unless the initial states ran out.
  @Override
  public void close() {
    Workers<I, O> current = workers;
    workers = null;
    slots.forEach(slot -> slot.running = false);
    if (current != null) {
      current.close();
    }
  }
}
