package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.OrderProgress;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Reads a discrete action as a share of the whole order. Qlib: `CategoricalActionInterpreter`.
///
/// @param shares the fraction of the order that each action trades
/// @param maxSteps the number of decisions after which everything is traded, whatever the action;
///   null if there is no such limit
public record CategoricalInterpreter(List<Double> shares, @Nullable Integer maxSteps)
    implements ActionInterpreter<ExecutionState, ChildOrder>, DiscreteActions {

  public CategoricalInterpreter {
    shares = List.copyOf(shares);
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("shares must not be empty");
    }
  }

  /// Makes a native interpreter.
  ///
  /// @throws IllegalArgumentException if a share is not in [0, 1]
  public static CategoricalInterpreter of(List<Double> shares) {
    for (double share : shares) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("shares must be in [0, 1], was " + share);
      }
    }
    return new CategoricalInterpreter(shares, null);
  }

  /// Returns the shares 0, 1/n, 2/n, up to 1.
  public static List<Double> evenShares(int n) {
    if (n < 1) {
      throw new IllegalArgumentException("n must be positive, was " + n);
    }
    return IntStream.rangeClosed(0, n).mapToObj(i -> (double) i / n).toList();
  }

  @Override
  public Space actionSpace() {
    return new Space.Discrete(shares.size());
  }

  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    return ChildOrder.market(volume(state, false, NextStep.choice(action)));
  }

  @Override
  public int choices() {
    return shares.size();
  }

  @Override
  public double volume(OrderProgress progress, boolean isLast, int choice) {
    if (maxSteps != null && progress.step() >= maxSteps - 1) {
      return progress.remaining();
    }
    return Math.min(progress.remaining(), progress.order().amount() * shares.get(choice));
  }

  @Override
  public Kind kind(boolean isLast, int choice) {
    return Kind.MARKET;
  }
}
