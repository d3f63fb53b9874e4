package io.tranche.analysis.record;

import io.tranche.analysis.record.RecordHeader.Place;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.util.function.ObjIntConsumer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// A record that [OrderRecordWriter] wrote, open for reading. Only what is asked for is read. Any
/// thread may call it.
public final class RecordedOrders implements AutoCloseable {

  public static final String INSTRUMENT = "instrument";
  public static final String SIDE = "side";
  public static final String START = "start";
  public static final String END = "end";
  public static final String AMOUNT = "amount";
  public static final String STEPS = "steps";

  /// Begins the names of the columns with the advantage of each reference after costs.
  public static final String NET = "net:";

  private static final int TAIL = 2 * Integer.BYTES + Long.BYTES;
  private static final int LARGEST_HEADER = 64 << 20;
  private static final int LARGEST_ORDER = 64 << 20;

  /// How much is read at a time: the JDK keeps a buffer of the largest read for every thread. Whole
  /// values of every width fit.
  private static final int CHUNK = 64 << 10;

  private final Path file;
  private final FileChannel channel;
  private final long size;
  private final RecordHeader header;

  private RecordedOrders(Path file, FileChannel channel) throws IOException {
    this.file = file;
    this.channel = channel;
    this.size = channel.size();
    if (size < Long.BYTES + TAIL
        || read(0, Long.BYTES).getLong() != OrderRecordWriter.MAGIC
        || read(size - Long.BYTES, Long.BYTES).getLong() != OrderRecordWriter.MAGIC) {
      throw new DataException(file.toString(), "a whole record of orders", "something else");
    }
    ByteBuffer tail = read(size - TAIL, TAIL);
    int length = tail.getInt();
    int crc = tail.getInt();
    if (length < 0 || length > LARGEST_HEADER || length > size - TAIL - Long.BYTES) {
      throw new DataException(file.toString(), "the length of the header", length);
    }
    long at = size - TAIL - length;
    byte[] bytes = read(at, length).array();
    check("the header", ByteBuffer.wrap(bytes), Integer.toUnsignedLong(crc));
    this.header = RecordHeader.of(file.toString(), bytes, at);
  }

