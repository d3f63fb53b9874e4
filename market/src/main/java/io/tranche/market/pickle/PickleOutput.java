package io.tranche.market.pickle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.market.pickle.PickleValue.BigInt;
import io.tranche.market.pickle.PickleValue.Bool;
import io.tranche.market.pickle.PickleValue.Bytes;
import io.tranche.market.pickle.PickleValue.Dict;
import io.tranche.market.pickle.PickleValue.Global;
import io.tranche.market.pickle.PickleValue.Int;
import io.tranche.market.pickle.PickleValue.None;
import io.tranche.market.pickle.PickleValue.PickledObject;
import io.tranche.market.pickle.PickleValue.Real;
import io.tranche.market.pickle.PickleValue.Sequence;
import io.tranche.market.pickle.PickleValue.Text;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;

/// Writes inert values as a pickle of protocol 4, the inverse of [PickleReader].
///
/// An object that occurs several times is written once.
final class PickleOutput {

  private final OutputStream out;
  private final IdentityHashMap<PickledObject, Integer> written = new IdentityHashMap<>();

  private PickleOutput(OutputStream out) {
    this.out = out;
  }

  static void write(PickleValue value, OutputStream out) throws IOException {
    var output = new PickleOutput(out);
    output.op(0x80); // PROTO
    output.op(4);
    output.value(value);
    output.op('.'); // STOP
  }

  private void value(PickleValue value) throws IOException {
    switch (value) {
      case None _ -> op('N');
      case Bool(boolean truth) -> op(truth ? 0x88 : 0x89);
      case Int(long number) -> integer(number);
      case BigInt big ->
          throw new IllegalArgumentException("integer must fit 64 bits, was " + big.value());
      case Real(double number) -> {
        op('G'); // BINFLOAT, the only big-endian opcode
        out.write(ByteBuffer.allocate(Double.BYTES).putDouble(number).array());
      }
      case Text(String text) -> text(text);
      case Global(String module, String name) -> {
        text(module);
        text(name);
        op(0x93); // STACK_GLOBAL
      }
      case Bytes bytes -> bytes(bytes);
      case Sequence sequence -> sequence(sequence);
      case Dict dict -> {
        op('}');
        items(dict);
      }
      case PickledObject object -> object(object);
    }
  }

  private void integer(long value) throws IOException {
    if (value == (int) value) {
      op('J'); // BININT
      out.write(little(Integer.BYTES).putInt((int) value).array());
    } else {
      op(0x8a); // LONG1
      op(Long.BYTES);
      out.write(little(Long.BYTES).putLong(value).array());
    }
  }

  private void text(String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    op('X'); // BINUNICODE
    out.write(little(Integer.BYTES).putInt(bytes.length).array());
    out.write(bytes);
  }

  private void bytes(Bytes bytes) throws IOException {
    op('B'); // BINBYTES
    out.write(little(Integer.BYTES).putInt(bytes.length()).array());
    byte[] content = new byte[bytes.length()];
    bytes.buffer().get(content);
    out.write(content);
  }

  private void sequence(Sequence sequence) throws IOException {
    switch (sequence.kind()) {
      case LIST -> {
        op(']');
        op('(');
        items(sequence);
        op('e'); // APPENDS
      }
      case TUPLE -> {
        op('(');
        items(sequence);
        op('t');
      }
      case SET -> {
        op(0x8f); // EMPTY_SET
        op('(');
        items(sequence);
        op(0x90); // ADDITEMS
      }
      case FROZENSET -> {
        op('(');
        items(sequence);
        op(0x91);
      }
    }
  }

  private void items(Sequence sequence) throws IOException {
    for (PickleValue item : sequence.items()) {
      value(item);
    }
  }

  private void items(Dict dict) throws IOException {
    op('(');
    for (var entry : dict.entries()) {
      value(entry.getKey());
      value(entry.getValue());
    }
    op('u'); // SETITEMS
  }

  /// An object without arguments is made without a call of its constructor, as Python does for
  /// objects that consist of their state.
  private void object(PickledObject object) throws IOException {
    Integer place = written.get(object);
    if (place != null) {
      op('j'); // LONG_BINGET
      out.write(little(Integer.BYTES).putInt(place).array());
      return;
    }
    value(object.maker());
    op('(');
    for (PickleValue argument : object.arguments()) {
      value(argument);
    }
    op('t');
    op(object.arguments().isEmpty() ? 0x81 : 'R'); // NEWOBJ, REDUCE
    PickleValue state = object.state();
    if (state != null) {
      value(state);
      op('b'); // BUILD
    }
    op(0x94); // MEMOIZE
    written.put(object, written.size());
  }

  private void op(int code) throws IOException {
    out.write(code);
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
