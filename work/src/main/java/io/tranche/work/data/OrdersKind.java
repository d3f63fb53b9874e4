package io.tranche.work.data;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.Side;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Job;
import io.tranche.work.JobBackend;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.PieceCodec;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Orders by the native rule. A piece is one instrument.
public final class OrdersKind implements JobKind {

  private static final int ORDER_BYTES = 2 * Integer.BYTES + 2 * Double.BYTES;

  @Override
  public String name() {
    return "orders";
  }

  /// Generates orders for instruments on `backend`, in the order of the instruments.
  ///
  /// @param seed of [OrderGenerator]
  public static List<DayOrder> generate(
      JobBackend backend, StorePlace store, List<String> instruments, int seed) {
    var results = new TreeMap<Integer, List<DayOrder>>();
    byte[] setup =
        PieceCodec.write(
            out -> {
              store.write(out);
              out.writeInt(seed);
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
        "the setup of orders",
        setup,
        in -> new OrdersJob(StorePlace.open(in), OrderGenerator.DEFAULT.withSeed(in.readInt())));
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
                in.readDouble()));
      }
    } catch (IllegalArgumentException e) {
      throw new StreamCorruptedException(e.getMessage());
    }
    return orders;
  }
}
