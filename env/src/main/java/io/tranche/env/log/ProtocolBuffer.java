package io.tranche.env.log;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// A message of protocol buffers under construction: fields in the order they are added.
///
/// For TensorBoard events and ONNX files: both need too few messages to justify a library of a
/// megabyte and generated classes.
public final class ProtocolBuffer {

  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Adds a `double`.
  public ProtocolBuffer number(int field, double value) {
    key(field, EIGHT_BYTES);
    bytes.writeBytes(littleEndian(8).putDouble(value).array());
    return this;
  }

  /// Adds a `float`.
  public ProtocolBuffer single(int field, float value) {
    key(field, FOUR_BYTES);
    bytes.writeBytes(littleEndian(4).putFloat(value).array());
    return this;
  }

  /// Adds an `int32`, `int64` or `enum`.
  public ProtocolBuffer integer(int field, long value) {
    key(field, VARINT);
    varint(value);
    return this;
  }

  /// Adds a `string`.
  public ProtocolBuffer text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /// Adds the current contents of a message.
  public ProtocolBuffer message(int field, ProtocolBuffer value) {
    return bytes(field, value.toByteArray());
  }

  /// Adds `bytes`.
  public ProtocolBuffer bytes(int field, byte[] value) {
    key(field, BYTES);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  public byte[] toByteArray() {
    return bytes.toByteArray();
  }

  private void key(int field, int type) {
    varint(((long) field << 3) | type);
  }

  private void varint(long value) {
    long rest = value;
    for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
      bytes.write((int) ((rest & 0x7f) | 0x80));
    }
    bytes.write((int) rest);
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }
}
