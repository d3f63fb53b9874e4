package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.backtest.Costs;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.OrderProgress;
import java.util.List;

/// Reads an action as a volume and the price to quote. The last decision trades what is left at the
/// market, whatever the action: an unfinished order is worse than a bad price.
///
/// @param quoting how actions are read
public record QuoteInterpreter(Quoting quoting)
    implements ActionInterpreter<ExecutionState, ChildOrder>, DiscreteActions {

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

  /// A continuous action in [-1, 1] is the urgency to trade. At 0 the TWAP slice is quoted at the
  /// reference price; each step towards 1 asks for more and crosses further, each step towards -1
  /// asks for less and waits for a better price. Volume is the slice times (1 + urgency) and the
  /// offset is -urgency times `maxOffsetBps`.
  public record Dial(double maxOffsetBps) implements Quoting {
    public Dial {
      Costs.requireNotNegative("maxOffsetBps", maxOffsetBps);
    }
  }

  @Override
  public Space actionSpace() {
    return switch (quoting) {
      case Menu(var shares, var kinds) -> new Space.Discrete(shares.size() * kinds.size());
      case Dial _ -> Space.Box.scalar(ElementType.FLOAT32, -1, 1);
    };
  }

  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    boolean isLast = NextStep.isLast(state);
    return switch (quoting) {
      case Menu _ -> {
        int choice = NextStep.choice(action);
        yield new ChildOrder(volume(state, isLast, choice), kind(isLast, choice));
      }
      case Dial _ when isLast -> ChildOrder.market(state.remaining());
      case Dial(double maxOffsetBps) -> {
        double urgency = action.number();
        double wanted = NextStep.evenSlice(state) * (1 + urgency);
        yield ChildOrder.limit(Math.min(wanted, state.remaining()), -urgency * maxOffsetBps);
      }
    };
  }

  /// A dial has no discrete choices.
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
}
