package io.tranche.env.vector;

import io.tranche.config.ConfigException;
import io.tranche.env.EnvWrapper;
import io.tranche.env.EpisodeFailure;
import io.tranche.env.LogCollector;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
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

/// Environments that each take the next shared initial state whenever they are reset. Qlib:
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

  /// @param threads number of threads that step the environments, including the caller's; with 1,
  ///   the caller steps them one after another
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
              "environment %d must be in an episode, was between episodes".formatted(slot.id));
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

  /// Returns the log of the last step of environment `id`; valid until its next step.
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

  /// Returns the initial state of the current episode of environment `id`.
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

  /// The environments of a vector and the threads that step them. When a method returns, every slot
  /// has an answer or a failure.
  private static final class Workers<I, O extends Observation> implements AutoCloseable {

    private final List<EnvWrapper<I, ?, ?, O>> environments = new ArrayList<>();
    private final ParallelFor threads;
    private List<Slot<I, O>> asked = List.of();
    private final ParallelFor.Work begin = (item, _) -> begin(asked.get(item));
    private final ParallelFor.Work step = (item, _) -> step(asked.get(item));

    Workers(Problem<I, ?, ?, O> problem, VectorConfig config, int threads) {
      for (int id = 0; id < config.size(); id++) {
        environments.add(problem.open(new LogCollector(config.logLevel())));
      }
      this.threads = new ParallelFor(Math.min(threads, config.size()));
    }

    void begin(List<Slot<I, O>> slots) {
      asked = slots;
      threads.run(slots.size(), begin);
    }

    void step(List<Slot<I, O>> slots) {
      asked = slots;
      threads.run(slots.size(), step);
    }

    private void begin(Slot<I, O> slot) {
      try {
        slot.begun(environments.get(slot.id).begin(slot.initialState()));
      } catch (Throwable e) { // reported with the slot: the driver decides
        slot.failed(e);
      }
    }

    private void step(Slot<I, O> slot) {
      try {
        slot.stepped(environments.get(slot.id).step(slot.action()));
      } catch (Throwable e) { // as above
        slot.failed(e);
      }
    }

    @Override
    public void close() {
      threads.close();
    }
  }

  /// Collects the episodes that ended in an exception.
  private static final class Quarantine {

    private final VectorConfig config;
    private List<EpisodeFailure> failures = new ArrayList<>();
    private int consecutive;

    Quarantine(VectorConfig config) {
      this.config = config;
    }

    /// Reports the slots that failed and returns them.
    ///
    /// @throws RuntimeException if failures must end the collect, or there are too many in a row
    <I, O extends Observation> List<Slot<I, O>> sift(List<Slot<I, O>> answered) {
      List<Slot<I, O>> failed = List.of();
      for (Slot<I, O> slot : answered) {
        Throwable cause = slot.failure();
        if (cause == null) {
          // Only a step proves that the problem works: broken ones often begin without error.
          consecutive = slot.last() == null ? consecutive : 0;
          continue;
        }
        if (failed.isEmpty()) {
          failed = new ArrayList<>();
        }
        failed.add(slot);
        if (cause instanceof Error) {
          // Errors such as running out of memory are not the fault of the episode, but its name
          // helps to find the cause.
          throw new EnvironmentException(slot.report(unchecked(cause)).toString(), cause);
        }
        add(slot.report(episodeFailure(cause)));
      }
      return failed;
    }

    private RuntimeException episodeFailure(Throwable cause) {
      RuntimeException exception = unchecked(cause);
      // A wrong configuration affects all episodes.
      if (config.onFailure() == OnFailure.PROPAGATE || exception instanceof ConfigException) {
        throw exception;
      }
      return exception;
    }

    private static RuntimeException unchecked(Throwable cause) {
      return cause instanceof RuntimeException unchecked
          ? unchecked
          : new EnvironmentException("an episode failed: " + cause, cause);
    }

    private void add(EpisodeFailure failure) {
      failures.add(failure);
      consecutive++;
      if (consecutive > config.maxConsecutiveFailures()) {
        throw new EnvironmentException(
            "at most %d episodes in a row may fail, was %d; the last: %s"
                .formatted(config.maxConsecutiveFailures(), consecutive, failure),
            failure.cause());
      }
    }

    List<EpisodeFailure> take() {
      List<EpisodeFailure> taken = List.copyOf(failures);
      failures = new ArrayList<>();
      return taken;
    }
  }
}
