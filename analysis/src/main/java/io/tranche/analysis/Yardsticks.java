package io.tranche.analysis;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.AllOne;
import io.tranche.env.Observation;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.baseline.DecisionView;
import io.tranche.execution.baseline.EvaluationPermit;
import io.tranche.execution.baseline.HindsightInterpreter;
import io.tranche.execution.baseline.LearnedVolume;
import io.tranche.execution.baseline.LinearBaseline;
import io.tranche.execution.baseline.OraclePolicy;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.execution.baseline.VolumeHistory;
import io.tranche.execution.baseline.VwapBaseline;
import io.tranche.execution.interpreter.DummyInterpreter;
import io.tranche.execution.interpreter.VolumeInterpreter;
import io.tranche.market.BarSource;
import io.tranche.market.Side;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.synthetic.VisibleOptimum;
import io.tranche.run.play.Candidate;
import io.tranche.run.play.OrderPlayer;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The results that agents are compared with, on one set of orders: evaluated once, used for every
/// agent.
///
/// @param constants the results of always choosing the same action, one per action; empty if the
///   actions are not discrete
/// @param vwap null if the bars of earlier days are not known
/// @param learnedVwap the same with volumes that are learnt from these days and the day so far
/// @param linear null if the run has no features to fit a linear forecast to
/// @param optimum the best that past bars allow; null except on the embedded market
/// @param oracle the best that knowing the future allows
public record Yardsticks(
    PolicyResults twap,
    List<PolicyResults> constants,
    @Nullable PolicyResults vwap,
    @Nullable PolicyResults learnedVwap,
    @Nullable PolicyResults linear,
    @Nullable PolicyResults optimum,
    PolicyResults oracle) {

  private static final int VOLUME_DAYS = 10;

  public Yardsticks {
    constants = List.copyOf(constants);
  }

  /// Evaluates the rules that need only the orders.
  ///
  /// @param actions of the agent
  public static Yardsticks of(
      OrderPlayer player, ActionInterpreter<ExecutionState, ChildOrder> actions) {
    PolicyResults twap = player.run(twapRule());
    PolicyResults oracle = player.run(oracleRule(player));
    return new Yardsticks(twap, constants(player, actions), null, null, null, null, oracle);
  }

  public static Candidate<DecisionView> twapRule() {
    return Candidate.rule("TWAP", new TwapBaseline());
  }

  /// @param bars of the orders' instruments; the caller closes them
  public static Candidate<DecisionView> vwapRule(BarSource bars) {
    return Candidate.rule("VWAP", new VwapBaseline(new VolumeHistory(bars, VOLUME_DAYS)));
  }

  /// Returns the best that knowing the future allows.
  public static Candidate<? extends Observation> oracleRule(OrderPlayer player) {
    var permit = new EvaluationPermit("upper bound of an evaluation");
    return new Candidate<>(
        "oracle",
        new HindsightInterpreter(permit),
        new VolumeInterpreter(),
        _ -> new OraclePolicy(permit, player.participation()));
  }

  private static List<PolicyResults> constants(
      OrderPlayer player, ActionInterpreter<ExecutionState, ChildOrder> actions) {
    int choices = actions.actionSpace() instanceof Space.Discrete(int count) ? count : 0;
    var results = new ArrayList<PolicyResults>();
    for (int i = 0; i < choices; i++) {
      var action = new Action.Discrete(i);
      String name = "always action " + i;
      results.add(
          player.run(
              new Candidate<>(name, new DummyInterpreter(), actions, _ -> new AllOne<>(action))));
    }
    return results;
  }

  /// Adds VWAP.
  ///
  /// @param bars of the orders' instruments; the caller closes them
  public Yardsticks withVwap(OrderPlayer player, BarSource bars) {
    var learned =
        Candidate.rule("VWAP, learned volumes", new VwapBaseline(new LearnedVolume(bars)));
    return new Yardsticks(
        twap,
        constants,
        player.run(vwapRule(bars)),
        player.run(learned),
        linear,
        optimum,
        oracle);
  }

  /// Adds a linear forecast.
  ///
  /// @param rule fitted to the training orders; null for none
  public Yardsticks withLinear(OrderPlayer player, @Nullable LinearBaseline rule) {
    return rule == null
        ? this
        : new Yardsticks(
            twap,
            constants,
            vwap,
            learnedVwap,
            player.run(Candidate.rule("the linear baseline", rule)),
            optimum,
            oracle);
  }

  /// Adds the optimum of the embedded market.
  public Yardsticks withOptimum(OrderPlayer player, SyntheticMarket market, VisibleOptimum best) {
    var rule = Candidate.rule("the visible-information optimum", new OptimumBaseline(market, best));
    return new Yardsticks(
        twap, constants, vwap, learnedVwap, linear, player.run(rule), oracle);
  }

  /// Returns the constant action that was best on these orders, both sides together. It is known
  /// only in hindsight.
  ///
  /// @throws IllegalStateException if the actions are not discrete
  public PolicyResults bestConstant() {
    return constants.get(bestConstant(null));
  }

  /// Returns the results, on these orders, of the constant actions that were best on other orders,
  /// one action per side. Like an agent they are chosen before the test.
  ///
  /// @param validation yardsticks of the orders to choose on, with the same actions
  /// @throws IllegalStateException if the actions are not discrete
  public PolicyResults constantsChosenOn(Yardsticks validation) {
    Map<Side, Integer> chosen = new EnumMap<>(Side.class);
    for (Side side : Side.values()) {
      chosen.put(side, validation.bestConstant(side));
    }
    var results = new ArrayList<OrderResult>();
    for (int i = 0; i < twap.orders().size(); i++) {
      Side side = twap.orders().get(i).order().side();
      results.add(constants.get(chosen.getOrDefault(side, 0)).orders().get(i));
    }
    return new PolicyResults(
        "the best constant actions %s (sells %d, buys %d)"
            .formatted(
                validation.equals(this) ? "in hindsight" : "of validation",
                chosen.get(Side.SELL),
                chosen.get(Side.BUY)),
        results);
  }

  private int bestConstant(@Nullable Side side) {
    if (constants.isEmpty()) {
      throw new IllegalStateException("actions must be discrete");
    }
    int best = 0;
    for (int i = 1; i < constants.size(); i++) {
      if (constants.get(i).meanBps(side) > constants.get(best).meanBps(side)) {
        best = i;
      }
    }
    return best;
  }
}
