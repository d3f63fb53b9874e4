package io.tranche.execution;

import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;

/// Orders as bytes, for other processes and for checkpoints.
public final class OrderCodec {

  private OrderCodec() {}

  public static void write(Order order, DataOutputStream out) throws IOException {
    out.writeUTF(order.instrument());
    out.writeByte(order.side().code());
    out.writeDouble(order.amount());
    out.writeUTF(order.start().toString());
    boolean isPlain = order.date().equals(order.start().toLocalDate());
    out.writeUTF(order.end() + (isPlain ? "" : " " + order.date()));
  }

  /// @throws StreamCorruptedException if the bytes are not an order
  public static Order read(DataInputStream in) throws IOException {
    String instrument = in.readUTF();
    int side = in.readUnsignedByte();
    double amount = in.readDouble();
    String start = in.readUTF();
    String[] end = in.readUTF().split(" ", 2);
    try {
      LocalDateTime from = LocalDateTime.parse(start);
      return new Order(
          instrument,
          Side.ofCode(side),
          amount,
          from,
          LocalDateTime.parse(end[0]),
          end.length == 1 ? from.toLocalDate() : LocalDate.parse(end[1]));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new StreamCorruptedException("expected an order, was " + e.getMessage());
    }
  }
}
