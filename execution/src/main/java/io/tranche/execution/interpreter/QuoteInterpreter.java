package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Costs;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.OrderProgress;
import io.tranche.execution.StepProgress;
import java.util.List;
import java.util.stream.IntStream;

/// Reads an action as a volume and the price to quote. The last decision trades what is left at the
/// market, whatever the action: an unfinished order is worse than a bad price.
public final class QuoteInterpreter
    implements ActionInterpreter<ExecutionState, ChildOrder>, DiscreteActions, ContinuousActions {

  /// How actions become volumes and prices.
  public sealed interface Quoting {}

  /// A discrete action picks one of `shares` and one of `kinds`: action `i` is share `i / kinds` at
  /// kind `i % kinds`. A share of 0 is a cancel, whatever the kind.
  ///
  /// @param shares fractions of the whole order, in [0, 1]
  /// @param kinds market, or limits with their offsets
  public record Menu(List<Double> shares, List<Kind> kinds) implements Quoting {
    public Menu {
      shares = CategoricalInterpreter.of(shares).shares();
      kinds = List.copyOf(kinds);
      if (kinds.isEmpty() || kinds.stream().anyMatch(Kind.Cancel.class::isInstance)) {
        throw new IllegalArgumentException(
            "kinds must be markets and limits, at least one, was " + kinds);
      }
    }
  }

  /// A continuous action is the urgency to trade, from -1 to 1. At 0 the TWAP slice is quoted at
  /// the reference price; each step towards 1 asks for more and crosses further, each step towards
  /// -1 asks for less and waits for a better price. Volume is the slice times (1 + urgency) and the
  /// offset is -urgency times `maxOffsetBps`.
  public record Dial(double maxOffsetBps) implements Quoting {
    public Dial {
      Costs.requireNotNegative("maxOffsetBps", maxOffsetBps);
    }
  }

  /// Two numbers from -1 to 1: the first turns the rate from 0 to `maxRate` times the TWAP rate,
  /// the second the offset of the price from `-maxOffsetBps`, which crosses, to `maxOffsetBps`,
  /// which rests. A rate below `cancelBelow` cancels: nothing works until the next decision.
  public record Dials(double maxRate, double maxOffsetBps, double cancelBelow) implements Quoting {
    public Dials {
      Costs.requireNotNegative("maxOffsetBps", maxOffsetBps);
      if (!(maxRate > 1 && maxRate < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("maxRate must be finite and above 1, was " + maxRate);
      }
      if (!(cancelBelow >= 0 && cancelBelow < 1)) {
        throw new IllegalArgumentException("cancelBelow must be in [0, 1), was " + cancelBelow);
      }
    }
  }

  private static final Kind CANCEL = new Kind.Cancel();

  private static final ActionRange TURN = ActionRange.of(-1, 1);
  private static final ActionRange TURNS = ActionRange.of(-1, 1, 2);

  /// Offsets are rounded to this many steps on each side of 0, so that all limits exist before the
  /// first decision.
  private static final int OFFSETS = 1_000;

  private final Quoting quoting;
  private final Space space;

  /// From the furthest crossing limit to the furthest resting one; empty for a menu.
  private final List<Kind> limits;

  /// @param quoting how actions are read
  public QuoteInterpreter(Quoting quoting) {
    this.quoting = quoting;
    this.space =
        switch (quoting) {
          case Menu(var shares, var kinds) -> new Space.Discrete(shares.size() * kinds.size());
          case Dial _ -> TURN.space();
          case Dials _ -> TURNS.space();
        };
    this.limits =
        switch (quoting) {
          case Menu _ -> List.of();
          case Dial(double most) -> limits(most);
          case Dials dials -> limits(dials.maxOffsetBps());
        };
  }

  private static List<Kind> limits(double most) {
    return IntStream.rangeClosed(-OFFSETS, OFFSETS)
        .<Kind>mapToObj(i -> new Kind.Limit(-(-i * most / OFFSETS)))
        .toList();
  }

  public Quoting quoting() {
    return quoting;
  }

  @Override
  public Space actionSpace() {
    return space;
  }

  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    boolean isLast = NextStep.isLast(state);
    return switch (action) {
      case Action.Continuous(double urgency) when quoting instanceof Dial ->
          new ChildOrder(dialled(state, isLast, urgency), limit(isLast, urgency));
      case Action.Vector(var dials) when quoting instanceof Dials two -> {
        double rate = dials.getFirst();
        yield new ChildOrder(
            dialled(two, state, isLast, rate), limit(two, isLast, rate, dials.getLast()));
      }
      case Action.Discrete _, Action.Continuous _, Action.Vector _ -> {
        int choice = NextStep.choice(action);
        yield new ChildOrder(volume(state, isLast, choice), kind(isLast, choice));
      }
    };
  }

  private double dialled(StepProgress progress, boolean isLast, double urgency) {
    double remaining = progress.remaining();
    return isLast
        ? remaining
        : Math.min(NextStep.evenSlice(progress) * (1 + TURN.read(urgency)), remaining);
  }

  private Kind limit(boolean isLast, double urgency) {
    return isLast ? Kind.MARKET : limit(-urgency);
  }

  private double dialled(Dials dials, StepProgress progress, boolean isLast, double turn) {
    double remaining = progress.remaining();
    if (isLast) {
      return remaining;
    }
    double rate = rate(dials, turn);
    return rate < dials.cancelBelow()
        ? 0
        : Math.min(NextStep.evenSlice(progress) * rate, remaining);
  }

  private Kind limit(Dials dials, boolean isLast, double turn, double offset) {
    if (isLast) {
      return Kind.MARKET;
    }
    return rate(dials, turn) < dials.cancelBelow() ? CANCEL : limit(offset);
  }

  private static double rate(Dials dials, double turn) {
    return dials.maxRate() * (1 + TURN.read(turn)) / 2;
  }

  /// @param part of the greatest offset
  private Kind limit(double part) {
    return limits.get(OFFSETS + (int) Math.round(TURN.read(part) * OFFSETS));
  }

  /// Dials have no discrete choices.
  @Override
  public int choices() {
    return quoting instanceof Menu menu ? menu.shares().size() * menu.kinds().size() : 0;
  }

  @Override
  public double volume(OrderProgress progress, boolean isLast, int choice) {
    if (isLast) {
      return progress.remaining();
    }
    Menu menu = menu();
    double share = menu.shares().get(choice / menu.kinds().size());
    return Math.min(progress.order().amount() * share, progress.remaining());
  }

  @Override
  public Kind kind(boolean isLast, int choice) {
    if (isLast) {
      return Kind.MARKET;
    }
    Menu menu = menu();
    return menu.shares().get(choice / menu.kinds().size()) == 0
        ? ChildOrder.cancel().kind()
        : menu.kinds().get(choice % menu.kinds().size());
  }

  private Menu menu() {
    if (quoting instanceof Menu menu) {
      return menu;
    }
    throw new IllegalStateException("quoting must be a menu, was " + quoting);
  }

  @Override
  public int numbers() {
    return switch (quoting) {
      case Menu _ -> 0;
      case Dial _ -> 1;
      case Dials _ -> 2;
    };
  }

  @Override
  public double volume(StepProgress progress, boolean isLast, float[] action, int at) {
    return quoting instanceof Dials dials
        ? dialled(dials, progress, isLast, action[at])
        : dialled(progress, isLast, action[at]);
  }

  @Override
  public Kind kind(boolean isLast, float[] action, int at) {
    return quoting instanceof Dials dials
        ? limit(dials, isLast, action[at], action[at + 1])
        : limit(isLast, action[at]);
  }

  /// The TWAP slice, quoted at the reference price.
  @Override
  public double[] twap(int steps) {
    return quoting instanceof Dials dials
        ? new double[] {2 / dials.maxRate() - 1, 0}
        : new double[] {0};
  }
}
