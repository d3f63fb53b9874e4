package io.tranche.analysis.record;

import io.tranche.analysis.record.RecordHeader.Place;
import io.tranche.analysis.record.RecordHeader.ScoreKind;
import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.zip.CRC32;

/// Writes a record: first the orders that are recorded decision by decision, then columns with a
/// value per order, then the header. The file becomes visible when it is complete.
public final class OrderRecordWriter implements AutoCloseable {

  /// The name of the file beside a report.
  public static final String FILE = "orders.record";

  static final long MAGIC = 0x5452_4f52_4445_5231L; // TRORDER1

  private static final int CHUNK = 1 << 16;

  private final Path target;
  private final PendingFile pending;
  private final DataOutputStream out;
  private final int orders;
  private final long[] places;
  private final Map<String, Place> columns = new LinkedHashMap<>();
  private int recorded;
  private long position;

  /// @param orders how many there are
  /// @throws DataException if the file cannot be written
  public OrderRecordWriter(Path target, int orders) {
    this.target = target;
    this.orders = orders;
    this.places = new long[orders];
    Arrays.fill(places, -1);
    try {
      Files.createDirectories(target.toAbsolutePath().getParent());
      this.pending = PendingFile.beside(target);
      this.out =
          new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(pending.path()), CHUNK));
      out.writeLong(MAGIC);
      position = Long.BYTES;
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  /// Adds an order, decision by decision. All of them come before the first column.
  public void add(int order, RecordedOrder steps) {
    if (!columns.isEmpty() || places[order] >= 0) {
      throw new IllegalStateException("orders must be added once and before columns");
    }
    byte[] bytes = steps.bytes();
    places[order] = position;
    recorded++;
    var crc = new CRC32();
    crc.update(bytes);
    try {
      out.writeInt(bytes.length);
      out.writeInt((int) crc.getValue());
      out.write(bytes);
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    position += 2L * Integer.BYTES + bytes.length;
  }

  /// Adds a column of numbers.
  public void numbers(String name, IntToDoubleFunction values) {
    column(name, Long.BYTES, i -> Double.doubleToRawLongBits(values.applyAsDouble(i)));
  }

  /// @param width bytes of a value: 1, 4 or 8
  public void column(String name, int width, IntToLongFunction values) {
    var crc = new CRC32();
    var buffer = ByteBuffer.allocate(CHUNK);
    long offset = position;
    try {
      for (int i = 0; i < orders; i++) {
        long value = values.applyAsLong(i);
        switch (width) {
          case 1 -> buffer.put((byte) value);
          case 4 -> buffer.putInt((int) value);
          default -> buffer.putLong(value);
        }
        if (buffer.remaining() < Long.BYTES || i == orders - 1) {
          crc.update(buffer.array(), 0, buffer.position());
          out.write(buffer.array(), 0, buffer.position());
          buffer.clear();
        }
      }
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    position += (long) width * orders;
    columns.put(name, new Place(offset, width, crc.getValue()));
  }

  /// Writes the header and makes the file visible.
  public void commit(
      ScoreKind scores, List<String> features, List<String> references, List<String> instruments) {
    column(RecordedOrders.STEPS, Long.BYTES, i -> places[i]);
    byte[] header =
        new RecordHeader(
                RecordHeader.FORMAT,
                orders,
                recorded,
                scores,
                features,
                references,
                instruments,
                columns)
            .bytes();
    var crc = new CRC32();
    crc.update(header);
    try {
      out.write(header);
      out.writeInt(header.length);
      out.writeInt((int) crc.getValue());
      out.writeLong(MAGIC);
      out.close();
      pending.commit();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  @Override
  public void close() {
    try (pending) {
      out.close();
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }
}
