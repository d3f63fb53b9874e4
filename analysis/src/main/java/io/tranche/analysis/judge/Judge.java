package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ExampleOrder;
import io.tranche.analysis.report.OrderRow;
import io.tranche.env.Observation;
import io.tranche.execution.TickSource;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import java.util.function.BiFunction;

/// Judges the agent of a training run on the orders of a stage.
///
/// @param <O> what the agent sees
public final class Judge<O extends Observation> {

  private final TrainingRun<O> run;

  public Judge(TrainingRun<O> run) {
    this.run = run;
  }

  /// Judges the agent as it is now on the test orders, against TWAP, the constant actions that were
  /// best in validation, the arrival price and the oracle.
  ///
  /// @param more adds yardsticks that need more than the orders, such as VWAP
  /// @throws io.tranche.config.ConfigException if this is a teacher's run
  public Judgement judge(BiFunction<OrderPlayer, Yardsticks, Yardsticks> more) {
    run.run().rejectHindsight("a judgement");
    var problem = run.parts().problem();
    OrderPlayer test = player(Tag.TEST);
    Yardsticks chosen = Yardsticks.of(player(Tag.VALID), problem.actionInterpreter());
    Yardsticks yardsticks = more.apply(test, Yardsticks.of(test, problem.actionInterpreter()));
    Candidate<O> agent = agent();
    PolicyResults results = test.run(agent);
    TickSource ticks = order -> test.open(order).state().ticks();
    return new Judgement(
        Assessment.of(results, yardsticks, chosen),
        yardsticks,
        yardsticks.constants().isEmpty() ? null : yardsticks.constantsChosenOn(chosen),
        OrderRow.atArrival(test.orders(), ticks),
        OrderRow.of(results, ticks),
        ExampleOrder.of(test, agent, results),
        test.putAside());
  }

  OrderPlayer player(Tag stage) {
    return run.player(stage);
  }

  Candidate<O> agent() {
    return run.agent();
  }
}
