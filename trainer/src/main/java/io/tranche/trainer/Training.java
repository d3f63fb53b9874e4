package io.tranche.trainer;

import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.Problem;
import io.tranche.policy.agent.RuleAgent;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.learn.Untrained;
import io.tranche.policy.learn.UpdateSettings;
import java.util.List;
import java.util.Map;

/// Training and testing in one call each. Qlib: `qlib.rl.trainer.train`, `backtest`.
public final class Training {

  private Training() {}

  /// Trains and returns the trainer, which knows how it went.
  public static <I, O extends Observation> Trainer train(
      TrainingVessel<I, O> vessel,
      TrainerConfig config,
      List<? extends Callback> callbacks,
      List<? extends LogWriter> loggers) {
    var trainer = new Trainer(config, callbacks, loggers);
    trainer.fit(vessel);
    return trainer;
  }

  /// Lets a policy act in every episode of `states` once, and returns the mean metrics.
  ///
  /// @param loggers hear of everything, such as a log into `result.csv`
  public static <I, O extends Observation> Map<String, Double> backtest(
      Problem<I, ?, ?, O> problem,
      Policy<O> policy,
      InitialStates<I> states,
      TrainerConfig config,
      List<? extends LogWriter> loggers) {
    var nothing = new VesselConfig(1, 1, new UpdateSettings(0, 1, Batching.EPISODES));
    var trainer = new Trainer(config, List.of(), loggers);
    trainer.test(
        new TrainingVessel<>(
            problem, new Untrained<>(new RuleAgent<>(policy)), null, null, states, nothing));
    return trainer.metrics();
  }
}
