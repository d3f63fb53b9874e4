package io.tranche.run;

import io.tranche.backtest.Costs;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.env.LogWriter;
import io.tranche.env.Reward;
import io.tranche.execution.ExecutionState;
import io.tranche.trainer.Callback;
import io.tranche.trainer.checkpoint.Checkpoint;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
/// @param callbacks objects from Java that take part in training, after the run's own
/// @param logWriters objects from Java that receive every step of the test stage
public record ExecutionRun(
    boolean isQlib,
    DataSettings data,
    Costs costs,
    ProblemSettings problem,
    AgentSettings agent,
    TrainerSettings trainer,
    ValidationSettings validation,
    List<Callback> callbacks,
    List<LogWriter> logWriters) {

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
          List.of());

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
  /// teacher, whose file may no longer exist, so the result has no teacher. The names of its parts
  /// are looked up only when the parts are made.
  ///
  /// @param warnings receives a line for each thing that is ignored
  /// @throws ConfigException if something is missing or wrong
  public static ExecutionRun readTrained(ConfigNode config, Consumer<String> warnings) {
    return bind(config.without(Teacher.SECTION), warnings);
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

  static @Nullable ConfigNode config(Path file, Checkpoint checkpoint) {
    return checkpoint.config().isEmpty()
        ? null
        : ConfigFiles.parse(file + ": config.yml", checkpoint.config());
  }

  /// The only place that chooses between the dialects.
  private static ExecutionRun bind(ConfigNode config, Consumer<String> warnings) {
    return config.has(NativeBinder.MARK)
        ? NativeBinder.read(config, warnings)
        : new QlibBinder(warnings).read(config);
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
    for (var entry : parts().entrySet()) {
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
    return parts;
  }

  public ExecutionRun withData(DataSettings other) {
    return new ExecutionRun(
        isQlib, other, costs, problem, agent, trainer, validation, callbacks, logWriters);
  }

  public ExecutionRun withCosts(Costs other) {
    return new ExecutionRun(
        isQlib, data, other, problem, agent, trainer, validation, callbacks, logWriters);
  }

  public ExecutionRun withProblem(ProblemSettings other) {
    return new ExecutionRun(
        isQlib, data, costs, other, agent, trainer, validation, callbacks, logWriters);
  }

  public ExecutionRun withReward(Reward<ExecutionState> reward) {
    return withProblem(problem.withReward(Part.of(reward)));
  }

  public ExecutionRun withAgent(AgentSettings other) {
    return new ExecutionRun(
        isQlib, data, costs, problem, other, trainer, validation, callbacks, logWriters);
  }

  public ExecutionRun withTrainer(TrainerSettings other) {
    return new ExecutionRun(
        isQlib, data, costs, problem, agent, other, validation, callbacks, logWriters);
  }

  public ExecutionRun withValidation(ValidationSettings other) {
    return new ExecutionRun(
        isQlib, data, costs, problem, agent, trainer, other, callbacks, logWriters);
  }

  public ExecutionRun withCallbacks(List<Callback> others) {
    return new ExecutionRun(
        isQlib, data, costs, problem, agent, trainer, validation, others, logWriters);
  }

  public ExecutionRun withLogWriters(List<LogWriter> others) {
    return new ExecutionRun(
        isQlib, data, costs, problem, agent, trainer, validation, callbacks, others);
  }
}
