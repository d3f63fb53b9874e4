package io.tranche.run;

import io.tranche.config.ConfigException;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.log.CsvLogWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.files.FolderLock;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.run.TrainerSettings.ParallelMode;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.CheckedOrders;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderPlayer.PutAside;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.Callback;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.QlibQuirks;
import io.tranche.trainer.Stages;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainerConfig;
import io.tranche.trainer.TrainingProgress;
import io.tranche.trainer.TrainingVessel;
import io.tranche.trainer.callback.BestCheckpoints;
import io.tranche.trainer.callback.CheckpointWriter;
import io.tranche.trainer.callback.EarlyStopping;
import io.tranche.trainer.callback.EarlyStoppingConfig;
import io.tranche.trainer.callback.MetricsWriter;
import io.tranche.trainer.callback.MonitorCheck;
import io.tranche.trainer.callback.ProcessLog;
import io.tranche.trainer.callback.RunLog;
import io.tranche.trainer.callback.StopFile;
import io.tranche.trainer.callback.TensorBoardCurves;
import io.tranche.trainer.catalog.LogWriterMaker;
import io.tranche.trainer.catalog.TrainerCatalog;
import io.tranche.trainer.checkpoint.CheckpointFile;
import io.tranche.trainer.rollout.Rollouts;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// An [ExecutionRun] put together: it trains, resumes and tests, and leaves everything in its run
/// folder. Qlib: `qlib.rl.contrib.train_onpolicy`.
///
/// @param <O> what the policy sees
public final class TrainingRun<O extends Observation> implements AutoCloseable {

  private final ExecutionRun run;
  private final RunFolder folder;
  private final TrainingOptions options;
  private final TrainingProgress progress;
  private final InstantSource clock;
  private final RunParts<O> parts;
  private final ParallelFor parallel;
  private final FolderLock lock;
  private final Algorithm<O> algorithm;
  private volatile @Nullable Trainer trainer;
  private final List<String> skipped = new ArrayList<>();

  private TrainingRun(
      RunParts<O> parts,
      TrainingOptions options,
      TrainingProgress progress,
      InstantSource clock,
      @Nullable Distillation<O> distillation,
      ParallelFor parallel,
      FolderLock lock) {
    this.run = parts.run();
    this.folder = new RunFolder(options.folder());
    this.options = options;
    this.progress = progress;
    this.clock = clock;
    this.parts = parts;
    this.parallel = parallel;
    this.lock = lock;
    AgentSpec<O> spec = parts.agent();
    this.algorithm = spec.algorithm(agent(spec), distillation, parallel);
  }

  /// Puts a run together, and makes the data it needs. The run folder is locked until the run is
  /// closed.
  ///
  /// @param listener is told what data are being made
  /// @param progress is told how training goes
  /// @param clock for the rates told to `progress` and the times in event files; changes no result
  /// @throws ConfigException if a part is unknown, or wrong, or another process works in the folder
  /// @throws DataException if data are missing or wrong
  public static TrainingRun<?> open(
      ExecutionRun run,
      TrainingOptions options,
      RunListener listener,
      TrainingProgress progress,
      InstantSource clock) {
    var folder = new RunFolder(options.folder());
    return locked(
        folder,
        lock ->
            open(
                RunParts.of(run, PreparedData.of(run, folder, listener)),
                options,
                progress,
                clock,
                lock));
  }

  /// Puts a run together on data that are there already.
  ///
  /// @param data prepared for the same `run`, in whatever folder
  /// @throws ConfigException if a part is unknown, or wrong, or another process works in the folder
  /// @throws DataException if data are missing or wrong
  public static TrainingRun<?> open(
      ExecutionRun run,
      TrainingOptions options,
      PreparedData data,
      TrainingProgress progress,
      InstantSource clock) {
    return locked(
        new RunFolder(options.folder()),
        lock -> open(RunParts.of(run, data), options, progress, clock, lock));
  }

