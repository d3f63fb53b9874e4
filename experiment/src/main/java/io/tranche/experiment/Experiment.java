package io.tranche.experiment;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Candidate;
import io.tranche.analysis.Evaluation;
import io.tranche.analysis.PolicyResults;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ExampleOrder;
import io.tranche.analysis.report.ExampleOrders;
import io.tranche.analysis.report.OrderRows;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.log.CsvWriter;
import io.tranche.env.log.EpisodeLog;
import io.tranche.execution.TickSource;
import io.tranche.execution.catalog.OrderExecutionSpec;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.experiment.training.AgentParts;
import io.tranche.experiment.training.AgentSettings;
import io.tranche.experiment.training.TeamRollouts;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Distillation;
import io.tranche.trainer.BestCheckpoints;
import io.tranche.trainer.Better;
import io.tranche.trainer.Callback;
import io.tranche.trainer.CheckpointConfig;
import io.tranche.trainer.CheckpointWriter;
import io.tranche.trainer.EarlyStopping;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.MetricsWriter;
import io.tranche.trainer.QlibQuirks;
import io.tranche.trainer.RunLog;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.TrainerConfig;
import io.tranche.trainer.TrainingProgress;
import io.tranche.trainer.TrainingVessel;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A run put together from its configuration: it trains, resumes and tests, and leaves everything
/// in its run directory. Qlib: `qlib.rl.contrib.train_onpolicy`.
///
/// @param <O> what the policy sees
public final class Experiment<O extends Observation> implements AutoCloseable {

  private final RunConfig config;
  private final RunDirectory directory;
  private final RunOptions options;
  private final TrainingProgress progress;
  private final InstantSource clock;
  private final RunData data;
  private final AgentParts<O> parts;
  private final OrderExecutionSpec<O> environment;
  private final ParallelFor parallel;
  private final Agent<O> agent;
  private final Algorithm<O> algorithm;
  private volatile @Nullable Trainer trainer;

  private Experiment(
      RunConfig config,
      RunOptions options,
      TrainingProgress progress,
      InstantSource clock,
      RunData data,
      AgentParts<O> parts,
      @Nullable Distillation<O> distillation,
      ParallelFor parallel) {
    this.config = config;
    this.directory = new RunDirectory(options.folder());
    this.options = options;
    this.progress = progress;
    this.clock = clock;
    this.data = data;
    this.parts = parts;
    this.environment = parts.environment();
    this.parallel = parallel;
    AgentSpec<O> spec = parts.agent();
    this.agent = agent(spec);
    this.algorithm = spec.algorithm(agent, distillation, parallel);
  }

  /// Puts a run together, and makes the data it needs.
  ///
  /// @param listener hears of data being made
  /// @param progress hears how training goes
  /// @param clock for the rates told to `progress` and the times in event files; changes no result
  /// @throws ConfigException if a component is unknown, or wrong
  /// @throws io.tranche.market.DataException if data are missing or wrong
  public static Experiment<?> open(
      RunConfig config,
      RunOptions options,
      RunListener listener,
      TrainingProgress progress,
      InstantSource clock) {
    return open(
        config,
        options,
        config.data().prepare(new RunDirectory(options.folder()), listener),
        progress,
        clock);
  }

  /// Puts a run together on data that are there already.
  ///
  /// @param data what [RunConfig#data] of the same `config` prepared, in whatever folder
  /// @throws ConfigException if a component is unknown, or wrong
  /// @throws io.tranche.market.DataException if data are missing or wrong
  public static Experiment<?> open(
      RunConfig config,
      RunOptions options,
      RunData data,
      TrainingProgress progress,
      InstantSource clock) {
    ConfigNode network = config.network();
    var settings = new AgentSettings(data.environment(), network, config.policy());
    var parallel = new ParallelFor(threads(config, options));
    try {
      if (network == null) {
        return new Experiment<>(
            config,
            options,
            progress,
            clock,
            data,
            AgentParts.withoutNetwork(settings),
            null,
            parallel);
      }
      var parts = AgentParts.withNetwork(settings, network);
      Teacher teacher = config.teacher();
      return new Experiment<>(
          config,
          options,
          progress,
          clock,
          data,
          parts,
          teacher == null ? null : teacher.over(parts.environment().problem(), parts.features()),
          parallel);
    } catch (RuntimeException e) {
      parallel.close();
      throw e;
    }
  }

