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
public final class VolumeInterpreter
    implements ActionInterpreter<ExecutionState, ChildOrder>, ContinuousActions {

  private final boolean isShare;

  private final ActionRange reach;

  private VolumeInterpreter(boolean isShare, ActionRange reach) {
    this.isShare = isShare;
    this.reach = reach;
  }

  /// Reads volumes without an upper bound, which agents cannot learn.
  public VolumeInterpreter() {
    this(false, ActionRange.endless(ElementType.FLOAT64));
  }

  /// Reads volumes from 0 to `maxVolume`; the space has room beyond both.
  public static VolumeInterpreter upTo(double maxVolume) {
    if (!(maxVolume > 0)) {
      throw new IllegalArgumentException("maxVolume must be positive, was " + maxVolume);
    }
    return new VolumeInterpreter(false, ActionRange.of(0, maxVolume));
  }

  /// Reads fractions of the whole order from 0 to `maxShare`; the space has room beyond both.
  public static VolumeInterpreter shares(double maxShare) {
    if (!(maxShare > 0 && maxShare <= 1)) {
      throw new IllegalArgumentException("maxShare must be in (0, 1], was " + maxShare);
    }
    return new VolumeInterpreter(true, ActionRange.of(0, maxShare));
  }

  /// Whether an action is a fraction of the whole order instead of a volume.
  public boolean isShare() {
    return isShare;
  }

  /// Returns the largest volume, or fraction; infinity if there is none.
  public double most() {
    return reach.high();
  }

  @Override
  public Space actionSpace() {
    return reach.space();
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
    double middle = reach.high() / 2;
    return new double[] {isShare ? Math.min(1.0 / steps, middle) : middle};
  }

  private double volume(StepProgress progress, double asked) {
    double read = reach.read(asked);
    double wanted = isShare ? progress.order().amount() * read : read;
    return Math.min(wanted, progress.remaining());
  }
}
