package io.tranche.trainer;

import io.tranche.env.EpisodeFailure;
import io.tranche.env.LogLevel;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.log.EpisodeLog;
import io.tranche.env.log.LogBuffer;
import io.tranche.env.vector.VectorConfig;
import io.tranche.policy.learn.DivergenceException;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.trainer.TrainingProgress.Moment;
import io.tranche.trainer.TrainingProgress.Phase;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.checkpoint.RunPosition;
import io.tranche.trainer.checkpoint.Stage;
import io.tranche.trainer.checkpoint.Stop;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Runs iterations of collecting and learning until a budget, a callback or a user ends the run.
/// Qlib: `qlib.rl.trainer.Trainer`.
///
/// Used by one thread, except [#requestStop].
public final class Trainer {

  private final TrainerConfig config;
  private final Map<String, Callback> callbacks;
  private final Map<String, LogWriter> loggers;
  private final VectorConfig vectorConfig;
  private final TrainingProgress progress;
  private final InstantSource clock;

  private final Map<String, Double> metrics = new LinkedHashMap<>();
  private @Nullable VesselRun<?, ?> run;
  private Stage stage = Stage.TRAIN;
  private @Nullable Stop stop;
  private long iterations;
  private long episodes;
  private long failedEpisodes;
  private @Nullable Path lastCheckpoint;
  private volatile boolean stopRequested;

  // The current phase: its number of episodes, and when it began.
  private Phase phase = Phase.COLLECT;
  private long phaseEpisodes;
  private Instant phaseStart = Instant.EPOCH;

  /// Makes a trainer that reports no progress.
  public Trainer(
      TrainerConfig config, List<? extends Callback> callbacks, List<? extends LogWriter> loggers) {
    this(config, callbacks, loggers, TrainingProgress.NONE, InstantSource.fixed(Instant.EPOCH));
  }

  /// @param clock measures the rates in `progress`; changes no result
  public Trainer(
      TrainerConfig config,
      List<? extends Callback> callbacks,
      List<? extends LogWriter> loggers,
      TrainingProgress progress,
      InstantSource clock) {
    this.config = config;
    this.progress = progress;
    this.clock = clock;
    this.callbacks = named(callbacks, Callback::name);
    LogLevel level =
        loggers.stream()
            .map(LogWriter::level)
            .min(Comparator.comparingInt(LogLevel::code))
            .orElse(LogLevel.PERIODIC);
    var buffer = new LogBuffer(this::measured, config.quirks().dilutesMeans());
    var all = new ArrayList<LogWriter>(loggers);
    all.add(new EpisodeLog(buffer, level));
    this.loggers = named(all, LogWriter::name);
    this.vectorConfig = VectorConfig.of(config.concurrency()).with(level).with(config.onFailure());
  }

  /// Returns the members by name; a name that occurs again gets a number.
  private static <T> Map<String, T> named(
      List<? extends T> members, Function<? super T, String> name) {
    var named = new LinkedHashMap<String, T>();
    for (T member : members) {
      String own = name.apply(member);
      String free = own;
      for (int i = 1; named.containsKey(free); i++) {
        free = own + i;
      }
      named.put(free, member);
    }
    return Collections.unmodifiableMap(named);
  }

  /// Trains from the beginning.
  ///
  /// @throws TrainingException if training diverges
  public <I, O extends Observation> void fit(TrainingVessel<I, O> vessel) {
    run = open(vessel);
    continueFrom(new RunPosition(config.seed(), 0, 0, Stage.TRAIN, null, 0, 0), Map.of(), null);
    fit(run);
  }

  /// Continues from a checkpoint, as if training had never stopped.
  ///
  /// A callback or logger that is not in the checkpoint keeps its state. A run that a callback
  /// stopped stays stopped.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if the file is damaged or belongs to
  ///   another run: with another seed, model or number of environments
  /// @throws TrainingException if training diverges
  public <I, O extends Observation> void resume(TrainingVessel<I, O> vessel, Path file) {
    Checkpoint checkpoint = CheckpointFile.read(file);
    VesselRun<I, O> opened = open(vessel);
    run = opened;
    new Resume(file, checkpoint).restore(config, opened, callbacks, loggers);
    continueFrom(checkpoint.position(), checkpoint.metrics(), file);
    stopAtTheBudget();
    fit(opened);
  }

  private void continueFrom(RunPosition from, Map<String, Double> last, @Nullable Path file) {
    metrics.clear();
    metrics.putAll(last);
    stage = from.stage();
    iterations = from.iterations();
    episodes = from.episodes();
    failedEpisodes = from.failedEpisodes();
    lastCheckpoint = file;
    stop = from.stop() == Stop.CALLBACK ? Stop.CALLBACK : null;
  }

  /// Runs the policy without exploration in every episode of the test data.
  public <I, O extends Observation> void test(TrainingVessel<I, O> vessel) {
    VesselRun<I, O> opened = open(vessel);
    run = opened;
    metrics.clear();
    stage = Stage.TEST;
    announce(Hook.TEST_START);
    opened.evaluate(Stage.TEST, iterations);
    announce(Hook.TEST_END);
  }

  private <I, O extends Observation> VesselRun<I, O> open(TrainingVessel<I, O> vessel) {
    return new VesselRun<>(this, config, vessel, vectorConfig, List.copyOf(loggers.values()));
  }

