package io.tranche.work;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Reads what [Packer] wrote. Nothing is believed: what is not there is a [WorkException].
public final class Unpacker {

  private final ByteBuffer bytes;

  public Unpacker(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  public int nextInt() {
    require(Integer.BYTES);
    return bytes.getInt();
  }

  public double nextDouble() {
    require(Double.BYTES);
    return bytes.getDouble();
  }

  public boolean nextBoolean() {
    return nextInt() != 0;
  }

  public String nextText() {
    return new String(nextBytes(), StandardCharsets.UTF_8);
  }

  public byte[] nextBytes() {
    int length = nextInt();
    require(length);
    byte[] content = new byte[length];
    bytes.get(content);
    return content;
  }

  /// Reads how many things follow.
  ///
  /// @param least how many bytes each has at least
  public int nextCount(int least) {
    int count = nextInt();
    if (count < 0 || (long) count * least > bytes.remaining()) {
      throw new WorkException("%d things must follow, was room for fewer".formatted(count));
    }
    return count;
  }

  /// Says that nothing more is expected.
  public void end() {
    if (bytes.hasRemaining()) {
      throw new WorkException("nothing must follow, was %d bytes".formatted(bytes.remaining()));
    }
  }

  private void require(int count) {
    if (count < 0 || count > bytes.remaining()) {
      throw new WorkException("%d bytes must follow, was %d".formatted(count, bytes.remaining()));
    }
  }
}
