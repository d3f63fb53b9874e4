package io.tranche.work.data;

import io.tranche.market.Side;
import io.tranche.market.order.DayOrder;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.store.QlibStore;
import io.tranche.work.Backend;
import io.tranche.work.Job;
import io.tranche.work.JobKind;
import io.tranche.work.JobSession;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import io.tranche.work.WorkException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// Orders by the native rule, a piece of which is an instrument.
public final class OrdersKind implements JobKind {

  private static final int ORDER_BYTES = 2 * Integer.BYTES + 2 * Double.BYTES;

  @Override
  public String name() {
    return "orders";
  }

  /// Generates orders for instruments, in their order, at a place.
  ///
  /// @param seed of [OrderGenerator]
  public static List<DayOrder> generate(
      Backend place, StorePlace store, List<String> instruments, int seed) {
    var answers = new TreeMap<Integer, List<DayOrder>>();
    byte[] setup = store.pack().put(seed).bytes();
    try (JobSession team = place.open(new OrdersKind(), setup)) {
      team.run(
          new byte[0],
          instruments.stream().map(code -> code.getBytes(StandardCharsets.UTF_8)).toList(),
          (piece, answer) -> answers.put(piece, unpack(instruments.get(piece), answer)));
    }
    return answers.values().stream().flatMap(List::stream).toList();
  }

  @Override
  public Job open(byte[] setup) {
    var packed = new Unpacker(setup);
    QlibStore store = StorePlace.open(packed);
    return new OrdersJob(store, OrderGenerator.DEFAULT.withSeed(packed.nextInt()));
  }

  private record OrdersJob(QlibStore store, OrderGenerator generator) implements Job {

    @Override
    public byte[] work(byte[] shared, byte[] piece) {
      return pack(generator.generate(store, new String(piece, StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
      store.close();
    }
  }

  private static byte[] pack(List<DayOrder> orders) {
    var packer = new Packer().put(orders.size());
    for (DayOrder order : orders) {
      packer
          .put((int) order.date().toEpochDay())
          .put(order.side().code())
          .put(order.amount())
          .put(order.meanClose());
    }
    return packer.bytes();
  }

  private static List<DayOrder> unpack(String instrument, byte[] answer) {
    var packed = new Unpacker(answer);
    var orders = new ArrayList<DayOrder>();
    try {
      for (int left = packed.nextCount(ORDER_BYTES); left > 0; left--) {
        orders.add(
            new DayOrder(
                LocalDate.ofEpochDay(packed.nextInt()),
                instrument,
                Side.ofCode(packed.nextInt()),
                packed.nextDouble(),
                packed.nextDouble()));
      }
    } catch (IllegalArgumentException e) {
      throw new WorkException("an answer must be orders: " + e.getMessage(), e);
    }
    packed.end();
    return orders;
  }
}
