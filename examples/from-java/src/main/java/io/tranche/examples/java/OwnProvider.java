package io.tranche.examples.java;

import io.tranche.backtest.executor.Strategy;
import io.tranche.config.Component;
import io.tranche.config.ComponentProvider;
import io.tranche.env.LogCollector;
import io.tranche.env.LogWriter;
import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.execution.SimulatorSetup;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.ppo.PpoConfig;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.trainer.Callback;
import io.tranche.trainer.Hook;
import io.tranche.trainer.Trainer;
import io.tranche.trainer.catalog.LogWriterMaker;
import java.util.List;
import java.util.Map;

/// The same parts by name. Listed in `META-INF/services`, so that a plug-in jar needs nothing else.
public final class OwnProvider implements ComponentProvider {

  @Override
  public List<Component<?>> components() {
    return List.of(
        Component.of(
            SimulatorSetup.class,
            "FirstTick",
            "fills at the first tick of a step",
            settings ->
                new FirstTickSimulator(
                    settings.countOr("minutes_per_step", 30), settings.countOr("granularity", 5))),
        Component.of(
            ExecutionCatalog.STATE_INTERPRETER,
            "Place",
            "progress and place of the close",
            _ -> OwnParts.observation()),
        Component.of(
            ExecutionCatalog.ACTION_INTERPRETER,
            "Thirds",
            "thirds of what remains",
            _ -> OwnParts.actions()),
        Component.of(ExecutionCatalog.REWARD, "Early", "early fills", _ -> OwnParts.reward()),
        Component.of(ExecutionCatalog.METRIC, "Left", "what remains", _ -> OwnParts.metric()),
        Component.of(
            ExecutionCatalog.AUX_INFO,
            "Steps",
            "the step, as side information",
            _ -> (_, context) -> new Value.Plain((long) context.step())),
        Component.of(PolicyCatalog.network(), "Small", "16 numbers", _ -> OwnParts.network()),
        Component.of(
            PolicyCatalog.agent(),
            "LoggingPpo",
            "PPO with fewer passes towards the end",
            settings -> {
              var ppo = PpoConfig.DEFAULT.withLearningRate(settings.doubleOr("rate", 1e-3));
              return (network, context) ->
                  new LoggingPpo<>(PpoSpec.<Observation>maker(ppo).make(network, context));
            }),
        Component.of(Strategy.Factory.class, "AtOnce", "at once", _ -> AtOnceStrategy::new),
        Component.of(Callback.class, "Hooks", "logs hooks", _ -> new Hooks()),
        Component.of(LogWriterMaker.class, "Tally", "counts steps", _ -> (_, _) -> new Tally()));
  }

  /// Logs how many hooks an iteration had so far.
  static final class Hooks implements Callback {
    private int count;

    @Override
    public void on(Hook hook, Trainer trainer) {
      count++;
      if (hook == Hook.TRAIN_END) {
        trainer.log("hooks", count);
      }
    }
  }

  /// Counts the steps that had side information.
  static final class Tally implements LogWriter {
    static long steps;

    @Override
    public io.tranche.env.LogLevel level() {
      return io.tranche.env.LogLevel.DEBUG;
    }

    @Override
    public void onEnvStep(
        int env,
        Observation observation,
        double reward,
        boolean done,
        Map<String, LogCollector.Entry> log) {
      steps += log.containsKey("aux_info") ? 1 : 0;
    }
  }
}