  private static int threads(RunConfig config, RunOptions options) {
    if (options.threads() != null) {
      return options.threads();
    }
    return config.threads() == null ? Runtime.getRuntime().availableProcessors() : config.threads();
  }

  private Agent<O> agent(AgentSpec<O> spec) {
    String file = spec.weightFile();
    if (file != null) {
      if (!config.hindsight()) {
        Teacher.requireNone("policy.kwargs.weight_file", Path.of(file));
      }
      return spec.load(file, CheckpointFile.policyState(Path.of(file)));
    }
    Agent<O> drawn = spec.create(RandomTree.generator(RandomTree.root(config.seed(), "weights")));
    TwapStart start = twapStart();
    if (start != null && drawn instanceof ActorCritic<O> actorCritic) {
      start.apply(actorCritic.model().weights(), ActorCritic.ACTOR);
    }
    return drawn;
  }

  private @Nullable TwapStart twapStart() {
    return config.startsNearTwap()
            && environment.problem().actionInterpreter() instanceof CategoricalInterpreter actions
        ? TwapStart.ofShares(actions.shares(), parts.maxSteps())
        : null;
  }

  /// Trains, from the beginning or from a checkpoint, until the budget, early stopping or
  /// [#requestStop] ends it.
  ///
  /// @param from the checkpoint to go on from; null to begin, which deletes the checkpoints of an
  ///   earlier run in the same directory
  /// @return the trainer, which knows how it went
  /// @throws io.tranche.trainer.TrainingException if training diverges
  /// @throws io.tranche.policy.weights.CheckpointException if the checkpoint is damaged, or of
  ///   another run, or none can be written
  public Trainer train(@Nullable Path from) {
    InitialStates<Order> training = data.orders().of(Tag.TRAIN);
    InitialStates<Order> validation =
        config.validateEvery() == null ? null : data.orders().of(Tag.VALID);
    if (from == null) {
      directory.forgetEarlierRun();
    } else {
      Teacher.requireSame(config.teacher(), from);
    }
    directory.writeConfig(config.resolved().toYaml());
    try (var curves = new TensorBoardCurves(directory.folder(), clock);
        var rollouts = rollouts()) {
      var current =
          new Trainer(trainerConfig(), callbacks(validation, curves), List.of(), progress, clock);
      trainer = current;
      var vessel =
          new TrainingVessel<>(
              environment.problem(),
              algorithm,
              training,
              validation,
              null,
              config.vessel(),
              rollouts);
      if (from == null) {
        current.fit(vessel);
      } else {
        current.resume(vessel, from);
      }
      return current;
    }
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
  public Map<String, Double> backtest() {
    config.requireForesightless("a backtest");
    try (var logger = new EpisodeLog(new CsvWriter(directory.folder()));
        var rollouts = rollouts()) {
      var tester = new Trainer(trainerConfig(), List.of(), List.of(logger), progress, clock);
      tester.test(
          new TrainingVessel<>(
              environment.problem(),
              algorithm,
              null,
              null,
              data.orders().of(Tag.TEST),
              config.vessel(),
              rollouts));
      return tester.metrics();
    } catch (UncheckedIOException e) {
      throw DataException.unwritable(directory.folder(), Objects.requireNonNull(e.getCause()));
    }
  }

  /// Returns those who play the episodes of this run elsewhere, or null if nobody does.
  private @Nullable TeamRollouts rollouts() {
    return options.place() == null ? null : TeamRollouts.at(options.place(), parts, agent);
  }

  private TrainerConfig trainerConfig() {
    return new TrainerConfig(
        config.seed(),
        config.maxIterations(),
        config.validateEvery(),
        config.concurrency(),
        config.mode() == ParallelMode.DUMMY ? 1 : parallel.threads(),
        fastDevRun(),
        config.onFailure(),
        config.isQlib() ? QlibQuirks.ALL : QlibQuirks.NONE,
        config.checkpointText());
  }

  private @Nullable Integer fastDevRun() {
    return options.fastDevRun() == null ? config.fastDevRun() : options.fastDevRun();
  }

  /// In Qlib's order: early stopping speaks before the checkpoint of an iteration is written,
  /// because its validation comes before the iteration's end.
  private List<Callback> callbacks(
      @Nullable InitialStates<Order> validation, TensorBoardCurves curves) {
    var callbacks = new ArrayList<Callback>();
    callbacks.add(new MetricsWriter(directory.folder()));
    callbacks.add(new CheckpointWriter(checkpoints(), clock));
    if (config.earlyStopping() != null) {
      callbacks.add(new EarlyStopping(config.earlyStopping()));
    }
    if (config.keepBest() > 0 && validation != null) {
      callbacks.add(
          new BestCheckpoints(
              directory.checkpoints(), config.monitor(), Better.HIGHER, config.keepBest()));
    }
    callbacks.add(new RunLog(directory.metrics()));
    callbacks.add(curves);
    callbacks.add(new IterationReport<>(verdictPrefix(), () -> jury(validation)));
    return callbacks;
  }

  private String verdictPrefix() {
    return config.hindsight() ? "validation of a teacher, which sees the future: " : "validation: ";
  }

  private CheckpointConfig checkpoints() {
    return new CheckpointConfig(
        directory.checkpoints(),
        "{iter:03d}",
        config.isQlib() ? CheckpointConfig.Latest.COPY : CheckpointConfig.Latest.LINK,
        config.checkpointEvery(),
        null,
        true,
        config.isQlib(),
        config.isQlib());
  }

  /// Takes the weights of a checkpoint.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if it is damaged, or of another model
  public void load(Path checkpoint) {
    agent.weights().load(checkpoint.toString(), CheckpointFile.policyState(checkpoint));
  }

  /// Judges the policy as it is now on the test orders, against TWAP, the constant actions that the
  /// validation orders would have chosen, the arrival price and the oracle.
  ///
  /// @param more adds yardsticks that take more than the orders, such as VWAP
  /// @throws ConfigException if this is a teacher's run
  public Judgement judge(BiFunction<Evaluation, Yardsticks, Yardsticks> more) {
    config.requireForesightless("a judgement");
    var problem = environment.problem();
    Evaluation validation = evaluation(data.orders().of(Tag.VALID));
    Evaluation test = evaluation(data.orders().of(Tag.TEST));
    Yardsticks chosen = Yardsticks.of(validation, problem.actionInterpreter());
    Yardsticks yardsticks = more.apply(test, Yardsticks.of(test, problem.actionInterpreter()));
    Candidate<O> candidate = candidate();
    PolicyResults results = test.run(candidate);
    TickSource ticks = order -> test.open(order).state().ticks();
    var examples = new ArrayList<ExampleOrder>();
    ExampleOrders.choose(results)
        .forEach(
            (order, caption) ->
                examples.add(
                    ExampleOrders.record(problem.simulators(), candidate, order, caption)));
    return new Judgement(
        Assessment.of(results, yardsticks, chosen),
        yardsticks,
        yardsticks.constants().isEmpty() ? null : yardsticks.constantsChosenOn(chosen),
        OrderRows.atArrival(test.orders(), ticks),
        OrderRows.of(results, ticks),
        examples,
        test.putAside());
  }

  private Evaluation evaluation(InitialStates<Order> states) {
    List<Order> orders = IntStream.range(0, states.size()).mapToObj(states.load()).toList();
    return new Evaluation(environment.problem().simulators(), orders, parallel);
  }

  private Candidate<O> candidate() {
    var problem = environment.problem();
    return new Candidate<>(
        "the agent", problem.stateInterpreter(), problem.actionInterpreter(), agent::newPolicy);
  }

  private IterationReport.@Nullable Jury<O> jury(@Nullable InitialStates<Order> validation) {
    if (validation == null || !config.judges() || fastDevRun() != null) {
      return null;
    }
    Evaluation evaluation = evaluation(validation);
    return new IterationReport.Jury<>(
        evaluation,
        Yardsticks.of(evaluation, environment.problem().actionInterpreter()),
        candidate());
  }

  @Override
  public void close() {
    parallel.close();
  }
}
