package io.tranche.runtime.onnx;

import io.tranche.env.log.ProtocolBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// An ONNX graph under construction: each node is added after those whose outputs it takes, and
/// every output has a name.
///
/// The same calls give the same bytes. The protobuf messages, as far as they are used here:
///
/// ```
/// Model     { 1: int64 ir_version, 8: OperatorSet opset_import, 2: string producer_name,
///             3: string producer_version, 7: Graph graph, 14: repeated Entry metadata_props }
/// Graph     { 1: repeated Node node, 2: string name, 5: repeated Tensor initializer,
///             11: repeated ValueInfo input, 12: repeated ValueInfo output }
/// Node      { 1: repeated string input, 2: repeated string output, 3: string name,
///             4: string op_type, 5: repeated Attribute attribute }
/// Attribute { 1: string name, 2: float f, 3: int64 i, 8: repeated int64 ints, 20: enum type }
/// Tensor    { 1: repeated int64 dims, 2: enum data_type, 8: string name, 9: bytes raw_data }
/// ValueInfo { 1: string name, 2: { 1: { 1: enum elem_type, 2: { 1: repeated Size dim } } } }
/// Size      { 1: int64 dim_value, 2: string dim_param }
/// ```
final class OnnxGraph {

  /// Has every operator used here; onnxruntime supports it since 1.12.
  private static final int OPERATOR_SET = 17;

  private static final int IR_VERSION = 8;

  /// The element type of a value, with ONNX's code.
  enum Type {
    FLOAT(1),
    INT32(6),
    INT64(7);

    final int code;

    Type(int code) {
      this.code = code;
    }
  }

  /// The size of one dimension: a number, or a name if the caller chooses it.
  record Size(String name, int value) {

    static Size of(int value) {
      return new Size("", value);
    }

    static Size any(String name) {
      return new Size(name, 0);
    }

    private ProtocolBuffer message() {
      return name.isEmpty()
          ? new ProtocolBuffer().integer(1, value)
          : new ProtocolBuffer().text(2, name);
    }
  }

  /// A setting of a node.
  record Attribute(ProtocolBuffer message) {

    static Attribute of(String name, long value) {
      return new Attribute(new ProtocolBuffer().text(1, name).integer(3, value).integer(20, 2));
    }

    static Attribute of(String name, float value) {
      return new Attribute(new ProtocolBuffer().text(1, name).single(2, value).integer(20, 1));
    }

    static Attribute of(String name, long[] values) {
      var message = new ProtocolBuffer().text(1, name);
      for (long each : values) {
        message.integer(8, each);
      }
      return new Attribute(message.integer(20, 7));
    }
  }

  private final List<ProtocolBuffer> nodes = new ArrayList<>();
  private final List<ProtocolBuffer> constants = new ArrayList<>();
  private final List<ProtocolBuffer> inputs = new ArrayList<>();
  private final List<ProtocolBuffer> outputs = new ArrayList<>();

  /// Adds an input and returns its name.
  String input(String name, Type type, Size... shape) {
    inputs.add(value(name, type, shape));
    return name;
  }

  /// Makes `value` an output with this name.
  void output(String name, String value, Size... shape) {
    nodes.add(nodeOf("Identity", List.of(value), List.of(name)));
    outputs.add(value(name, Type.FLOAT, shape));
  }

  private static ProtocolBuffer value(String name, Type type, Size... shape) {
    var sizes = new ProtocolBuffer();
    for (Size each : shape) {
      sizes.message(1, each.message());
    }
    var tensor = new ProtocolBuffer().integer(1, type.code).message(2, sizes);
    return new ProtocolBuffer().text(1, name).message(2, new ProtocolBuffer().message(1, tensor));
  }

  /// Adds a constant with a unique name, and returns the name.
  String constant(String name, float[] elements, int... shape) {
    byte[] bytes = new byte[Math.multiplyExact(elements.length, Float.BYTES)];
    littleEndian(bytes).asFloatBuffer().put(elements);
    return constant(name, Type.FLOAT, bytes, shape);
  }

  /// Adds one number.
  String scalar(float value) {
    return constant(unnamed(), new float[] {value});
  }

  /// Adds one integer.
  String scalar(long value) {
    return constant(unnamed(), Type.INT64, bytes(value));
  }

  /// Adds a list of integers.
  String integers(long... elements) {
    return constant(unnamed(), Type.INT64, bytes(elements), elements.length);
  }

  private static byte[] bytes(long... elements) {
    byte[] bytes = new byte[elements.length * Long.BYTES];
    littleEndian(bytes).asLongBuffer().put(elements);
    return bytes;
  }

  private String constant(String name, Type type, byte[] bytes, int... shape) {
    var tensor = new ProtocolBuffer();
    for (int each : shape) {
      tensor.integer(1, each);
    }
    constants.add(tensor.integer(2, type.code).text(8, name).bytes(9, bytes));
    return name;
  }

  private String unnamed() {
    return "constant_" + constants.size();
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /// Adds a node with one output, and returns the output's name.
  ///
  /// @param taken its inputs, "" for an optional one that is left out
  String node(String operator, List<String> taken, Attribute... attributes) {
    return node(operator, taken, 1, attributes).getFirst();
  }

  /// Adds a node with `count` outputs, and returns their names.
  List<String> node(String operator, List<String> taken, int count, Attribute... attributes) {
    var given = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      given.add("%s_%d.%d".formatted(operator, nodes.size(), i));
    }
    nodes.add(nodeOf(operator, taken, given, attributes));
    return given;
  }

  private ProtocolBuffer nodeOf(
      String operator, List<String> taken, List<String> given, Attribute... attributes) {
    var node = new ProtocolBuffer();
    taken.forEach(each -> node.text(1, each));
    given.forEach(each -> node.text(2, each));
    node.text(3, "%s_%d".formatted(operator, nodes.size())).text(4, operator);
    for (Attribute each : attributes) {
      node.message(5, each.message());
    }
    return node;
  }

  byte[] toByteArray(String name, String version, Map<String, String> metadata) {
    var graph = new ProtocolBuffer();
    nodes.forEach(each -> graph.message(1, each));
    graph.text(2, name);
    constants.forEach(each -> graph.message(5, each));
    inputs.forEach(each -> graph.message(11, each));
    outputs.forEach(each -> graph.message(12, each));
    var model =
        new ProtocolBuffer()
            .integer(1, IR_VERSION)
            .text(2, "tranche")
            .text(3, version)
            .message(7, graph)
            .message(8, new ProtocolBuffer().text(1, "").integer(2, OPERATOR_SET));
    metadata.forEach(
        (key, value) -> model.message(14, new ProtocolBuffer().text(1, key).text(2, value)));
    return model.toByteArray();
  }
}
