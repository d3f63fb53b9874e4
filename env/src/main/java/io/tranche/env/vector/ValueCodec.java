package io.tranche.env.vector;

import io.tranche.env.Value;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How [Value]s cross between processes. Every size is checked against what is there before memory
/// is asked for.
final class ValueCodec {

  private static final Value.ElementType[] TYPES = Value.ElementType.values();
  private static final int MAX_DEPTH = 32;
  private static final int MAX_RANK = 32;

  private ValueCodec() {}

  static void write(Value value, DataOutputStream out) throws IOException {
    switch (value) {
      case Value.Dict(var entries) -> {
        out.writeByte('D');
        out.writeInt(entries.size());
        for (var entry : entries.entrySet()) {
          writeText(entry.getKey(), out);
          write(entry.getValue(), out);
        }
      }
      case Value.Tuple(var items) -> {
        out.writeByte('T');
        out.writeInt(items.size());
        for (Value item : items) {
          write(item, out);
        }
      }
      case Value.Floats array -> {
        writeHeader('F', array.type(), array.shape(), out);
        for (int i = 0; i < array.size(); i++) {
          out.writeDouble(array.at(i));
        }
      }
      case Value.Integers array -> {
        writeHeader('I', array.type(), array.shape(), out);
        for (int i = 0; i < array.size(); i++) {
          out.writeLong(array.at(i));
        }
      }
      case Value.Plain(var leaf) -> writeLeaf(leaf, out);
    }
  }

  static Value read(DataInputStream in) throws IOException {
    return read(in, 0);
  }

  private static Value read(DataInputStream in, int depth) throws IOException {
    if (depth > MAX_DEPTH) {
      throw corrupt("at most " + MAX_DEPTH + " levels", depth);
    }
    int tag = in.readUnsignedByte();
    return switch (tag) {
      case 'D' -> {
        int count = size(in, 1);
        var entries = new LinkedHashMap<String, Value>();
        for (int i = 0; i < count; i++) {
          String key = readText(in);
          entries.put(key, read(in, depth + 1));
        }
        yield new Value.Dict(entries);
      }
      case 'T' -> {
        int count = size(in, 1);
        var items = new ArrayList<Value>();
        for (int i = 0; i < count; i++) {
          items.add(read(in, depth + 1));
        }
        yield new Value.Tuple(items);
      }
      case 'F' -> {
        Value.ElementType type = readType(in);
        List<Integer> shape = readShape(in);
        var data = new double[elements(shape, in)];
        for (int i = 0; i < data.length; i++) {
          data[i] = in.readDouble();
        }
        yield new Value.Floats(type, shape, data);
      }
      case 'I' -> {
        Value.ElementType type = readType(in);
        List<Integer> shape = readShape(in);
        var data = new long[elements(shape, in)];
        for (int i = 0; i < data.length; i++) {
          data[i] = in.readLong();
        }
        yield new Value.Integers(type, shape, data);
      }
      default -> new Value.Plain(readLeaf(tag, in));
    };
  }

  private static void writeLeaf(@Nullable Object leaf, DataOutputStream out) throws IOException {
    switch (leaf) {
      case null -> out.writeByte('n');
      case Boolean truth -> {
        out.writeByte('b');
        out.writeBoolean(truth);
      }
      case Long number -> {
        out.writeByte('l');
        out.writeLong(number);
      }
      case Double number -> {
        out.writeByte('d');
        out.writeDouble(number);
      }
      default -> {
        out.writeByte('s');
        writeText(leaf.toString(), out);
      }
    }
  }

  private static @Nullable Object readLeaf(int tag, DataInputStream in) throws IOException {
    return switch (tag) {
      case 'n' -> null;
      case 'b' -> in.readBoolean();
      case 'l' -> in.readLong();
      case 'd' -> in.readDouble();
      case 's' -> readText(in);
      default -> throw corrupt("a value", tag);
    };
  }

  private static void writeHeader(
      char tag, Value.ElementType type, List<Integer> shape, DataOutputStream out)
      throws IOException {
    out.writeByte(tag);
    writeText(type.name(), out);
    out.writeByte(shape.size());
    for (int extent : shape) {
      out.writeInt(extent);
    }
  }

  private static List<Integer> readShape(DataInputStream in) throws IOException {
    int rank = in.readUnsignedByte();
    if (rank > MAX_RANK) {
      throw corrupt("at most " + MAX_RANK + " dimensions", rank);
    }
    var shape = new ArrayList<Integer>();
    for (int i = 0; i < rank; i++) {
      shape.add(in.readInt());
    }
    return shape;
  }

  private static int elements(List<Integer> shape, DataInputStream in) throws IOException {
    long count = shape.contains(0) ? 0 : 1;
    for (int extent : shape) {
      count *= extent;
      // Looked at after each factor: the product of all could overflow into something small.
      if (extent < 0 || count * Long.BYTES > in.available()) {
        throw corrupt("a shape that the bytes left fill", shape);
      }
    }
    return (int) count;
  }

  static void writeText(String text, DataOutputStream out) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static String readText(DataInputStream in) throws IOException {
    return new String(in.readNBytes(size(in, 1)), StandardCharsets.UTF_8);
  }

  /// Reads a count of things that take at least `bytesEach`.
  static int size(DataInputStream in, int bytesEach) throws IOException {
    int count = in.readInt();
    if (count < 0 || (long) count * bytesEach > in.available()) {
      throw corrupt("a count that the bytes left allow", count);
    }
    return count;
  }

  private static Value.ElementType readType(DataInputStream in) throws IOException {
    String name = readText(in);
    for (Value.ElementType type : TYPES) {
      if (type.name().equals(name)) {
        return type;
      }
    }
    throw corrupt("an element type", name);
  }

  static StreamCorruptedException corrupt(String expected, Object was) {
    return new StreamCorruptedException("expected " + expected + ", was " + was);
  }
}
