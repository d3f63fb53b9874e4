package io.tranche.policy.weights;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Writes plain values and tensors as a pickle of protocol 2, which `torch.save` uses.
///
/// Uses only opcodes and names that `torch.load(weights_only=True)` allows.
final class PickleWriter {

  private static final String ORDERED_DICT = "ccollections\nOrderedDict\n)R";

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ToIntFunction<Tensor> storages;

  private PickleWriter(ToIntFunction<Tensor> storages) {
    this.storages = storages;
  }

  /// Returns the pickle of `value`.
  ///
  /// @param storages returns the number of a tensor's storage
  static byte[] pickle(@Nullable Object value, ToIntFunction<Tensor> storages) {
    var writer = new PickleWriter(storages);
    writer.out.write(0x80); // PROTO
    writer.out.write(2);
    writer.value(value);
    writer.out.write('.'); // STOP
    return writer.out.toByteArray();
  }

  private void value(@Nullable Object value) {
    switch (value) {
      case null -> out.write('N');
      case Boolean truth -> out.write(truth ? 0x88 : 0x89);
      case Integer number -> integer(number);
      case Long number -> integer(number);
      case Double number -> {
        out.write('G'); // BINFLOAT, the only big-endian opcode
        out.writeBytes(ByteBuffer.allocate(8).putDouble(number).array());
      }
      case String text -> text(text);
      case Tensor tensor -> tensor(tensor);
      case StateDict(var tensors) -> {
        ascii(ORDERED_DICT);
        items(tensors);
      }
      case Map<?, ?> map -> {
        out.write('}');
        items(map);
      }
      case Collection<?> list -> {
        ascii("](");
        list.forEach(this::value);
        out.write('e'); // APPENDS
      }
      default ->
          throw new IllegalArgumentException(
              "value must be plain, was of " + value.getClass().getName());
    }
  }

  private void items(Map<?, ?> map) {
    out.write('(');
    for (var entry : map.entrySet()) {
      value(entry.getKey());
      value(entry.getValue());
    }
    out.write('u'); // SETITEMS
  }

  private void integer(long value) {
    if (value == (int) value) {
      out.write('J'); // BININT
      out.writeBytes(little(4).putInt((int) value).array());
    } else {
      out.write(0x8a); // LONG1
      out.write(8);
      out.writeBytes(little(8).putLong(value).array());
    }
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    out.write('X'); // BINUNICODE
    out.writeBytes(little(4).putInt(bytes.length).array());
    out.writeBytes(bytes);
  }

  /// Writes `_rebuild_tensor_v2(storage, offset, shape, strides, requires_grad, hooks)`, where the
  /// storage is a persistent id.
  private void tensor(Tensor tensor) {
    ascii("ctorch._utils\n_rebuild_tensor_v2\n((");
    text("storage");
    ascii("ctorch\nFloatStorage\n");
    text(Integer.toString(storages.applyAsInt(tensor)));
    text("cpu");
    integer(tensor.size());
    ascii("tQ"); // TUPLE, BINPERSID
    integer(0);
    tuple(tensor.shape());
    tuple(Shapes.contiguousStrides(tensor.shape()));
    out.write(0x89);
    ascii(ORDERED_DICT);
    ascii("tR"); // TUPLE, REDUCE
  }

  private void tuple(List<Integer> numbers) {
    out.write('(');
    numbers.forEach(this::integer);
    out.write('t');
  }

  private void ascii(String opcodes) {
    out.writeBytes(opcodes.getBytes(US_ASCII));
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