  private void fit(VesselRun<?, ?> current) {
    announce(Hook.FIT_START);
    while (stop == null) {
      metrics.clear();
      announce(Hook.ITERATION_START);
      stage = Stage.TRAIN;
      announce(Hook.TRAIN_START);
      train(current);
      announce(Hook.TRAIN_END);
      if (config.validateEvery() != null && (iterations + 1) % config.validateEvery() == 0) {
        stage = Stage.VALIDATE;
        announce(Hook.VALIDATE_START);
        current.evaluate(Stage.VALIDATE, iterations);
        announce(Hook.VALIDATE_END);
      }
      iterations++;
      stopAtTheBudget();
      if (stopRequested && stop == null) {
        stop = Stop.REQUEST;
      }
      announce(Hook.ITERATION_END);
    }
    stopRequested = false;
    announce(Hook.FIT_END);
  }

  private void train(VesselRun<?, ?> current) {
    try {
      current.train(iterations);
    } catch (DivergenceException e) {
      throw new TrainingException(iterations + 1, lastCheckpoint, e);
    }
  }

  private void stopAtTheBudget() {
    Integer budget = config.maxIterations();
    if (stop == null && budget != null && iterations >= budget) {
      stop = Stop.BUDGET;
    }
  }

  private void announce(Hook hook) {
    callbacks.values().forEach(callback -> callback.on(hook, this));
    callbacks.values().forEach(callback -> callback.after(hook, this));
  }

  /// Ends the run after this iteration, for good. For callbacks.
  public void stop() {
    stop = Stop.CALLBACK;
  }

  /// Ends the run after the current iteration, so that it can be resumed. Any thread may call it.
  public void requestStop() {
    stopRequested = true;
  }

  /// Whether the run ends after this iteration. Qlib: `should_stop`.
  public boolean isStopping() {
    return stop != null;
  }

  /// Returns why the run ends after this iteration, or null if it does not.
  public @Nullable Stop stopReason() {
    return stop;
  }

  /// Returns the number of completed iterations. Qlib: `current_iter`.
  public long iterations() {
    return iterations;
  }

  /// Returns the number of episodes counted. Qlib: `current_episode`.
  public long episodes() {
    return episodes;
  }

  /// Returns the number of episodes that ended in an exception and were set aside.
  public long failedEpisodes() {
    return failedEpisodes;
  }

  public Stage stage() {
    return stage;
  }

  /// Returns the metrics of this iteration, or of the test, in order of appearance; those of
  /// validation begin with `val/`. A view.
  public Map<String, Double> metrics() {
    return Collections.unmodifiableMap(metrics);
  }

  /// Returns the callbacks by their names in checkpoints.
  public Map<String, Callback> callbacks() {
    return callbacks;
  }

  /// Returns the log writers by their names in checkpoints, the trainer's own last.
  public Map<String, LogWriter> loggers() {
    return loggers;
  }

  public TrainerConfig config() {
    return config;
  }

  public TrainingProgress progress() {
    return progress;
  }

  /// Returns the weights of the agent in training or test.
  ///
  /// @throws IllegalStateException if there is none yet
  public PolicyWeights policyWeights() {
    return current().vessel().algorithm().agent().weights();
  }

  /// Returns the complete state of the run, which can be resumed if taken between iterations.
  ///
  /// @throws IllegalStateException if there is no run yet
  public Checkpoint checkpoint() {
    VesselRun<?, ?> current = current();
    long taken = current.statesTaken();
    var position =
        new RunPosition(config.seed(), iterations, episodes, stage, stop, taken, failedEpisodes);
    return Resume.checkpoint(
        position, current, metrics, callbacks, loggers, config.resolvedConfig());
  }

  private VesselRun<?, ?> current() {
    if (run == null) {
      throw new IllegalStateException("training or testing must have begun, was not");
    }
    return run;
  }

  /// Remembers where the run was saved last.
  public void saved(Path file) {
    lastCheckpoint = file;
  }

  /// Adds a number to the metrics of this iteration. Qlib: `vessel.log`.
  public void log(String name, double value) {
    progress.logged(name, value);
    if (!config.quirks().hidesUpdates()) {
      metrics.put(stage.prefix() + name, value);
    }
  }

  void failed(List<EpisodeFailure> failures) {
    failedEpisodes += failures.size();
    failures.forEach(progress::failed);
  }

  void begin(Phase next, long total) {
    phase = next;
    phaseEpisodes = total;
    phaseStart = clock.instant();
    report(0, Map.of());
  }

  private void measured(LogBuffer.Moment moment, LogBuffer buffer) {
    Map<String, Double> means = buffer.collectMetrics();
    switch (moment) {
      case EPISODE -> {
        if (config.quirks().countsAllEpisodes()) {
          episodes = buffer.counters().globalEpisode();
        } else if (stage == Stage.TRAIN) {
          episodes++;
        }
        put(buffer.episodeMetrics());
        report(buffer.counters().episodeCount(), means);
      }
      case COLLECT -> put(means);
    }
  }

  private void put(Map<String, Double> values) {
    values.forEach((name, value) -> metrics.put(stage.prefix() + name, value));
  }

  private void report(long done, Map<String, Double> means) {
    double seconds = Duration.between(phaseStart, clock.instant()).toNanos() / 1e9;
    double rate = seconds > 0 ? done / seconds : Double.NaN;
    Integer budget = config.maxIterations();
    progress.on(new Moment(iterations + 1, budget, phase, done, phaseEpisodes, rate, means));
  }
}
