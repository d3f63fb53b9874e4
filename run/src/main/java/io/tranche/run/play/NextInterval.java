package io.tranche.run.play;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.config.ConfigException;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.RandomTree;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.execution.DeviationGuard;
import io.tranche.execution.ExecutionState;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.Pretraining;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/// What an agent would see at each step of its orders, and what the market did in the interval that
/// began then: the return of its price, and its volume compared with what is usual for the
/// instrument, both in units of their deviations.
///
/// @param targets two numbers for each sample
/// @param <O> what the agent sees
public record NextInterval<O extends Observation>(Transitions<O> samples, float[] targets) {

  /// More orders teach little more and take memory.
  private static final int MOST_ORDERS = 6000;

  /// Plays orders like TWAP; of each window, one sell.
  public static <O extends Observation> NextInterval<O> of(
      OrderPlayer orders, StateInterpreter<ExecutionState, O> states) {
    var windows = new HashSet<List<Object>>();
    List<Order> sells =
        orders.orders().stream()
            .filter(each -> windows.add(List.of(each.instrument(), each.start(), each.end())))
            .map(
                each ->
                    new Order(
                        each.instrument(),
                        Side.SELL,
                        each.amount(),
                        each.start(),
                        each.end(),
                        each.date()))
            .toList();
    var samples = new Transitions<O>();
    var intervals = new ArrayList<Interval>();
    int every = Math.max(1, Math.ceilDiv(sells.size(), MOST_ORDERS));
    for (int i = 0; i < sells.size(); i += every) {
      collect(orders.open(sells.get(i)), states, samples, intervals);
    }
    return new NextInterval<>(samples, targets(intervals));
  }

  /// Lets the network of an agent forecast the next interval; its heads stay.
  ///
  /// @param epochs passes over the samples
  /// @return how it went, for people
  /// @throws ConfigException if the agent has no actor, or there is nothing to forecast
  public String teach(Agent<O> agent, int epochs, long seed, ParallelFor parallel) {
    if (!(agent instanceof ActorCritic<O> actor) || samples.size() == 0) {
      throw new ConfigException(
          "trainer.pretrain_epochs",
          samples.size() == 0
              ? "0, because the training orders have no prices"
              : "0, or a policy with an actor, such as Ppo",
          epochs);
    }
    long key = RandomTree.root(seed, "pretraining");
    List<Double> errors = Pretraining.run(actor.model(), samples, targets, epochs, key, parallel);
    return String.format(
        Locale.ROOT,
        "the network forecasts the next interval first: squared error %.4f in the first of %d"
            + " epochs, %.4f in the last, %d intervals",
        errors.getFirst(),
        epochs,
        errors.getLast(),
        samples.size());
  }

  /// @param move logarithm of the last price over the newest one before the interval
  private record Interval(String instrument, double move, double volume) {}

  private static <O extends Observation> void collect(
      Simulator<ExecutionState, ChildOrder> simulator,
      StateInterpreter<ExecutionState, O> states,
      Transitions<O> samples,
      List<Interval> intervals) {
    int episode = samples.size(); // a number that no other order has
    while (!simulator.isDone()) {
      ExecutionState state = simulator.state();
      DayTicks ticks = state.ticks();
      double before = ticks.price(Math.max(0, state.tick() - 1));
      double move = Math.log(ticks.price(state.stepEnd() - 1) / before);
      double volume = 0;
      for (int tick = state.tick(); tick < state.stepEnd(); tick++) {
        volume += Double.isNaN(ticks.volume(tick)) ? 0 : ticks.volume(tick);
      }
      if (Double.isFinite(move)) {
        O seen = states.observe(state);
        samples.add(seen, new Action.Discrete(0), 0, false, false, seen, episode, state.step());
        intervals.add(new Interval(state.order().instrument(), move, volume));
      }
      boolean isLast = state.stepEnd() >= state.endTick();
      simulator.step(ChildOrder.market(DeviationGuard.even(state, isLast)));
    }
    samples.endEnvironment();
  }

  private static float[] targets(List<Interval> intervals) {
    Map<String, double[]> usual = new HashMap<>(); // sum and count of each instrument
    for (Interval each : intervals) {
      double[] sums = usual.computeIfAbsent(each.instrument, _ -> new double[2]);
      sums[0] += each.volume;
      sums[1]++;
    }
    double[] moves = new double[intervals.size()];
    double[] volumes = new double[intervals.size()];
    for (int i = 0; i < moves.length; i++) {
      Interval each = intervals.get(i);
      double[] sums = Objects.requireNonNull(usual.get(each.instrument));
      moves[i] = each.move;
      volumes[i] = Math.log1p(each.volume / Math.max(sums[0] / sums[1], Double.MIN_NORMAL));
    }
    standardise(moves);
    standardise(volumes);
    float[] targets = new float[2 * moves.length];
    for (int i = 0; i < moves.length; i++) {
      targets[2 * i] = (float) moves[i];
      targets[2 * i + 1] = (float) volumes[i];
    }
    return targets;
  }

  private static void standardise(double[] numbers) {
    double mean = 0;
    for (double each : numbers) {
      mean += each / numbers.length;
    }
    double variance = 0;
    for (double each : numbers) {
      variance += (each - mean) * (each - mean) / numbers.length;
    }
    double deviation = variance > 0 ? Math.sqrt(variance) : 1;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (numbers[i] - mean) / deviation;
    }
  }
}
