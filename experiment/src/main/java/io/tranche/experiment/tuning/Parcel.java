package io.tranche.experiment.tuning;

import io.tranche.experiment.work.WorkException;
import io.tranche.policy.archive.Fields;
import io.tranche.policy.archive.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bytes that go from one process to another: a few words about them, and a checkpoint.
///
/// An integer with the length of the words, the words as JSON, the checkpoint.
final class Parcel {

  private final Fields words;
  private final byte[] checkpoint;

  private Parcel(Fields words, byte[] checkpoint) {
    this.words = words;
    this.checkpoint = checkpoint;
  }

  static byte[] pack(Map<String, @Nullable Object> words, byte[] checkpoint) {
    byte[] json = PlainJson.write(words);
    return ByteBuffer.allocate(Math.addExact(Integer.BYTES + json.length, checkpoint.length))
        .putInt(json.length)
        .put(json)
        .put(checkpoint)
        .array();
  }

  /// @param name what to call it in errors
  /// @throws WorkException if it is no parcel
  static Parcel open(String name, byte[] bytes) {
    int length = bytes.length < Integer.BYTES ? -1 : ByteBuffer.wrap(bytes).getInt();
    if (length < 0 || length > bytes.length - Integer.BYTES) {
      throw new WorkException(
          "%s must begin with the length of its words, was %d in %d bytes"
              .formatted(name, length, bytes.length));
    }
    int end = Integer.BYTES + length;
    try {
      return new Parcel(
          new Fields(name, PlainJson.read(name, Arrays.copyOfRange(bytes, Integer.BYTES, end))),
          Arrays.copyOfRange(bytes, end, bytes.length));
    } catch (CheckpointException e) {
      throw new WorkException(String.valueOf(e.getMessage()), e);
    }
  }

  Fields words() {
    return words;
  }

  /// Returns the checkpoint, which is empty if there is none.
  byte[] checkpoint() {
    return checkpoint;
  }
}