  private static TrainingRun<?> locked(
      RunFolder folder, Function<FolderLock, TrainingRun<?>> opening) {
    FolderLock lock = folder.lock();
    try {
      return opening.apply(lock);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static <O extends Observation> TrainingRun<O> open(
      RunParts<O> parts,
      TrainingOptions options,
      TrainingProgress progress,
      InstantSource clock,
      FolderLock lock) {
    var parallel = new ParallelFor(threads(parts.run().trainer(), options));
    try {
      return new TrainingRun<>(
          parts, options, progress, clock, distillation(parts), parallel, lock);
    } catch (RuntimeException e) {
      parallel.close();
      parts.close();
      throw e;
    }
  }

  @SuppressWarnings("unchecked") // a student is shown the full history
  private static <O extends Observation> @Nullable Distillation<O> distillation(RunParts<O> parts) {
    AgentSettings agent = parts.run().agent();
    Teacher teacher = agent.teacher();
    if (teacher == null) {
      return null;
    }
    agent.requireTeachable(parts.agent());
    return (Distillation<O>)
        teacher.over((Problem<?, ?, ?, FullHistoryObservation>) parts.problem());
  }

  private static int threads(TrainerSettings trainer, TrainingOptions options) {
    return options.threads() == null ? trainer.threadCount() : options.threads();
  }

  private Agent<O> agent(AgentSpec<O> spec) {
    String file = spec.weightFile();
    if (file != null) {
      if (!run.problem().hindsight()) {
        Teacher.requireNone("policy.kwargs.weight_file", Path.of(file));
      }
      return spec.load(file, CheckpointFile.policyState(Path.of(file)));
    }
    Agent<O> drawn =
        spec.create(RandomTree.generator(RandomTree.root(run.trainer().seed(), "weights")));
    if (drawn instanceof ActorCritic<O> actorCritic && run.agent().startsNearTwap()) {
      TwapStart.apply(actorCritic, parts.problem());
    }
    return drawn;
  }

  public ExecutionRun run() {
    return run;
  }

  public RunParts<O> parts() {
    return parts;
  }

  public Algorithm<O> algorithm() {
    return algorithm;
  }

  public ParallelFor parallel() {
    return parallel;
  }

  /// Trains, from the beginning or from a checkpoint, until the budget, early stopping or
  /// [#requestStop] ends it.
  ///
  /// @param from the checkpoint to go on from; null to begin, which deletes the checkpoints of an
  ///   earlier run in the same folder
  /// @param observers take part after the run's own callbacks
  /// @return the trainer, which knows how it went
  /// @throws io.tranche.trainer.TrainingException if training diverges
  /// @throws DataException if an order cannot be executed, naming each with its file and row,
  ///   unless the options skip them
  /// @throws CheckpointException if the checkpoint is damaged, or of another run
  /// @throws DataException also if nothing can be written, as on a full disk
  public Trainer train(@Nullable Path from, Callback... observers) {
    InitialStates<Order> training = orders(Tag.TRAIN);
    InitialStates<Order> validation = run.validation().every() == null ? null : orders(Tag.VALID);
    if (from == null) {
      folder.forgetEarlierRun();
    } else {
      folder.forgetChoice();
      Teacher.requireSame(run.agent().teacher(), from);
      ResumedActions.requireSame(
          run.problem().actionInterpreter(), parts.problem().actionInterpreter(), from);
    }
    folder.keepCheckpointsIn(run.trainer().checkpoint().folder());
    folder.writeConfig(run.toConfig().toYaml());
    try (var curves = new TensorBoardCurves(folder.folder(), clock);
        var writers = openWriters();
        var rollouts = rollouts()) {
      List<Callback> callbacks = callbacks(validation != null, curves);
      callbacks.addAll(List.of(observers));
      var current = new Trainer(trainerConfig(), callbacks, writers.all, progress, clock);
      trainer = current;
      var vessel = vessel(training, validation, null, rollouts);
      if (from == null) {
        current.fit(vessel);
      } else {
        current.resume(vessel, from);
      }
      return current;
    }
  }

  /// Returns the orders of a stage. Each has been checked, so that a bad one is named once, and not
  /// each time it is drawn. Qlib's dialect finds out as Qlib does.
  private InitialStates<Order> orders(Tag stage) {
    if (run.isQlib()) {
      return parts.data().orders(stage);
    }
    var player = new OrderPlayer(parts.problem().simulators(), List.of(), parallel);
    var checked =
        CheckedOrders.of(parts.data().placedOrders(stage), player::open, options.skipsBad());
    for (String fault : checked.faults()) {
      skipped.add(fault);
      progress.message("skipped: " + fault);
    }
    return InitialStates.of(checked.orders());
  }

  /// Returns the orders that [#train] left out, one line for each.
  public List<String> skipped() {
    return List.copyOf(skipped);
  }

  /// Ends training after the iteration under way. Any thread may ask.
  public void requestStop() {
    Trainer current = trainer;
    if (current != null) {
      current.requestStop();
    }
  }

  /// Lets the policy as it is now do its best on the test orders, writes `result.csv` and returns
  /// the mean metrics. Qlib: `--run_backtest`.
  ///
  /// @throws ConfigException if this is a teacher's run
  public Tested test() {
    run.rejectHindsight("a test");
    if (run.isQlib()) {
      try (var results = new EpisodeLog(new CsvLogWriter(folder.folder()))) {
        return new Tested(logged(List.of(results)), List.of());
      } catch (UncheckedIOException e) {
        throw DataException.unwritable(folder.folder(), Objects.requireNonNull(e.getCause()));
      }
    }
    OrderPlayer player = player(Tag.TEST);
    PolicyResults results = player.run(agent());
    results.writeTo(folder.folder().resolve("result.csv"));
    var metrics = new LinkedHashMap<String, Double>();
    if (!run.logWriters().isEmpty()) {
      metrics.putAll(logged(List.of()));
    }
    metrics.put("pa", results.meanBps(null) + results.costBps());
    metrics.put("ffr", results.completion(null));
    metrics.put("cost_bps", results.costBps());
    return new Tested(metrics, player.putAside());
  }

  /// What a test found.
  ///
  /// @param metrics the means of all orders, such as `pa`, the advantage
  /// @param putAside orders that no policy can work
  public record Tested(Map<String, Double> metrics, List<PutAside> putAside) {}

  /// Returns a player of the orders of `stage`, those of a development run if this is one.
  public OrderPlayer player(Tag stage) {
    InitialStates<Order> states = parts.data().orders(stage);
    Integer some = fastDevRun();
    int count = some == null ? states.size() : Math.min(some, states.size());
    List<Order> orders = IntStream.range(0, count).mapToObj(states.load()).toList();
    return new OrderPlayer(parts.problem().simulators(), orders, parallel);
  }

  /// Returns the agent as it is now.
  public Candidate<O> agent() {
    var problem = parts.problem();
    return new Candidate<>(
        "the agent",
        problem.stateInterpreter(),
        problem.actionInterpreter(),
        algorithm.agent()::newPolicy);
  }

  /// Plays the test orders for those who look at every step.
  private Map<String, Double> logged(List<LogWriter> own) {
    // Elsewhere episodes are played at the prices that the run learns with.
    try (var opened = openWriters();
        var rollouts = parts.neutral() == null ? rollouts() : null) {
      var writers = new ArrayList<LogWriter>(own);
      writers.addAll(opened.all);
      var tester = new Trainer(trainerConfig(), List.of(), writers, progress, clock);
      tester.test(vessel(null, null, parts.data().orders(Tag.TEST), rollouts));
      return tester.metrics();
    }
  }

  private TrainingVessel<Order, O> vessel(
      @Nullable InitialStates<Order> training,
      @Nullable InitialStates<Order> validation,
      @Nullable InitialStates<Order> test,
      @Nullable Rollouts<Order> rollouts) {
    return new TrainingVessel<>(
            test == null ? parts.learning() : parts.problem(),
            algorithm,
            training,
            validation,
            test,
            run.trainer().vessel())
        .with(rollouts)
        .with(stages());
  }

  @SuppressWarnings("unchecked") // made for the observations of this run
  private Stages<O> stages() {
    return run.stages() == null ? Stages.usual() : (Stages<O>) run.stages();
  }

  private TrainingOptions.@Nullable RemotePlay rollouts() {
    return options.elsewhere() == null ? null : options.elsewhere().open(parts, algorithm.agent());
  }

  private TrainerConfig trainerConfig() {
    TrainerSettings settings = run.trainer();
    return new TrainerConfig(
        settings.seed(),
        isTrial() ? options.stopAfter() : settings.maxIterations(),
        run.validation().every(),
        settings.env().concurrency(),
        settings.env().mode() == ParallelMode.DUMMY ? 1 : parallel.threads(),
        fastDevRun(),
        settings.onFailure(),
        run.isQlib() ? QlibQuirks.ALL : QlibQuirks.NONE,
        run.checkpointText());
  }

  /// Returns how many orders each stage is reduced to; null for all.
  public @Nullable Integer fastDevRun() {
    return options.fastDevRun() == null ? run.trainer().fastDevRun() : options.fastDevRun();
  }

  private boolean isTrial() {
    return options.stopAfter() != null;
  }

  /// In Qlib's order: early stopping speaks before the checkpoint of an iteration is written,
  /// because its validation comes before the iteration's end.
  private List<Callback> callbacks(boolean validates, TensorBoardCurves curves) {
    String monitor = run.monitor();
    ValidationSettings validation = run.validation();
    EarlyStoppingConfig stopping = validation.earlyStopping(monitor, run.isQlib());
    int best = validation.keepBest();
    var callbacks = new ArrayList<Callback>();
    callbacks.add(new MetricsWriter(folder.folder()));
    callbacks.add(
        new CheckpointWriter(
            run.trainer().checkpoint().config(folder.checkpoints(), isTrial(), run.isQlib()),
            clock));
    if (validation.monitor() != null) {
      callbacks.add(new MonitorCheck(monitor));
    }
    if (stopping != null) {
      callbacks.add(new EarlyStopping(stopping));
    }
    if (best > 0 && validates && !isTrial()) {
      callbacks.add(new BestCheckpoints(folder.checkpoints(), monitor, validation.better(), best));
    }
    callbacks.add(new RunLog(folder.metrics()));
    callbacks.add(new ProcessLog(folder.process(), clock));
    callbacks.add(new StopFile(folder.stopRequest()));
    callbacks.add(curves);
    run.callbacks().forEach(part -> callbacks.add(part.make(TrainerCatalog.callbacks())));
    return callbacks;
  }

  private Writers openWriters() {
    var writers = new Writers();
    for (Part<LogWriterMaker> part : run.logWriters()) {
      LogWriter writer =
          part.make(TrainerCatalog.logWriters()).open(folder.folder(), clock, progress::message);
      writers.all.add(writer);
      if (part instanceof Part.Named<?>) {
        writers.own.add(writer);
      }
    }
    return writers;
  }

  /// The log writers of the run; closes those that were made by name.
  private static final class Writers implements AutoCloseable {
    final List<LogWriter> all = new ArrayList<>();
    final List<LogWriter> own = new ArrayList<>();

    @Override
    public void close() {
      own.forEach(LogWriter::close);
    }
  }

  /// Takes the weights of a checkpoint.
  ///
  /// @throws CheckpointException if it is damaged, or of another model
  public void load(Path checkpoint) {
    algorithm.agent().load(checkpoint.toString(), CheckpointFile.policyState(checkpoint));
  }

  @Override
  public void close() {
    parallel.close();
    parts.close();
    lock.close();
  }
}
