package io.tranche.runtime;

import io.tranche.backtest.ParentOrder;
import io.tranche.backtest.ParentOrder.Status;
import io.tranche.files.Sha256;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.market.order.OrderWindow;
import io.tranche.policy.weights.CheckpointException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/// The whole state of a runtime as bytes: a magic number, a version, the model's fingerprint, the
/// days, the orders, and a hash of everything before it.
///
/// The hidden state of networks is not saved: bars and remaining amounts are, and reading feeds
/// them to the networks again, which gives the same bits. No count in the file decides how much
/// memory is allocated: elements are read one by one, and a day contains the times of all its
/// ticks, which keeps its memory in proportion to the file.
final class Snapshot {

  private static final int MAGIC = 0x5452_4c56; // TRLV
  private static final int VERSION = 3;
  private static final int HASH = 32;
  private static final String WHERE = "snapshot";

  private Snapshot() {}

  static byte[] write(DecisionRuntime runtime) {
    var bytes = new ByteArrayOutputStream();
    try (var out = new DataOutputStream(bytes)) {
      out.writeInt(MAGIC);
      out.writeInt(VERSION);
      out.writeUTF(runtime.model().fingerprint());
      Map<LiveDay, Integer> numbers = new HashMap<>();
      out.writeInt(runtime.days().size());
      for (LiveDay day : runtime.days()) {
        numbers.put(day, numbers.size());
        day.save(out);
      }
      out.writeInt(runtime.orders().size());
      for (LiveOrder order : runtime.orders()) {
        out.writeInt(Objects.requireNonNull(numbers.get(order.day()), "an order has a day"));
        writeOrder(order, out);
      }
      out.flush();
      out.write(Sha256.bytes(bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory must not fail", e);
    }
    return bytes.toByteArray();
  }

  static DecisionRuntime read(LoadedModel model, byte[] bytes) {
    int length = bytes.length - HASH;
    try (var in = new DataInputStream(new ByteArrayInputStream(bytes, 0, Math.max(length, 0)))) {
      requireHeader(model, in);
      if (!Arrays.equals(
          Sha256.bytes(Arrays.copyOf(bytes, length)),
          Arrays.copyOfRange(bytes, length, bytes.length))) {
        throw new CheckpointException(WHERE, "the bytes that were written", "others");
      }
      var runtime = new DecisionRuntime(model);
      for (int left = in.readInt(); left > 0; left--) {
        runtime.add(LiveDay.restore(runtime, in));
      }
      for (int left = in.readInt(); left > 0; left--) {
        int day = in.readInt();
        if (day < 0 || day >= runtime.days().size()) {
          throw new IOException(
              "day of an order must be one of %d, was %d".formatted(runtime.days().size(), day));
        }
        runtime.add(readOrder(runtime.days().get(day), in));
      }
      if (in.available() > 0) {
        throw new IOException("orders must come last, was %d bytes more".formatted(in.available()));
      }
      return runtime;
    } catch (EOFException e) {
      throw new CheckpointException(WHERE, "days and orders of this model", "less", e);
    } catch (IOException | IllegalArgumentException | DateTimeException | DataException e) {
      throw new CheckpointException(
          WHERE, "days and orders of this model", String.valueOf(e.getMessage()), e);
    }
  }

  private static void requireHeader(LoadedModel model, DataInputStream in) throws IOException {
    if (in.readInt() != MAGIC) {
      throw new CheckpointException(WHERE, "a snapshot of a runtime", "something else");
    }
    int version = in.readInt();
    if (version != VERSION) {
      throw new CheckpointException(WHERE, "version " + VERSION, version);
    }
    String fingerprint = in.readUTF();
    if (!fingerprint.equals(model.fingerprint())) {
      throw new CheckpointException(WHERE, "model " + model.fingerprint(), fingerprint);
    }
  }

  private static void writeOrder(LiveOrder live, DataOutput out) throws IOException {
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
    for (int i = 0; i < live.day().runtime().model().actions().numbers(); i++) {
      out.writeDouble(live.number(i));
    }
    out.writeDouble(live.volume());
    out.writeDouble(live.filled());
    out.writeDouble(live.value());
  }

  private static LiveOrder readOrder(LiveDay day, DataInput in) throws IOException {
    String id = in.readUTF();
    Side side = Side.ofCode(in.readUnsignedByte());
    double amount = in.readDouble();
    OrderRules.requireSound(id, amount);
    LocalDateTime start = LocalDateTime.parse(in.readUTF());
    LocalDateTime end = LocalDateTime.parse(in.readUTF());
    var order = new Order(day.instrument(), side, amount, start, end, day.date());
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
    int choice = in.readInt();
    float[] numbers = new float[day.runtime().model().actions().numbers()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = (float) in.readDouble();
    }
    live.resume(choice, numbers, in.readDouble(), in.readDouble(), in.readDouble());
    return live;
  }
}
