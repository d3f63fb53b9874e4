package io.tranche.env;

import java.util.SplittableRandom;

/// The source of all randomness: a tree of keys with the user's seed at its root.
///
/// A key is a hash of its path, such as (seed, "action", iteration, episode, step), and every draw
/// uses a generator with its own key. So a draw depends only on its purpose, not on threads,
/// batches or earlier draws, and is the same after a resume.
///
/// Neither the hash nor the generator may ever change: reproducing a run depends on them.
public final class RandomTree {

  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private RandomTree() {}

  /// Returns the key of the branch `purpose` under `seed`.
  public static long root(long seed, String purpose) {
    long key = mix(seed + GOLDEN_GAMMA);
    for (int i = 0; i < purpose.length(); i++) {
      key = child(key, purpose.charAt(i));
    }
    return child(key, purpose.length());
  }

  /// Returns the key reached from `root(seed, purpose)` by the children `path`.
  public static long key(long seed, String purpose, long... path) {
    long key = root(seed, purpose);
    for (long index : path) {
      key = child(key, index);
    }
    return key;
  }

  /// Returns the key of child `index` of the node `key`. Hot path: allocates nothing.
  public static long child(long key, long index) {
    // The second multiplier keeps (key, index) and (key + 1, index - 1) apart.
    return mix(mix(key ^ GOLDEN_GAMMA) + index * 0xD1342543DE82EF95L + GOLDEN_GAMMA);
  }

  /// Returns the generator of the node `key`.
  public static SplittableRandom generator(long key) {
    return new SplittableRandom(key);
  }

  /// Returns the first number in [0, 1) that [#generator] of the same `key` draws. Hot path: makes
  /// no generator.
  public static double uniform(long key) {
    return (mix(key + GOLDEN_GAMMA) >>> 11) * 0x1p-53;
  }

  /// The finaliser of SplitMix64 (Stafford's variant 13): each input bit flips half of the output.
  private static long mix(long z) {
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
