package io.tranche.execution.interpreter;

import io.tranche.env.Observation;
import io.tranche.env.space.Value;
import io.tranche.market.Side;
import io.tranche.market.feature.ProgressObservation;
import java.util.LinkedHashMap;

/// The progress of an order.
///
/// @param step the number of decisions taken
/// @param maxSteps the maximal number of decisions
/// @param target the whole amount of the order
/// @param remaining what remains of the order
/// @param plain whether [#toValue] gives plain values, as Qlib does, instead of arrays
public record CurrentStepObservation(
    Side side, int step, int maxSteps, double target, double remaining, boolean plain)
    implements Observation, ProgressObservation {

  @Override
  public float remainingShare() {
    return (float) remaining / (float) target;
  }

  @Override
  public float stepShare() {
    return (float) step / maxSteps;
  }

  @Override
  public int sideCode() {
    return side.code();
  }

  @Override
  public Value toValue() {
    var entries = new LinkedHashMap<String, Value>();
    if (plain) {
      entries.put("acquiring", new Value.Plain(side == Side.BUY));
      entries.put("cur_step", new Value.Plain((long) step));
      entries.put("num_step", new Value.Plain((long) maxSteps));
      entries.put("target", new Value.Plain(target));
      entries.put("position", new Value.Plain(remaining));
    } else {
      entries.put("acquiring", FullHistoryObservation.int32(side.code()));
      entries.put("cur_step", FullHistoryObservation.int32(step));
      entries.put("num_step", FullHistoryObservation.int32(maxSteps));
      entries.put("target", FullHistoryObservation.float32((float) target));
      entries.put("position", FullHistoryObservation.float32((float) remaining));
    }
    return new Value.Dict(entries);
  }
}
