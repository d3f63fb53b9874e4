package io.tranche.cli;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.Numbers;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.RandomTree;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Space;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.network.Network;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.ModelBundle;
import io.tranche.tensor.Weights;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.TrainingProgress;
import io.tranche.work.start.Tranche;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;

/// What the code of the documents takes for granted, made from the reader's files in the working
/// directory.
public final class DocumentedValues {

  /// As many as the model has, and the documents say.
  private static final Space ACTIONS = new Space.Discrete(5);

  private DocumentedValues() {}

  /// Count down to 0 by 1, 2 or 3: each step costs 1, and so does each number below 0.
  public static Problem<Integer, ?, ?, Numbers> countdown() {
    return Problem.of(
        (first, _) -> Simulator.of(first, (left, taken) -> left - taken, left -> left <= 0),
        StateInterpreter.numbers(1, left -> new double[] {left}),
        ActionInterpreter.choices(3, (_, choice) -> choice + 1),
        (left, _) -> -1 + Math.min(0, left));
  }

  /// One order on a day of the store.
  public static List<Order> orders() {
    LocalDate date = LocalDate.of(2024, 1, 3);
    return List.of(
        new Order("SH600000", Side.SELL, 10_000, date.atTime(9, 30), date.atTime(15, 0)));
  }

  public static ModelBundle model() {
    return BundleFile.read(Path.of("model.tranche"));
  }

  /// Returns the network of the model.
  public static Network.Factory<FullHistoryObservation> network() {
    var spec = model().spec();
    return PolicyCatalog.network(spec.network(), spec.context(ACTIONS));
  }

  /// Returns other weights of the model.
  public static Weights drawnWeights() {
    var agent = model().spec().agent(ACTIONS).create(RandomTree.generator(1));
    return agent.weights().parts().getFirst().weights();
  }

  /// Returns the native recipe on the reader's bars, ready to train.
  public static TrainingRun<Observation> recipe() {
    return Recipe.RUN;
  }

  public static InitialStates<Order> orders(Tag stage) {
    return recipe().parts().data().orders(stage);
  }

  /// Opened once, because a run locks its folder.
  private static final class Recipe {

    @SuppressWarnings("unchecked") // all that an agent sees is an observation
    static final TrainingRun<Observation> RUN =
        (TrainingRun<Observation>)
            TrainingRun.open(
                Tranche.run().withBars(Path.of("bars.csv")),
                TrainingOptions.in(Path.of("runs/recipe")),
                (_, _, _) -> {},
                TrainingProgress.NONE,
                Clock.systemUTC());
  }
}
