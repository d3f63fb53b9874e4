package io.tranche.env.log;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Map;
import java.util.zip.CRC32C;

/// A file of TensorBoard events: protocol buffers in the records of TensorFlow.
///
/// A record is its length (8 bytes, little-endian), a checksum of those bytes, the event, and a
/// checksum of the event. The messages, as far as they are used here:
///
/// ```
/// Event   { 1: double wall_time, 2: int64 step, 3: string file_version, 5: Summary summary }
/// Summary { 1: repeated Value value }
/// Value   { 1: string tag, 2: float simple_value }
/// ```
public final class EventFile implements AutoCloseable {

  private final OutputStream out;

  /// Creates `events.out.tfevents.SECONDS.tranche` in `folder`, with a number if that exists.
  ///
  /// @param folder created if it does not exist
  /// @throws IOException if the file cannot be created
  public static EventFile create(Path folder, Instant now) throws IOException {
    String name = "events.out.tfevents.%d.tranche".formatted(now.getEpochSecond());
    Files.createDirectories(folder);
    Path file = folder.resolve(name);
    for (int i = 1; Files.exists(file); i++) {
      file = folder.resolve(name + "." + i);
    }
    return new EventFile(file, now);
  }

  private EventFile(Path file, Instant now) throws IOException {
    this.out =
        new BufferedOutputStream(
            Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    record(new ProtocolBuffer().number(1, seconds(now)).text(3, "brain.Event:2"));
  }

  /// Adds one event that holds a number for each tag.
  public void scalars(Instant now, long step, Map<String, Double> values) throws IOException {
    var summary = new ProtocolBuffer();
    values.forEach(
        (tag, value) ->
            summary.message(1, new ProtocolBuffer().text(1, tag).single(2, value.floatValue())));
    record(new ProtocolBuffer().number(1, seconds(now)).integer(2, step).message(5, summary));
  }

  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  private void record(ProtocolBuffer message) throws IOException {
    byte[] event = message.toByteArray();
    byte[] length = littleEndian(8).putLong(event.length).array();
    out.write(length);
    out.write(checksum(length));
    out.write(event);
    out.write(checksum(event));
  }

  /// Returns TensorFlow's masked CRC32C: rotated by 15 bits and shifted by a constant, so that
  /// checksums of data that contains checksums stay useful.
  private static byte[] checksum(byte[] data) {
    var crc = new CRC32C();
    crc.update(data);
    int masked = Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
    return littleEndian(4).putInt(masked).array();
  }

  private static double seconds(Instant time) {
    return time.getEpochSecond() + time.getNano() / 1e9;
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
