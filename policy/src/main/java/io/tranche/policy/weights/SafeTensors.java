package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A safetensors file: the length of a JSON header, the header, and the elements of all tensors
/// without gaps.
///
/// Always writes float32. Also reads F16, BF16, F64, I64 and I8, and converts them to float32 as in
/// [TorchFile]. The format has no shared tensors: further names of one [Tensor] are written as
/// metadata, name to name, as the reference implementation's `save_model` does, and restored when
/// read.
///
/// @param metadata texts by name, without the shared names
public record SafeTensors(StateDict tensors, Map<String, String> metadata) {

  private static final int MAX_HEADER_BYTES = 100_000_000; // as in the reference implementation
  private static final int LENGTH_BYTES = 8;
  private static final int ALIGNMENT = 8;

  public SafeTensors {
    metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
  }

  /// Returns whether the file begins with a length and a JSON object, without validating either.
  static boolean isLikely(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(LENGTH_BYTES + 1);
      return start.length > LENGTH_BYTES && start[LENGTH_BYTES] == '{';
    }
  }

  /// @throws CheckpointException if the file is missing, damaged or not a safetensors file
  public static SafeTensors read(Path file) {
    try (FileChannel channel = FileChannel.open(file)) {
      return read(
          file.toString(),
          channel.size(),
          (where, from, size) -> bytes(where, channel, from, size));
    } catch (IOException e) {
      throw CheckpointException.unreadable(file, e);
    }
  }

  /// Reads the bytes that [#toBytes] returned.
  ///
  /// @param where the name of the bytes in error messages
  /// @throws CheckpointException if the bytes are damaged or not a safetensors file
  public static SafeTensors read(String where, byte[] bytes) {
    try {
      return read(where, bytes.length, inMemory(bytes));
    } catch (IOException e) {
      throw new CheckpointException(where, "bytes in memory", e.getMessage(), e);
    }
  }

  /// A source of bytes.
  private interface Source {

    /// Returns a new buffer with bytes that are known to exist.
    ByteBuffer bytes(String where, long from, int size) throws IOException;
  }

  /// Returns the types of the tensors in a file, without further names of shared tensors.
  static Map<String, ElementType> types(String where, byte[] bytes) {
    var types = new LinkedHashMap<String, ElementType>();
    try {
      long end = LENGTH_BYTES + headerBytes(where, bytes.length, inMemory(bytes));
      byte[] json = Arrays.copyOfRange(bytes, LENGTH_BYTES, (int) end);
      SafeTensorsHeader.parse(where + ": header", json)
          .tensors()
          .forEach((name, entry) -> types.put(name, entry.type()));
    } catch (IOException e) {
      throw new CheckpointException(where, "bytes in memory", e.getMessage(), e);
    }
    return types;
  }

  private static Source inMemory(byte[] bytes) {
    return (_, from, size) ->
        ByteBuffer.wrap(Arrays.copyOfRange(bytes, (int) from, (int) from + size));
  }

  private static SafeTensors read(String where, long size, Source source) throws IOException {
    long headerBytes = headerBytes(where, size, source);
    byte[] json = source.bytes(where, LENGTH_BYTES, (int) headerBytes).array();
    var header = SafeTensorsHeader.parse(where + ": header", json);
    requireNoGaps(where, header.tensors(), size - LENGTH_BYTES - headerBytes);
    return contents(where, header, source, LENGTH_BYTES + headerBytes);
  }

  private static long headerBytes(String where, long size, Source source) throws IOException {
    long headerBytes =
        size < LENGTH_BYTES
            ? -1
            : source.bytes(where, 0, LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
    if (headerBytes < 2 || headerBytes > Math.min(MAX_HEADER_BYTES, size - LENGTH_BYTES)) {
      throw new CheckpointException(
          where, "a safetensors header within the file and of at most 100 MB", headerBytes);
    }
    return headerBytes;
  }

  /// Requires that the tensors fill the file in order, so that they cannot overlap or exceed it.
  private static void requireNoGaps(
      String where, Map<String, SafeTensorsHeader.Entry> tensors, long size) {
    var ordered = new ArrayList<>(tensors.values());
    ordered.sort(
        Comparator.comparingLong(SafeTensorsHeader.Entry::begin)
            .thenComparingLong(SafeTensorsHeader.Entry::end));
    long end = 0;
    for (var entry : ordered) {
      if (entry.begin() != end || entry.end() < entry.begin()) {
        throw new CheckpointException(
            where, "a tensor from byte %d on".formatted(end), entry.begin() + ".." + entry.end());
      }
      end = entry.end();
    }
    if (end != size) {
      throw new CheckpointException(where, "%d bytes of tensors".formatted(end), size);
    }
  }

  private static SafeTensors contents(
      String where, SafeTensorsHeader header, Source source, long start) throws IOException {
    var tensors = new LinkedHashMap<String, Tensor>();
    for (var named : header.tensors().entrySet()) {
      String place = where + ": " + named.getKey();
      var entry = named.getValue();
      long elements = Shapes.elements(entry.shape());
      long size = entry.end() - entry.begin();
      if (size > Integer.MAX_VALUE - 8
          || elements > size // so that the product cannot overflow
          || size != elements * entry.type().bytes()) {
        throw new CheckpointException(
            place,
            "the bytes of %s elements of %s".formatted(entry.shape(), entry.type()),
            size + " bytes");
      }
      ByteBuffer data =
          source.bytes(place, start + entry.begin(), (int) size).order(ByteOrder.LITTLE_ENDIAN);
      float[] values = new float[(int) elements];
      for (int i = 0; i < values.length; i++) {
        values[i] = entry.type().read(place, data, i);
      }
      tensors.put(named.getKey(), Tensor.owning(entry.shape(), values));
    }
    var metadata = new LinkedHashMap<>(header.metadata());
    header
        .metadata()
        .forEach(
            (alias, name) -> {
              Tensor shared = tensors.get(name);
              if (shared != null && tensors.putIfAbsent(alias, shared) == null) {
                metadata.remove(alias);
              }
            });
    return new SafeTensors(new StateDict(tensors), metadata);
  }

  /// Reads bytes that are known to be within the file.
  private static ByteBuffer bytes(String where, FileChannel channel, long from, int size)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, from + bytes.position()) < 0) {
        throw new CheckpointException(where, size + " bytes", "a file that became shorter");
      }
    }
    return bytes;
  }

  /// @throws DataException if the file cannot be written; an existing file is kept
  public void write(Path file) {
    try {
      PendingFile.write(
          file,
          path -> {
            try (var out = new BufferedOutputStream(Files.newOutputStream(path))) {
              writeTo(out, Precision.FLOAT32);
            }
          });
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Returns the bytes that [#write] writes to a file.
  public byte[] toBytes() {
    return toBytes(Precision.FLOAT32);
  }

  byte[] toBytes(Precision precision) {
    var out = new ByteArrayOutputStream();
    try {
      writeTo(out, precision);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // in-memory streams do not fail
    }
    return out.toByteArray();
  }

  private void writeTo(OutputStream out, Precision precision) throws IOException {
    Map<String, SafeTensorsHeader.Entry> entries = new LinkedHashMap<>();
    Map<String, String> texts = new LinkedHashMap<>(metadata);
    List<ByteBuffer> written = new ArrayList<>();
    Map<Tensor, String> names = new HashMap<>(); // by identity: tensors have no equals
    long end = 0;
    for (var named : tensors.tensors().entrySet()) {
      String first = names.putIfAbsent(named.getValue(), named.getKey());
      if (first != null) {
        if (texts.putIfAbsent(named.getKey(), first) != null) {
          throw new IllegalArgumentException("metadata must not name a tensor: " + named.getKey());
        }
        continue;
      }
      for (var piece : PackedWeights.pieces(named.getKey(), named.getValue(), precision)) {
        long begin = end;
        end += piece.bytes().remaining();
        entries.put(
            named.getKey() + piece.suffix(),
            new SafeTensorsHeader.Entry(piece.type(), piece.shape(), begin, end));
        written.add(piece.bytes());
      }
    }
    byte[] json = new SafeTensorsHeader(entries, texts).json();
    int padding = Math.floorMod(-json.length, ALIGNMENT);
    ByteBuffer length = ByteBuffer.allocate(LENGTH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    out.write(length.putLong(json.length + padding).array());
    out.write(json);
    out.write(" ".repeat(padding).getBytes(US_ASCII));
    WritableByteChannel channel = Channels.newChannel(out);
    for (ByteBuffer bytes : written) {
      channel.write(bytes);
    }
  }
}
