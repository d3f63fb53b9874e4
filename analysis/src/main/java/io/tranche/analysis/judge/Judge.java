package io.tranche.analysis.judge;

import io.tranche.analysis.Assessment;
import io.tranche.analysis.LinearFit;
import io.tranche.analysis.Yardsticks;
import io.tranche.analysis.report.ExampleOrder;
import io.tranche.analysis.report.OrderRow;
import io.tranche.backtest.ChildOrder;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Problem;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.TickSource;
import io.tranche.execution.baseline.LinearBaseline;
import io.tranche.execution.interpreter.FullHistoryInterpreter;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.policy.agent.Agent;
import io.tranche.run.RunParts;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.PolicyResults;
import io.tranche.trainer.InitialStates;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Judges the agent of a run in the run's own simulator.
///
/// @param parallel the caller closes it
/// @param guard how far the agent may deviate from TWAP; null for as far as it wants
/// @param <O> what the agent sees
public record Judge<O extends Observation>(
    RunParts<O> parts, Agent<O> agent, ParallelFor parallel, @Nullable DeviationGuard guard) {

  /// Judges an agent without a guard.
  public Judge(RunParts<O> parts, Agent<O> agent, ParallelFor parallel) {
    this(parts, agent, parallel, null);
  }

  public static <O extends Observation> Judge<O> of(TrainingRun<O> run) {
    return new Judge<>(run.parts(), run.algorithm().agent(), run.parallel());
  }

  /// Judges the agent as it is now on the run's test orders.
  ///
  /// @param more adds yardsticks that need more than the orders, such as VWAP
  /// @throws io.tranche.config.ConfigException if this is a teacher's run
  public Judgement judge(BiFunction<OrderPlayer, Yardsticks, Yardsticks> more) {
    return judge(player(Tag.TEST), player(Tag.VALID), more);
  }

  /// Judges the agent as it is now on orders, against TWAP, constant actions, the arrival price and
  /// the oracle.
  ///
  /// @param validation the orders to choose the constant actions on; null to choose the best ones
  ///   in hindsight
  /// @param more adds yardsticks that need more than the orders, such as VWAP
  /// @throws io.tranche.config.ConfigException if this is a teacher's run
  public Judgement judge(
      OrderPlayer test,
      @Nullable OrderPlayer validation,
      BiFunction<OrderPlayer, Yardsticks, Yardsticks> more) {
    parts.run().rejectHindsight("a judgement");
    return judge(candidate(), test, validation, more);
  }

  /// Judges any candidate.
  public static <O extends Observation> Judgement judge(
      Candidate<O> candidate,
      OrderPlayer test,
      @Nullable OrderPlayer validation,
      BiFunction<OrderPlayer, Yardsticks, Yardsticks> more) {
    Yardsticks yardsticks = more.apply(test, Yardsticks.of(test, candidate.actions()));
    Yardsticks chosen =
        validation == null ? yardsticks : Yardsticks.of(validation, candidate.actions());
    PolicyResults results = test.run(candidate);
    TickSource ticks = order -> test.open(order).state().ticks();
    return new Judgement(
        Assessment.of(results, yardsticks, chosen),
        yardsticks,
        yardsticks.constants().isEmpty() ? null : yardsticks.constantsChosenOn(chosen),
        OrderRow.atArrival(test.orders(), ticks),
        OrderRow.of(results, ticks),
        ExampleOrder.of(test, candidate, results),
        test.putAside());
  }

  /// Fits the linear baseline to the run's training orders, on the features that the agent sees and
  /// at the prices that it learns with.
  ///
  /// @return null if the agent sees no features
  public @Nullable LinearBaseline linear() {
    return parts.problem().stateInterpreter() instanceof FullHistoryInterpreter history
        ? LinearFit.fit(history.source(), player(Tag.TRAIN, parts.learning()))
        : null;
  }

  private OrderPlayer player(Tag stage, Problem<Order, ExecutionState, ChildOrder, O> problem) {
    InitialStates<Order> states = parts.data().orders(stage);
    List<Order> orders = IntStream.range(0, states.size()).mapToObj(states.load()).toList();
    return new OrderPlayer(problem.simulators(), orders, parallel);
  }

  OrderPlayer player(Tag stage) {
    return player(stage, parts.problem());
  }

  /// Returns the agent as it is now, ready to execute orders.
  public Candidate<O> candidate() {
    var problem = parts.problem();
    return new Candidate<>(
        "the agent",
        problem.stateInterpreter(),
        problem.actionInterpreter(),
        agent::newPolicy,
        guard);
  }
}
