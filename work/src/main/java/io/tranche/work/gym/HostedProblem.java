package io.tranche.work.gym;

import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.network.BuildContext;
import io.tranche.run.RunParts;
import io.tranche.trainer.InitialStates;
import io.tranche.trainer.ProblemRun;
import java.util.Locale;

/// What environments are made of.
///
/// @param starts what episodes begin with
/// @param context the spaces, and the seed of the run
record HostedProblem<I, O extends Observation>(
    Problem<I, ?, ?, O> problem, InitialStates<I> starts, BuildContext context) {

  static <O extends Observation> HostedProblem<Order, O> of(RunParts<O> parts, Tag stage) {
    parts.run().rejectHindsight("environments for other programs");
    return new HostedProblem<>(parts.problem(), parts.data().orders(stage), parts.context());
  }

  static <I, O extends Observation> HostedProblem<I, O> of(ProblemRun<I, O> run, Tag stage) {
    InitialStates<I> starts =
        switch (stage) {
          case TRAIN -> run.training();
          case VALID -> run.validation();
          default -> null;
        };
    if (starts == null) {
      throw new ConfigException(
          "--stage",
          run.validation() == null ? "train, as the problem has no others" : "train or valid",
          stage.name().toLowerCase(Locale.ROOT));
    }
    Problem<I, ?, ?, O> problem = run.problem();
    var context =
        new BuildContext(
            problem.stateInterpreter().observationSpace(),
            problem.actionInterpreter().actionSpace(),
            0,
            1,
            run.trainer().seed());
    return new HostedProblem<>(problem, starts, context);
  }
}
