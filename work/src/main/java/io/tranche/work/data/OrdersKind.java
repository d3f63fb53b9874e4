package io.tranche.work.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.DayWindow;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Orders by the native rule. A piece is one instrument.
public final class OrdersKind implements JobKind {

  private static final int ORDER_BYTES = 2 * Integer.BYTES + 2 * Double.BYTES + 1;

  @Override
  public String name() {
    return "orders";
  }

  /// Generates orders for instruments on `backend`, in the order of the instruments.
  public static List<DayOrder> generate(
      JobBackend backend, StorePlace store, List<String> instruments, OrderGenerator generator) {
    var results = new TreeMap<Integer, List<DayOrder>>();
    byte[] setup =
        PieceCodec.write(
            out -> {
              store.write(out);
              write(generator, out);
            });
    try (JobSession session = backend.open(new OrdersKind(), setup)) {
      session.run(
          new byte[0],
          instruments.stream().map(code -> code.getBytes(UTF_8)).toList(),
          (piece, result) ->
              results.put(
                  piece,
                  PieceCodec.read("orders", result, in -> read(instruments.get(piece), in))));
    }
    return results.values().stream().flatMap(List::stream).toList();
  }

  @Override
  public Job open(byte[] setup) {
    return PieceCodec.read(
        "the setup of orders", setup, in -> new OrdersJob(StorePlace.open(in), readGenerator(in)));
  }

  private static void write(OrderGenerator generator, DataOutputStream out) throws IOException {
    out.writeLong(generator.seed());
    out.writeDouble(generator.size());
    out.writeUTF(generator.unit().name());
    out.writeDouble(generator.deviation());
    PieceCodec.writeNumber(generator.windows().size(), out);
    for (DayWindow window : generator.windows()) {
      out.writeUTF(window.toString());
    }
    out.writeInt(generator.perDay());
    out.writeUTF(generator.sides().name());
  }

  private static OrderGenerator readGenerator(DataInputStream in) throws IOException {
    try {
      long seed = in.readLong();
      double size = in.readDouble();
      var unit = OrderGenerator.Unit.valueOf(in.readUTF());
      double deviation = in.readDouble();
      var windows = new ArrayList<DayWindow>();
      for (int left = PieceCodec.readCount(in, Short.BYTES); left > 0; left--) {
        windows.add(DayWindow.parse(in.readUTF()));
      }
      return new OrderGenerator(
          seed,
          size,
          unit,
          deviation,
          windows,
          in.readInt(),
          OrderGenerator.Sides.valueOf(in.readUTF()));
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
  }

  private record OrdersJob(QlibStore store, OrderGenerator generator) implements Job {

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return write(generator.generate(store, new String(piece, UTF_8)));
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private static byte[] write(List<DayOrder> orders) {
    return PieceCodec.write(
        out -> {
          PieceCodec.writeNumber(orders.size(), out);
          for (DayOrder order : orders) {
            out.writeInt((int) order.date().toEpochDay());
            out.writeInt(order.side().code());
            out.writeDouble(order.amount());
            out.writeDouble(order.meanClose());
            DayOrder.Times times = order.times();
            out.writeBoolean(times != null);
            if (times != null) {
              out.writeLong(BarTime.of(times.start()));
              out.writeLong(BarTime.of(times.end()));
            }
          }
        });
  }

  private static List<DayOrder> read(String instrument, DataInputStream in) throws IOException {
    var orders = new ArrayList<DayOrder>();
    try {
      for (int left = PieceCodec.readCount(in, ORDER_BYTES); left > 0; left--) {
        orders.add(
            new DayOrder(
                LocalDate.ofEpochDay(in.readInt()),
                instrument,
                Side.ofCode(in.readInt()),
                in.readDouble(),
                in.readDouble(),
                in.readBoolean()
                    ? new DayOrder.Times(
                        BarTime.dateTime(in.readLong()), BarTime.dateTime(in.readLong()))
                    : null));
      }
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
    return orders;
  }
}
