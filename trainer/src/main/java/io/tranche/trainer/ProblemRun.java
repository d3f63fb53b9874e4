package io.tranche.trainer;

import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.policy.sac.SacConfig;
import io.tranche.policy.sac.SacSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A training run of any problem, such as one of the user's own: everything that its result depends
/// on. By default, PPO trains two layers over all numbers of an observation.
///
/// @param training what episodes of training begin with
/// @param validation likewise; null for no validation
/// @param <I> what an episode begins with
/// @param <O> the observation
public record ProblemRun<I, O extends Observation>(
    Problem<I, ?, ?, O> problem,
    InitialStates<I> training,
    @Nullable InitialStates<I> validation,
    Network.Maker<O> network,
    AgentSpec.Maker<O> agent,
    TrainerConfig trainer,
    VesselConfig vessel,
    Stages<O> stages,
    List<Callback> callbacks,
    List<LogWriter> logWriters) {

  private static final TrainerConfig TRAINER = TrainerConfig.of(1, 16).withMaxIterations(50);

  public ProblemRun {
    callbacks = List.copyOf(callbacks);
    logWriters = List.copyOf(logWriters);
  }

  /// @param starts what episodes of training begin with, drawn in random order
  public static <I, O extends Observation> ProblemRun<I, O> of(
      Problem<I, ?, ?, O> problem, List<I> starts) {
    return new ProblemRun<>(
        problem,
        InitialStates.of(starts),
        null,
        Mlp.flat(64, 64),
        PpoSpec.maker(PpoConfig.DEFAULT),
        TRAINER,
        VesselConfig.DEFAULT,
        Stages.usual(),
        List.of(),
        List.of());
  }

  /// The result of training.
  ///
  /// @param run what was trained
  /// @param agent the agent with its last weights
  /// @param trainer knows how training went
  public record Result<I, O extends Observation>(
      ProblemRun<I, O> run, Agent<O> agent, Trainer trainer) {

    /// Returns the metrics of the last iteration.
    public Map<String, Double> metrics() {
      return trainer.metrics();
    }

    /// Runs the agent without exploration and returns the means of what episodes log, such as
    /// `reward`.
    ///
    /// @param starts what the episodes begin with
    public Map<String, Double> test(List<I> starts) {
      Policy<O> policy = agent.newPolicy(run.trainer.concurrency());
      var tester = new Trainer(run.trainer, List.of(), run.logWriters);
      tester.test(TrainingVessel.ofPolicy(run.problem, policy, InitialStates.of(starts)));
      return Map.copyOf(tester.metrics());
    }
  }

  /// Trains an agent with random weights.
  ///
  /// @throws io.tranche.config.ConfigException if the parts do not go together
  /// @throws TrainingException if training diverges
  public Result<I, O> train() {
    var context =
        new BuildContext(
            problem.stateInterpreter().observationSpace(),
            problem.actionInterpreter().actionSpace(),
            0,
            trainer.threads(),
            trainer.seed());
    AgentSpec<O> spec = agent.make(network.make(context), context);
    Agent<O> drawn = spec.create(RandomTree.generator(RandomTree.root(trainer.seed(), "weights")));
    try (var parallel = new ParallelFor(trainer.threads())) {
      Algorithm<O> algorithm = spec.algorithm(drawn, null, parallel);
      var used = new Trainer(trainer, callbacks, logWriters);
      used.fit(
          new TrainingVessel<>(problem, algorithm, training, validation, null, vessel)
              .with(stages));
      return new Result<>(this, drawn, used);
    }
  }

  /// @param starts what episodes of validation begin with
  /// @param every number of iterations between validations
  public ProblemRun<I, O> withValidation(List<I> starts, int every) {
    return new ProblemRun<>(
        problem,
        training,
        InitialStates.of(starts),
        network,
        agent,
        trainer.withValidateEvery(every),
        vessel,
        stages,
        callbacks,
        logWriters);
  }

  public ProblemRun<I, O> withNetwork(Network.Maker<O> other) {
    return with(other, agent, trainer, vessel, stages, callbacks, logWriters);
  }

  public ProblemRun<I, O> withAlgorithm(PpoConfig config) {
    return withAlgorithm(PpoSpec.maker(config));
  }

  public ProblemRun<I, O> withAlgorithm(DqnConfig config) {
    return withAlgorithm(DqnSpec.maker(config));
  }

  public ProblemRun<I, O> withAlgorithm(SacConfig config) {
    return withAlgorithm(SacSpec.maker(config));
  }

  public ProblemRun<I, O> withAlgorithm(AgentSpec.Maker<O> other) {
    return with(network, other, trainer, vessel, stages, callbacks, logWriters);
  }

  public ProblemRun<I, O> withTrainer(TrainerConfig other) {
    return with(network, agent, other, vessel, stages, callbacks, logWriters);
  }

  public ProblemRun<I, O> withIterations(int count) {
    return withTrainer(trainer.withMaxIterations(count));
  }

  public ProblemRun<I, O> withSeed(long seed) {
    return withTrainer(trainer.withSeed(seed));
  }

  public ProblemRun<I, O> withVessel(VesselConfig other) {
    return with(network, agent, trainer, other, stages, callbacks, logWriters);
  }

  public ProblemRun<I, O> withStages(Stages<O> others) {
    return with(network, agent, trainer, vessel, others, callbacks, logWriters);
  }

  public ProblemRun<I, O> withCallbacks(Callback... others) {
    return with(network, agent, trainer, vessel, stages, List.of(others), logWriters);
  }

  public ProblemRun<I, O> withLogWriters(LogWriter... others) {
    return with(network, agent, trainer, vessel, stages, callbacks, List.of(others));
  }

  private ProblemRun<I, O> with(
      Network.Maker<O> newNetwork,
      AgentSpec.Maker<O> newAgent,
      TrainerConfig newTrainer,
      VesselConfig newVessel,
      Stages<O> newStages,
      List<Callback> newCallbacks,
      List<LogWriter> newWriters) {
    return new ProblemRun<>(
        problem,
        training,
        validation,
        newNetwork,
        newAgent,
        newTrainer,
        newVessel,
        newStages,
        newCallbacks,
        newWriters);
  }
}
