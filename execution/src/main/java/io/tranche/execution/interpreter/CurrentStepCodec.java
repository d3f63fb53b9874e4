package io.tranche.execution.interpreter;

import io.tranche.env.vector.Codec;
import io.tranche.market.Side;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;

/// How an order's progress crosses.
///
/// @param maxSteps as the interpreter has it
/// @param plain as the interpreter has it
record CurrentStepCodec(int maxSteps, boolean plain) implements Codec<CurrentStepObservation> {

  @Override
  public void write(CurrentStepObservation observation, DataOutputStream out) throws IOException {
    out.writeBoolean(observation.side() == Side.BUY);
    out.writeInt(observation.step());
    out.writeDouble(observation.target());
    out.writeDouble(observation.remaining());
  }

  @Override
  public CurrentStepObservation read(DataInputStream in) throws IOException {
    Side side = in.readBoolean() ? Side.BUY : Side.SELL;
    int step = in.readInt();
    if (step < 0 || step > maxSteps) {
      throw new StreamCorruptedException(
          "expected a step in [0, %d], was %d".formatted(maxSteps, step));
    }
    return new CurrentStepObservation(
        side, step, maxSteps, in.readDouble(), in.readDouble(), plain);
  }
}
