package io.tranche.onnx;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Writes small ONNX files, sound and unsound ones.
final class GraphWriter {

  static final int FLOAT = 1;
  static final int INT64 = 7;

  private final ByteArrayOutputStream graph = new ByteArrayOutputStream();
  private final ByteArrayOutputStream model = new ByteArrayOutputStream();

  GraphWriter() {
    number(model, 1, 8);
    bytes(graph, 2, "g".getBytes(UTF_8));
    operators("", 17);
  }

  /// One of the operator sets that the model uses.
  GraphWriter operators(String domain, int version) {
    var set = new ByteArrayOutputStream();
    bytes(set, 1, domain.getBytes(UTF_8));
    number(set, 2, version);
    bytes(model, 8, set.toByteArray());
    return this;
  }

  /// Any field of the model.
  GraphWriter model(int field) {
    bytes(model, field, new byte[0]);
    return this;
  }

  GraphWriter input(String name, int type, Object... shape) {
    bytes(graph, 11, value(name, type, shape));
    return this;
  }

  GraphWriter output(String name, int type, Object... shape) {
    bytes(graph, 12, value(name, type, shape));
    return this;
  }

  private static byte[] value(String name, int type, Object... shape) {
    var dimensions = new ByteArrayOutputStream();
    for (Object size : shape) {
      var dimension = new ByteArrayOutputStream();
      if (size instanceof Integer fixed) {
        number(dimension, 1, fixed);
      } else {
        bytes(dimension, 2, size.toString().getBytes(UTF_8));
      }
      bytes(dimensions, 1, dimension.toByteArray());
    }
    var tensor = new ByteArrayOutputStream();
    number(tensor, 1, type);
    bytes(tensor, 2, dimensions.toByteArray());
    var kind = new ByteArrayOutputStream();
    bytes(kind, 1, tensor.toByteArray());
    var value = new ByteArrayOutputStream();
    bytes(value, 1, name.getBytes(UTF_8));
    bytes(value, 2, kind.toByteArray());
    return value.toByteArray();
  }

  GraphWriter constant(String name, int[] shape, float... values) {
    bytes(graph, 5, tensor(name, shape, values).toByteArray());
    return this;
  }

  /// A tensor that names another file.
  GraphWriter external(String name) {
    var tensor = tensor(name, new int[] {1}, 0);
    var entry = new ByteArrayOutputStream();
    bytes(entry, 1, "location".getBytes(UTF_8));
    bytes(entry, 2, "/etc/passwd".getBytes(UTF_8));
    bytes(tensor, 13, entry.toByteArray());
    number(tensor, 14, 1);
    bytes(graph, 5, tensor.toByteArray());
    return this;
  }

  private static ByteArrayOutputStream tensor(String name, int[] shape, float... values) {
    var tensor = new ByteArrayOutputStream();
    for (int size : shape) {
      number(tensor, 1, size);
    }
    number(tensor, 2, FLOAT);
    bytes(tensor, 8, name.getBytes(UTF_8));
    ByteBuffer raw =
        ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    raw.asFloatBuffer().put(values);
    bytes(tensor, 9, raw.array());
    return tensor;
  }

  GraphWriter node(String operator, String domain, String output, String... inputs) {
    var node = new ByteArrayOutputStream();
    for (String input : inputs) {
      bytes(node, 1, input.getBytes(UTF_8));
    }
    bytes(node, 2, output.getBytes(UTF_8));
    bytes(node, 4, operator.getBytes(UTF_8));
    bytes(node, 7, domain.getBytes(UTF_8));
    bytes(graph, 1, node.toByteArray());
    return this;
  }

  byte[] bytes() {
    var whole = new ByteArrayOutputStream();
    whole.writeBytes(model.toByteArray());
    bytes(whole, 7, graph.toByteArray());
    return whole.toByteArray();
  }

  private static void number(ByteArrayOutputStream out, int field, long value) {
    varint(out, (long) field << 3);
    varint(out, value);
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] value) {
    varint(out, ((long) field << 3) | 2);
    varint(out, value.length);
    out.writeBytes(value);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    while (left > 0x7f) {
      out.write((int) (left & 0x7f) | 0x80);
      left >>>= 7;
    }
    out.write((int) left);
  }
}
