package io.tranche.runtime;

import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.LocalDateTime;

/// A [LiveOrder] as a part of a [Snapshot].
final class OrderSnapshot {

  private OrderSnapshot() {}

  static void write(LiveOrder live, DataOutput out) throws IOException {
    Order order = live.order();
    ParentOrder parent = live.parent();
    out.writeUTF(live.id());
    out.writeByte(order.side().code());
    out.writeDouble(order.amount());
    out.writeUTF(order.start().toString());
    out.writeUTF(order.end().toString());
    out.writeInt(live.window().firstTick());
    out.writeInt(live.window().endTick());
    out.writeUTF(parent.status().name());
    out.writeDouble(parent.remaining());
    out.writeDouble(parent.working());
    out.writeInt(live.step());
    for (int past = 0; past < live.step(); past++) {
      out.writeDouble(live.remainingBefore(past));
    }
    out.writeInt(live.choice());
    out.writeDouble(live.volume());
    out.writeDouble(live.filled());
    out.writeDouble(live.value());
  }

  static LiveOrder read(LiveDay day, DataInput in) throws IOException {
    String id = in.readUTF();
    Side side = Side.ofCode(in.readUnsignedByte());
    double amount = in.readDouble();
    OrderRules.requireSound(id, amount);
    LocalDateTime start = LocalDateTime.parse(in.readUTF());
    LocalDateTime end = LocalDateTime.parse(in.readUTF());
    var order = new Order(day.instrument(), side, amount, start, end);
    int firstTick = in.readInt();
    int endTick = in.readInt();
    if (endTick > day.allTicks()) {
      throw new IOException(
          "window must be on the day's %d ticks, was %d".formatted(day.allTicks(), endTick));
    }
    ModelSpec spec = day.runtime().model().spec();
    var window = new OrderWindow(firstTick, endTick, spec.ticksPerStep());
    double negligible = OrderRules.negligible(spec.isQlib(), amount);
    Status status = Status.valueOf(in.readUTF());
    var parent = ParentOrder.restored(amount, negligible, in.readDouble(), in.readDouble(), status);
    var live = new LiveOrder(day, id, order, window, parent);
    int steps = in.readInt();
    if (steps < 0 || steps > window.steps() || window.steps() > spec.maxSteps()) {
      throw new IOException(
          "decisions must be at most %d, was %d".formatted(window.steps(), steps));
    }
    for (int step = 0; step < steps; step++) {
      double remaining = in.readDouble();
      if (!(remaining >= 0 && remaining <= amount)) {
        throw new IOException("what remained must be part of the order, was " + remaining);
      }
      live.replay(remaining);
    }
    live.resume(in.readInt(), in.readDouble(), in.readDouble(), in.readDouble());
    return live;
  }
}
