package io.tranche.runtime;

import io.tranche.policy.weights.StateDict;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;

/// Hashes all that a decision depends on.
final class ModelFingerprint {

  private ModelFingerprint() {}

  static String of(ModelSpec spec, List<StateDict> weights) {
    MessageDigest digest = sha256();
    for (Object part :
        List.of(
            spec.isQlib(),
            spec.network().toYaml(),
            spec.policy().toYaml(),
            spec.actions().toYaml(),
            spec.maxSteps(),
            spec.ticksPerStep(),
            spec.mirrors(),
            spec.session(),
            spec.frequency(),
            spec.features(),
            spec.combination())) {
      add(digest, part.toString());
    }
    for (StateDict dict : weights) {
      // By name: files keep further names of a tensor elsewhere, in another order.
      new TreeMap<>(dict.tensors())
          .forEach(
              (name, tensor) -> {
                add(digest, name + tensor.shape());
                float[] elements = tensor.toArray();
                var bytes = ByteBuffer.allocate(Math.multiplyExact(elements.length, Float.BYTES));
                bytes.asFloatBuffer().put(elements);
                digest.update(bytes);
              });
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /// Returns the hash of the first `length` bytes.
  static byte[] hash(byte[] bytes, int length) {
    MessageDigest digest = sha256();
    digest.update(bytes, 0, length);
    return digest.digest();
  }

  private static void add(MessageDigest digest, String text) {
    digest.update(text.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0); // or two parts could run together
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform must have SHA-256", e);
    }
  }
}
