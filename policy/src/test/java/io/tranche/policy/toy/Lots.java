package io.tranche.policy.toy;

import io.tranche.env.ActionInterpreter;
import io.tranche.env.EnvContext;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import io.tranche.env.Simulator;
import io.tranche.env.StateInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value;
import io.tranche.policy.network.Mlp;
import io.tranche.policy.network.Network;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntBinaryOperator;
import java.util.stream.Stream;

/// Four lots to sell in four steps: the more at once, the worse the price. Prices move in one of
/// three ways, and the last step sells the rest. Small enough to compute the optimum.
public final class Lots {

  public static final int LOTS = 4;
  public static final int STEPS = 4;
  public static final int CHOICES = LOTS + 1;
  private static final double IMPACT = 0.15;

  /// Price by regime and step.
  private static final double[][] PRICES = {
    {1, 1, 1, 1}, {1.6, 1.2, 0.6, 0.2}, {0.2, 0.6, 1.1, 1.7}
  };

  public static final int REGIMES = PRICES.length;
  private static final int INPUTS = REGIMES + STEPS + LOTS + 1;

  private Lots() {}

  /// What a seller sees.
  public record View(int regime, int step, int left) implements Observation {

    @Override
    public Value toValue() {
      return new Value.Tuple(
          Stream.of(regime, step, left).<Value>map(n -> new Value.Plain((long) n)).toList());
    }

    void write(float[] data, int at) {
      for (int i = 0; i < INPUTS; i++) {
        boolean on = i == regime || i == REGIMES + step || i == REGIMES + STEPS + left;
        data[at + i] = on ? 1 : 0;
      }
    }
  }

  /// @param earned by the last sale
  public record State(View view, double earned) {}

  private static final class Sale implements Simulator<State, Integer> {
    private final int regime;
    private int step;
    private int left = LOTS;
    private double earned;

    private Sale(int regime) {
      this.regime = regime;
    }

    @Override
    public State state() {
      return new State(new View(regime, Math.min(step, STEPS - 1), left), earned);
    }

    @Override
    public boolean isDone() {
      return step == STEPS;
    }

    @Override
    public void step(Integer wanted) {
      int sold = sold(step, left, wanted);
      earned = earned(regime, step, sold);
      left -= sold;
      step++;
    }
  }

  private static int sold(int step, int left, int wanted) {
    return step == STEPS - 1 ? left : Math.min(wanted, left);
  }

  private static double earned(int regime, int step, int sold) {
    return PRICES[regime][step] * sold - IMPACT * sold * sold;
  }

  private static final class Views implements StateInterpreter<State, View> {

    @Override
    public Space observationSpace() {
      return new Space.Tuple(
          List.of(
              new Space.Discrete(REGIMES), new Space.Discrete(STEPS), new Space.Discrete(CHOICES)));
    }

    @Override
    public View interpret(State state) {
      return state.view;
    }
  }

  private static final class Wishes implements ActionInterpreter<State, Integer> {

    @Override
    public Space actionSpace() {
      return new Space.Discrete(CHOICES);
    }

    @Override
    public Integer interpret(State state, Action action) {
      return (int) action.number();
    }
  }

  /// Returns the problem; episodes begin with a regime.
  public static Problem<Integer, State, Integer, View> problem() {
    return new Problem<>(
        (regime, _) -> new Sale(regime),
        new Views(),
        new Wishes(),
        (State state, EnvContext _) -> state.earned);
  }

  /// Returns regimes without end.
  public static Iterator<Integer> regimes(long seed) {
    return new SplittableRandom(seed).ints(0, REGIMES).iterator();
  }

  public static Network.Factory<View> network() {
    return Mlp.factory(View::write, INPUTS, 32, 32);
  }

  /// Returns what the best seller earns, averaged over the regimes.
  public static double optimum() {
    double sum = 0;
    for (int regime = 0; regime < REGIMES; regime++) {
      sum += best(regime, 0, LOTS);
    }
    return sum / REGIMES;
  }

  private static double best(int regime, int step, int left) {
    if (step == STEPS) {
      return 0;
    }
    double best = Double.NEGATIVE_INFINITY;
    for (int wanted = 0; wanted <= left; wanted++) {
      int sold = sold(step, left, wanted);
      best = Math.max(best, earned(regime, step, sold) + best(regime, step + 1, left - sold));
    }
    return best;
  }

  /// Returns what a seller that knows only step and lots earns, averaged over the regimes.
  public static double earnedBy(IntBinaryOperator wanted) {
    double sum = 0;
    for (int regime = 0; regime < REGIMES; regime++) {
      int left = LOTS;
      for (int step = 0; step < STEPS; step++) {
        int sold = sold(step, left, wanted.applyAsInt(step, left));
        sum += earned(regime, step, sold);
        left -= sold;
      }
    }
    return sum / REGIMES;
  }
}
