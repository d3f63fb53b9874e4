package io.tranche.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tranche.backtest.Frictions;
import io.tranche.config.ComponentSpec;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.execution.CachedTicks;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator.SimulatorFactory;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.execution.catalog.ExecutionCatalog;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.BarSource;
import io.tranche.market.BarTime;
import io.tranche.market.Order;
import io.tranche.market.feature.FeatureSource;
import io.tranche.market.feature.SidedFeatures;
import io.tranche.market.feature.provider.ComputedFeatures;
import io.tranche.market.feature.provider.FeatureProvider;
import io.tranche.market.feature.provider.PriceMoves;
import io.tranche.market.feature.provider.ProvidedFeatures;
import io.tranche.market.feature.provider.RelativeVolume;
import io.tranche.market.feature.provider.TimeOfDay;
import io.tranche.market.pickle.BacktestPrices.DealPrice;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.policy.weights.TorchFile;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import io.tranche.runtime.ModelSpec;
import io.tranche.trainer.checkpoint.CheckpointFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/// The model of a small training, as a bundle and as the checkpoint that it was.
final class TrainedBundle {

  /// The features of the native recipe.
  private static final List<FeatureProvider> RECIPE =
      List.of(new PriceMoves(), new RelativeVolume(), new TimeOfDay());

  private static final String TRAINED = "checkpoints/004.ckpt";
  private static final String CHECKPOINT = "drawn.pth";
  private static final int SEED = 3;

  private TrainedBundle() {}

  /// Exports a checkpoint of a run's network, its features computed from bars. Its weights are
  /// drawn: what a few iterations make of them would choose the same all day.
  static Path export(Path run, Path target) {
    var drawn = new LinkedHashMap<String, Tensor>();
    CheckpointFile.policyState(run.resolve(TRAINED))
        .tensors()
        .forEach((name, tensor) -> drawn.put(name, draw(name, tensor)));
    TorchFile.write(run.resolve(CHECKPOINT), new StateDict(drawn));
    Run export =
        Run.of(
            "export",
            run.resolve(CHECKPOINT).toString(),
            "--config",
            run.resolve("config.yml").toString(),
            "--out",
            target + ".given.tranche");
    assertThat(export.status()).as(export.err()).isZero();
    ModelBundle bundle = BundleFile.read(Path.of(target + ".given.tranche"));
    ModelSpec spec = bundle.spec();
    BundleFile.write(
        target,
        new ModelBundle(
            spec.withFeatures(new ProvidedFeatures(RECIPE, 0)),
            bundle.members(),
            bundle.lineage(),
            bundle.metrics()));
    return target;
  }

  /// Actor and critic share what reads the day.
  private static Tensor draw(String name, Tensor tensor) {
    String key = name.replace("_actor_critic.", "").replace("critic.extractor", "actor.extractor");
    var random = new SplittableRandom(SEED + key.hashCode());
    float[] elements = new float[tensor.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = (float) random.nextGaussian();
    }
    return Tensor.of(tensor.shape(), elements);
  }

  /// One decision in the simulator.
  record Simulated(String time, double volume, double remaining, int choice) {}

  /// An order in the simulator.
  record Worked(List<Simulated> steps, double advantageBps) {}

  /// Works an order with the checkpoint itself, in the simulator.
  static Worked simulate(Path run, Path bundle, BarSource bars, Order order) {
    ModelSpec spec = BundleFile.read(bundle).spec();
    int minutes = spec.frequency().seconds() / 60;
    FeatureSource features = ComputedFeatures.of(bars, RECIPE, 0, 4);
    var states =
        new FullHistoryInterpreter(
            spec.maxSteps(),
            spec.ticks(),
            features.columns().today().size(),
            SidedFeatures.mirrored(features, 4));
    var actions = ExecutionCatalog.actionInterpreters().make(ComponentSpec.from(spec.actions()));
    var simulators =
        new SimulatorFactory(
            new SimpleSimulatorConfig(
                spec.ticksPerStep() * minutes, minutes, Frictions.NONE, Dialect.NATIVE),
            CachedTicks.of(bars, DealPrice.CLOSE, 4));
    var steps = new ArrayList<Simulated>();
    Path checkpoint = run.resolve(CHECKPOINT);
    Policy<FullHistoryObservation> policy =
        spec.agent(actions.actionSpace())
            .load(checkpoint.toString(), CheckpointFile.policyState(checkpoint))
            .newPolicy(1);
    var simulator = simulators.create(order);
    while (!simulator.isDone()) {
      ExecutionState state = simulator.state();
      Action action =
          policy.act(List.of(states.observe(state)), new long[1], Policy.Mode.EVALUATE)[0];
      var child = actions.act(state, action);
      boolean isLast = state.stepEnd() >= state.endTick();
      steps.add(
          new Simulated(
              BarTime.format(state.time()),
              isLast ? state.remaining() : Math.min(child.volume(), state.remaining()),
              state.remaining(),
              (int) action.number()));
      simulator.step(child);
    }
    return new Worked(steps, Objects.requireNonNull(simulator.state().metrics()).advantageBps());
  }
}
