package io.tranche.run;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.Costs;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AuxInfoCollector;
import io.tranche.env.LogWriter;
import io.tranche.env.Metric;
import io.tranche.env.Observation;
import io.tranche.env.Reward;
import io.tranche.env.StateInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.DayNetworkConfig;
import io.tranche.policy.network.DayNetworkFactory;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.policy.sac.SacConfig;
import io.tranche.policy.sac.SacSpec;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Features;
import io.tranche.run.play.LowerBound;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Stages;
import io.tranche.trainer.catalog.LogWriterMaker;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A training run: everything that its result depends on, and how it is watched.
///
/// Both YAML dialects are read into this value ([#read]), and everything that needs a run as text
/// (`config.yml`, checkpoints, other processes) gets it from one writer ([#toConfig]).
///
/// @param isQlib whether the run is written in Qlib's dialect: its names, its quirks, its files
///   beside ours
/// @param costs what trading costs, in training as in every judgement
/// @param callbacks take part in training, after the run's own
/// @param logWriters receive every step
/// @param stages what is done in training, validation and test; null for the usual
public record ExecutionRun(
    boolean isQlib,
    DataSettings data,
    Costs costs,
    ProblemSettings problem,
    AgentSettings agent,
    TrainerSettings trainer,
    ValidationSettings validation,
    List<Part<Callback>> callbacks,
    List<Part<LogWriterMaker>> logWriters,
    @Nullable Stages<?> stages) {

  private static final Set<String> DECIDING =
      Set.of(
          "data.features",
          "simulator",
          "state_interpreter",
          "action_interpreter",
          "network",
          "policy");

  static final String CALLBACKS = "callbacks";
  static final String LOG_WRITERS = "log_writers";
  static final String METRICS = "metrics";

  /// The native recipe; only the data are still to be named.
  public static final ExecutionRun DEFAULT =
      new ExecutionRun(
          false,
          DataSettings.BarData.DEFAULT,
          Costs.NONE,
          ProblemSettings.DEFAULT,
          AgentSettings.DEFAULT,
          TrainerSettings.DEFAULT,
          ValidationSettings.DEFAULT,
          List.of(),
          List.of(),
          null);

  public ExecutionRun {
    callbacks = List.copyOf(callbacks);
    logWriters = List.copyOf(logWriters);
  }

  /// Whether a configuration is in our own dialect.
  public static boolean isNative(ConfigNode config) {
    return config.has(NativeBinder.MARK);
  }

  /// Reads a configuration of either dialect.
  ///
  /// @param warnings receives a line for each thing that is ignored
  /// @throws ConfigException if something is missing, wrong or, in our own dialect, unknown
  public static ExecutionRun read(ConfigNode config, Consumer<String> warnings) {
    ExecutionRun run = bind(config, warnings);
    ComponentTable.requireNames(run);
    return run;
  }

  /// Reads the configuration of a run that has been trained. Its policy is complete without its
  /// teacher, whose file may no longer exist, and without what only training needs: callbacks, log
  /// writers, and a reward or metrics that were objects from Java. The names of its parts are
  /// looked up only when the parts are made.
  ///
  /// @param warnings receives a line for each thing that is ignored
  /// @throws ConfigException if something is missing or wrong
  public static ExecutionRun readTrained(ConfigNode config, Consumer<String> warnings) {
    ConfigNode needed = config.without(Teacher.SECTION);
    for (String watching : List.of(CALLBACKS, LOG_WRITERS)) {
      needed = needed.without(watching);
    }
    for (String paid : List.of("reward", "aux_info")) {
      ConfigNode part = needed.optional(paid);
      needed = part != null && Part.isObject(part) ? needed.without(paid) : needed;
    }
    ConfigNode metrics = needed.optional(METRICS);
    if (metrics != null && metrics.asList().stream().anyMatch(Part::isObject)) {
      needed = needed.without(METRICS);
    }
    return bind(needed, warnings);
  }

  /// Reads the run that a checkpoint of ours was trained in ([#readTrained]).
  ///
  /// @return null if the checkpoint was written without a configuration
  /// @throws io.tranche.policy.weights.CheckpointException if the file is missing or damaged
  /// @throws ConfigException if its configuration is wrong
  public static @Nullable ExecutionRun ofCheckpoint(Path file) {
    return ofCheckpoint(file, CheckpointFile.read(file));
  }

  /// As [#ofCheckpoint(Path)], for a checkpoint that has been read.
  ///
  /// @param file the name of the checkpoint in errors
  public static @Nullable ExecutionRun ofCheckpoint(Path file, Checkpoint checkpoint) {
    ConfigNode config = config(file, checkpoint);
    return config == null ? null : readTrained(config, _ -> {});
  }

  /// Returns the configuration in a checkpoint as it was written; null if it has none.
  ///
  /// @param file the name of the checkpoint in errors
  public static @Nullable ConfigNode config(Path file, Checkpoint checkpoint) {
    return checkpoint.config().isEmpty()
        ? null
        : ConfigFiles.parse(file + ": config.yml", checkpoint.config());
  }

  /// The only place that chooses between the dialects.
  private static ExecutionRun bind(ConfigNode config, Consumer<String> warnings) {
    if (config.has(NativeBinder.MARK)) {
      return NativeBinder.read(config, warnings);
    }
    ConfigNode data = config.optional("data");
    if (!config.has("action_interpreter") && (data == null || !data.has("source"))) {
      throw config.wrong(
          "'tranche: 1' in a file of our own, or Qlib's action_interpreter and data");
    }
    return new QlibBinder(warnings).read(config);
  }

  /// Returns the metric by which validations are compared. By default it is what a judgement
  /// compares: the advantage after fees, which a policy that trades more often may not have. A run
  /// with a guard compares what its guard asks for, the lower bound of that.
  public String monitor() {
    String stated = validation.monitor();
    if (stated != null) {
      return stated;
    }
    if (guards()) {
      return LowerBound.METRIC;
    }
    return costs.hasFees() ? ValidationSettings.NET_ADVANTAGE : ValidationSettings.ADVANTAGE;
  }

  /// Whether a guard is fitted when training ends. By default this is so for real bars: the
  /// embedded market is known to have a signal.
  public boolean guards() {
    Boolean stated = validation.guard();
    return stated == null
        ? validation.every() != null && data instanceof BarData bars && bars.market() == null
        : stated;
  }

  /// Returns this run as a configuration with every default written out.
  public ConfigNode toConfig() {
    return RunWriter.write(this);
  }

  /// Returns the text that checkpoints hold: how many threads worked changes no result, so it must
  /// not change a byte.
  String checkpointText() {
    return withTrainer(trainer.withThreads(null)).toConfig().toYaml();
  }

  /// Refuses `purpose` if the policy sees the future: then its results mean nothing.
  ///
  /// @throws ConfigException if this is a teacher's run
  public void rejectHindsight(String purpose) {
    if (problem.hindsight()) {
      throw new ConfigException(
          purpose, "a policy that does not see the future", "a teacher ('hindsight: true')");
    }
  }

  /// Refuses `purpose` if a part is an object from Java, which cannot be written down.
  ///
  /// @throws ConfigException naming the part
  public void rejectObjects(String purpose) {
    rejectObjects(purpose, parts());
  }

  /// Refuses `purpose` if a part that decisions depend on is an object from Java: everything except
  /// the reward and what watches training.
  ///
  /// @throws ConfigException naming the part
  public void rejectDecidingObjects(String purpose) {
    Map<String, Part<?>> parts = parts();
    parts.keySet().retainAll(DECIDING);
    rejectObjects(purpose, parts);
  }

  private static void rejectObjects(String purpose, Map<String, Part<?>> parts) {
    for (var entry : parts.entrySet()) {
      if (entry.getValue() instanceof Part.Given<?>(Object object)) {
        throw new ConfigException(
            entry.getKey(),
            "a part with a name in the catalog, because %s need it as text".formatted(purpose),
            "an object of " + object.getClass().getName());
      }
    }
  }

  /// Returns the parts of this run by their keys in a configuration.
  Map<String, Part<?>> parts() {
    var parts = new LinkedHashMap<String, Part<?>>();
    if (data instanceof BarData bars && bars.features() instanceof Features.Provided provided) {
      provided.given().forEach(each -> parts.put("data.features", Part.of(each)));
    }
    parts.put("simulator", problem.simulator());
    parts.put("state_interpreter", problem.stateInterpreter());
    parts.put("action_interpreter", problem.actionInterpreter());
    if (problem.reward() != null) {
      parts.put("reward", problem.reward());
    }
    if (agent.network() != null) {
      parts.put("network", agent.network());
    }
    parts.put("policy", agent.policy());
    if (problem.auxInfo() != null) {
      parts.put("aux_info", problem.auxInfo());
    }
    for (int i = 0; i < problem.metrics().size(); i++) {
      parts.put("%s[%d]".formatted(METRICS, i), problem.metrics().get(i));
    }
    for (int i = 0; i < callbacks.size(); i++) {
      parts.put("%s[%d]".formatted(CALLBACKS, i), callbacks.get(i));
    }
    for (int i = 0; i < logWriters.size(); i++) {
      parts.put("%s[%d]".formatted(LOG_WRITERS, i), logWriters.get(i));
    }
    return parts;
  }

  public ExecutionRun withData(DataSettings other) {
    return with(draft -> draft.data = other);
  }

  /// Returns this run on bars of a file, a folder or a store, which need no mapping.
  public ExecutionRun withBars(Path bars) {
    return withData(barData().withBars(bars));
  }

  /// Returns this run on the embedded market. Where trading moves its prices, that is part of the
  /// run's costs.
  public ExecutionRun withMarket(SyntheticConfig market) {
    BarData changed = barData().withMarket(market);
    return withData(changed).withCosts(costs.equals(Costs.NONE) ? changed.usualCosts() : costs);
  }

  /// Returns this run with other features, computed from the bars.
  public ExecutionRun withFeatures(FeatureProvider... providers) {
    return withData(barData().withFeatures(Features.Provided.of(List.of(providers))));
  }

  private BarData barData() {
    return data instanceof BarData bars ? bars : BarData.DEFAULT;
  }

  public ExecutionRun withCosts(Costs other) {
    return with(draft -> draft.costs = other);
  }

  public ExecutionRun withProblem(ProblemSettings other) {
    return with(draft -> draft.problem = other);
  }

  public ExecutionRun withReward(Reward<ExecutionState> reward) {
    return withProblem(problem.withReward(Part.of(reward)));
  }

  public ExecutionRun withSimulator(SimulatorSetup simulator) {
    return withProblem(
        problem.withSimulator(Part.of(simulator, ExecutionCatalog.describe(simulator))));
  }

  public ExecutionRun withActions(ActionInterpreter<ExecutionState, ChildOrder> actions) {
    return withProblem(
        problem.withActionInterpreter(Part.of(actions, ExecutionCatalog.describe(actions))));
  }

  /// Returns this run with what the agent sees and a network that understands it.
  ///
  /// @param <O> what the agent sees
  public <O extends Observation> ExecutionRun withObservation(
      StateInterpreter<ExecutionState, O> states, Network.Maker<O> network) {
    return withProblem(problem.withStateInterpreter(Part.of(states)))
        .withAgent(agent.withNetwork(Part.of(network)));
  }

  public ExecutionRun withNetwork(DayNetworkConfig config) {
    Network.Maker<FullHistoryObservation> maker =
        context -> new DayNetworkFactory<>(config, context.features());
    return withAgent(agent.withNetwork(Part.of(maker, PolicyCatalog.describe(config))));
  }

  /// Returns this run with a network over what agents see by default.
  public ExecutionRun withNetwork(Network.Maker<FullHistoryObservation> network) {
    return withAgent(agent.withNetwork(Part.of(network)));
  }

  public ExecutionRun withAlgorithm(PpoConfig config) {
    return withAgent(
        agent.withPolicy(Part.of(PpoSpec.maker(config), PolicyCatalog.describe(config))));
  }

  public ExecutionRun withAlgorithm(DqnConfig config) {
    return withAgent(
        agent.withPolicy(Part.of(DqnSpec.maker(config), PolicyCatalog.describe(config))));
  }

  public ExecutionRun withAlgorithm(SacConfig config) {
    return withAgent(
        agent.withPolicy(Part.of(SacSpec.maker(config), PolicyCatalog.describe(config))));
  }

  public ExecutionRun withAlgorithm(AgentSpec.Maker<?> maker) {
    return withAgent(agent.withPolicy(Part.of(maker)));
  }

  @SafeVarargs
  public final ExecutionRun withMetrics(Metric<ExecutionState>... metrics) {
    var parts = new ArrayList<Part<Metric<ExecutionState>>>();
    for (Metric<ExecutionState> metric : metrics) {
      parts.add(Part.of(metric));
    }
    return withProblem(problem.withMetrics(parts));
  }

  public ExecutionRun withAuxInfo(AuxInfoCollector<ExecutionState> auxInfo) {
    return withProblem(problem.withAuxInfo(Part.of(auxInfo)));
  }

  public ExecutionRun withAgent(AgentSettings other) {
    return with(draft -> draft.agent = other);
  }

  public ExecutionRun withTrainer(TrainerSettings other) {
    return with(draft -> draft.trainer = other);
  }

  public ExecutionRun withIterations(int count) {
    return withTrainer(trainer.withMaxIterations(count));
  }

  public ExecutionRun withSeed(long seed) {
    return withTrainer(trainer.withSeed(seed));
  }

  public ExecutionRun withValidation(ValidationSettings other) {
    return with(draft -> draft.validation = other);
  }

  public ExecutionRun withCallbacks(Callback... others) {
    return with(draft -> draft.callbacks = Arrays.stream(others).map(Part::of).toList());
  }

  ExecutionRun withCallbackParts(List<Part<Callback>> others) {
    return with(draft -> draft.callbacks = others);
  }

  /// Returns this run with writers that the caller closes.
  public ExecutionRun withLogWriters(LogWriter... others) {
    return with(
        draft ->
            draft.logWriters =
                Arrays.stream(others)
                    .map(writer -> Part.<LogWriterMaker>of((_, _) -> writer))
                    .toList());
  }

  ExecutionRun withLogWriterParts(List<Part<LogWriterMaker>> others) {
    return with(draft -> draft.logWriters = others);
  }

  /// @param others for the observations of this run; null for the usual
  public ExecutionRun withStages(@Nullable Stages<?> others) {
    return with(draft -> draft.stages = others);
  }

  private ExecutionRun with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toRun();
  }

  /// A copy under change.
  private final class Draft {
    DataSettings data = ExecutionRun.this.data;
    Costs costs = ExecutionRun.this.costs;
    ProblemSettings problem = ExecutionRun.this.problem;
    AgentSettings agent = ExecutionRun.this.agent;
    TrainerSettings trainer = ExecutionRun.this.trainer;
    ValidationSettings validation = ExecutionRun.this.validation;
    List<Part<Callback>> callbacks = ExecutionRun.this.callbacks;
    List<Part<LogWriterMaker>> logWriters = ExecutionRun.this.logWriters;
    @Nullable Stages<?> stages = ExecutionRun.this.stages;

    ExecutionRun toRun() {
      return new ExecutionRun(
          isQlib, data, costs, problem, agent, trainer, validation, callbacks, logWriters, stages);
    }
  }
}
