package io.tranche.work.tuning;

import io.tranche.policy.state.Fields;
import io.tranche.policy.state.PlainJson;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.work.Packer;
import io.tranche.work.Unpacker;
import io.tranche.work.WorkException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Bytes that go from one process to another: a few words about them as JSON, and a checkpoint.
final class TrialMessage {

  private final Fields words;
  private final byte[] checkpoint;

  private TrialMessage(Fields words, byte[] checkpoint) {
    this.words = words;
    this.checkpoint = checkpoint;
  }

  static byte[] pack(Map<String, @Nullable Object> words, byte[] checkpoint) {
    return new Packer().put(PlainJson.write(words)).put(checkpoint).bytes();
  }

  /// @param name what to call it in errors
  /// @throws WorkException if it is no parcel
  static TrialMessage open(String name, byte[] bytes) {
    var parts = new Unpacker(bytes);
    try {
      var words = new Fields(name, PlainJson.read(name, parts.nextBytes()));
      var parcel = new TrialMessage(words, parts.nextBytes());
      parts.end();
      return parcel;
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
