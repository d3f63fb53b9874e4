package io.tranche.work;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Writes setups, pieces and answers as bytes; [Unpacker] reads them in the same order. Big-endian;
/// texts and contents have their length before them.
public final class Packer {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  public Packer put(int value) {
    out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    return this;
  }

  public Packer put(double value) {
    out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(value).array());
    return this;
  }

  public Packer put(boolean value) {
    return put(value ? 1 : 0);
  }

  public Packer put(String value) {
    return put(value.getBytes(StandardCharsets.UTF_8));
  }

  public Packer put(byte[] value) {
    put(value.length);
    out.writeBytes(value);
    return this;
  }

  public byte[] bytes() {
    return out.toByteArray();
  }
}
