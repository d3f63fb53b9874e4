package io.tranche.execution.interpreter;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.StepProgress;

/// Reads an action as the volume to trade at the market, at most what remains.
///
/// @param isShare whether the action is a fraction of the whole order instead of a volume
/// @param actionSpace the volumes or fractions, from 0 on
public record VolumeInterpreter(boolean isShare, Space actionSpace)
    implements ActionInterpreter<ExecutionState, ChildOrder>, ContinuousActions {

  /// Reads volumes without an upper bound, which agents cannot learn.
  public VolumeInterpreter() {
    this(false, volumes(Double.POSITIVE_INFINITY));
  }

  /// Reads volumes up to `maxVolume`.
  public static VolumeInterpreter upTo(double maxVolume) {
    if (!(maxVolume > 0)) {
      throw new IllegalArgumentException("maxVolume must be positive, was " + maxVolume);
    }
    return new VolumeInterpreter(false, volumes(maxVolume));
  }

  /// Reads fractions of the whole order up to `maxShare`.
  public static VolumeInterpreter shares(double maxShare) {
    if (!(maxShare > 0 && maxShare <= 1)) {
      throw new IllegalArgumentException("maxShare must be in (0, 1], was " + maxShare);
    }
    return new VolumeInterpreter(true, volumes(maxShare));
  }

  private static Space volumes(double most) {
    return Space.Box.scalar(ElementType.FLOAT64, 0, most);
  }

  @Override
  public ChildOrder interpret(ExecutionState state, Action action) {
    return ChildOrder.market(volume(state, action.number()));
  }

  @Override
  public int numbers() {
    return 1;
  }

  @Override
  public double volume(StepProgress progress, boolean isLast, float[] action, int at) {
    return volume(progress, action[at]);
  }

  @Override
  public Kind kind(boolean isLast, float[] action, int at) {
    return Kind.MARKET;
  }

  /// A volume cannot follow orders of every size: it begins in the middle.
  @Override
  public double[] twap(int steps) {
    double most = actionSpace instanceof Space.Box box ? box.high() : Double.NaN;
    return new double[] {isShare ? Math.min(1.0 / steps, most / 2) : most / 2};
  }

  private double volume(StepProgress progress, double asked) {
    double wanted = isShare ? progress.order().amount() * asked : asked;
    return Math.min(wanted, progress.remaining());
  }
}
