package io.tranche.execution.interpreter;

import io.tranche.env.ObservationCodec;
import io.tranche.execution.OrderCodec;
import io.tranche.execution.OrderProgress;
import io.tranche.market.Order;
import io.tranche.market.feature.DayFeatures;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;

/// Writes a view of a day as its order and how far the order is. The reader makes the view again on
/// the features of its own source, so the matrices are never written.
final class FullHistoryCodec implements ObservationCodec<FullHistoryObservation> {

  private final FullHistoryInterpreter interpreter;

  FullHistoryCodec(FullHistoryInterpreter interpreter) {
    this.interpreter = interpreter;
  }

  @Override
  public void write(FullHistoryObservation observation, DataOutputStream out) throws IOException {
    OrderProgress progress = observation.progress();
    OrderCodec.write(progress.order(), out);
    out.writeInt(observation.visibleTicks());
    out.writeInt(observation.tick());
    out.writeInt(progress.step());
    out.writeDouble(progress.remaining());
    for (int past = 0; past < progress.step(); past++) {
      out.writeDouble(progress.remainingAfter(past));
    }
  }

  @Override
  public FullHistoryObservation read(DataInputStream in) throws IOException {
    Order order = OrderCodec.read(in);
    DayFeatures day = interpreter.day(order);
    int visible = bounded(in, "visible ticks", day.ticks());
    int tick = bounded(in, "tick", day.ticks());
    int step = bounded(in, "step", Math.min(interpreter.maxSteps(), in.available() / Double.BYTES));
    double remaining = in.readDouble();
    double[] remained = new double[step];
    for (int past = 0; past < step; past++) {
      remained[past] = in.readDouble();
    }
    return interpreter.view(day, visible, tick, new Received(order, remaining, remained));
  }

  private static int bounded(DataInputStream in, String name, int high) throws IOException {
    int number = in.readInt();
    if (number < 0 || number > high) {
      throw new StreamCorruptedException(
          "expected a %s in [0, %d], was %d".formatted(name, high, number));
    }
    return number;
  }

  /// What was read.
  private static final class Received implements OrderProgress {
    private final Order order;
    private final double remaining;
    private final double[] remained;

    Received(Order order, double remaining, double[] remained) {
      this.order = order;
      this.remaining = remaining;
      this.remained = remained;
    }

    @Override
    public Order order() {
      return order;
    }

    @Override
    public int step() {
      return remained.length;
    }

    @Override
    public double remaining() {
      return remaining;
    }

    @Override
    public double remainingAfter(int past) {
      return remained[past];
    }
  }
}