  /// @throws DataException if it is no record, or damaged
  public static RecordedOrders open(Path file) {
    FileChannel channel = null;
    try {
      channel = FileChannel.open(file, StandardOpenOption.READ);
      var opened = new RecordedOrders(file, channel);
      channel = null;
      return opened;
    } catch (IOException e) {
      throw unreadable(file, e);
    } finally {
      closeQuietly(channel);
    }
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException _) {
      // Nothing was written.
    }
  }

  private static DataException unreadable(Path file, IOException e) {
    return new DataException(
        file.toString(), "a file that can be read", String.valueOf(e.getMessage()), e);
  }

  public RecordHeader header() {
    return header;
  }

  private ByteBuffer read(long at, int count) throws IOException {
    var buffer = ByteBuffer.allocate(count);
    while (buffer.position() < count) {
      buffer.limit(Math.min(count, buffer.position() + CHUNK));
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new DataException(file.toString(), "%d bytes".formatted(at + count), "fewer");
      }
    }
    return buffer.flip();
  }

  private void check(String what, ByteBuffer bytes, long crc) {
    var sum = new CRC32();
    sum.update(bytes.duplicate());
    if (sum.getValue() != crc) {
      throw new DataException(file.toString(), "the checksum of " + what, "another");
    }
  }

  private Place place(String column) {
    Place place = header.columns().get(column);
    if (place == null) {
      throw new DataException(
          file.toString(), "one of the columns " + header.columns().keySet(), column);
    }
    return place;
  }

  /// Reads a whole column.
  ///
  /// @throws DataException if it is missing or damaged
  public double[] numbers(String column) {
    double[] numbers = new double[header.orders()];
    whole(
        column,
        Double.BYTES,
        (bytes, at) -> bytes.asDoubleBuffer().get(numbers, at, bytes.remaining() / Double.BYTES));
    return numbers;
  }

  /// @throws DataException as above
  public long[] longs(String column) {
    long[] numbers = new long[header.orders()];
    whole(
        column,
        Long.BYTES,
        (bytes, at) -> bytes.asLongBuffer().get(numbers, at, bytes.remaining() / Long.BYTES));
    return numbers;
  }

  /// Returns the number of each order's instrument.
  ///
  /// @throws DataException as above
  public int[] instruments() {
    int[] numbers = new int[header.orders()];
    whole(
        INSTRUMENT,
        Integer.BYTES,
        (bytes, at) -> bytes.asIntBuffer().get(numbers, at, bytes.remaining() / Integer.BYTES));
    for (int number : numbers) {
      if (number < 0 || number >= header.instruments().size()) {
        throw new DataException(file.toString(), "the number of an instrument", number);
      }
    }
    return numbers;
  }

  /// Returns the code of each order's side.
  ///
  /// @throws DataException as above
  public byte[] sides() {
    byte[] sides = new byte[header.orders()];
    whole(SIDE, 1, (bytes, at) -> bytes.get(sides, at, bytes.remaining()));
    return sides;
  }

  /// Reads a column in pieces.
  ///
  /// @param into receives each piece and the number of its first order
  private void whole(String column, int width, ObjIntConsumer<ByteBuffer> into) {
    Place place = place(column);
    if (place.width() != width) {
      throw new DataException(
          file.toString(), "a column of %d bytes".formatted(width), place.width());
    }
    try {
      var sum = new CRC32();
      long length = (long) width * header.orders();
      for (long at = 0; at < length; at += CHUNK) {
        ByteBuffer bytes = read(place.offset() + at, (int) Math.min(CHUNK, length - at));
        sum.update(bytes.duplicate());
        into.accept(bytes, (int) (at / width));
      }
      if (sum.getValue() != place.crc()) {
        throw new DataException(file.toString(), "the checksum of " + column, "another");
      }
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// Reads one value of a column of numbers.
  ///
  /// @throws DataException if the column is missing
  public double number(String column, int order) {
    return Double.longBitsToDouble(value(column, order));
  }

  private long value(String column, int order) {
    if (order < 0 || order >= header.orders()) {
      throw new DataException(
          file.toString(), "an order below %d".formatted(header.orders()), order);
    }
    Place place = place(column);
    try {
      ByteBuffer bytes = read(place.offset() + (long) place.width() * order, place.width());
      return switch (place.width()) {
        case 1 -> bytes.get();
        case 4 -> bytes.getInt();
        default -> bytes.getLong();
      };
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /// @throws DataException if the order is not valid
  public Order order(int index) {
    long instrument = value(INSTRUMENT, index);
    if (instrument < 0 || instrument >= header.instruments().size()) {
      throw new DataException(file.toString(), "the number of an instrument", instrument);
    }
    try {
      return new Order(
          header.instruments().get((int) instrument),
          Side.ofCode((int) value(SIDE, index)),
          number(AMOUNT, index),
          BarTime.dateTime(value(START, index)),
          BarTime.dateTime(value(END, index)));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new DataException(file.toString(), "an order", String.valueOf(e.getMessage()), e);
    }
  }

  public boolean isRecorded(int index) {
    return value(STEPS, index) >= 0;
  }

  /// Returns an order decision by decision; null if it was not recorded.
  ///
  /// @throws DataException if it is damaged
  public @Nullable RecordedOrder steps(int index) {
    long at = value(STEPS, index);
    if (at < 0) {
      return null;
    }
    String where = "%s: order %d".formatted(file, index);
    try {
      if (at > size - 2L * Integer.BYTES) {
        throw new DataException(where, "a place in the file", at);
      }
      ByteBuffer head = read(at, 2 * Integer.BYTES);
      int length = head.getInt();
      int crc = head.getInt();
      if (length < 0 || length > LARGEST_ORDER || length > size - at - 2L * Integer.BYTES) {
        throw new DataException(where, "a length within the file", length);
      }
      byte[] bytes = read(at + 2L * Integer.BYTES, length).array();
      check("order " + index, ByteBuffer.wrap(bytes), Integer.toUnsignedLong(crc));
      return RecordedOrder.of(where, bytes);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  @Override
  public void close() {
    closeQuietly(channel);
  }
}
