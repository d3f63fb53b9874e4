package io.tranche.execution;

import java.util.LinkedHashMap;
import java.util.function.Supplier;

/// The things used last, by key. Safe to use from several threads.
final class Recent<K, V> {

  private final int kept;
  private final LinkedHashMap<K, V> things = new LinkedHashMap<>(16, 0.75f, true);

  Recent(int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be positive, was " + kept);
    }
    this.kept = kept;
  }

  /// Returns what is kept under `key`, made now if there is nothing. Making does not hold the lock,
  /// so two threads may make the same thing; one of them is kept.
  V get(K key, Supplier<V> maker) {
    synchronized (things) {
      V thing = things.get(key);
      if (thing != null) {
        return thing;
      }
    }
    V made = maker.get();
    synchronized (things) {
      things.put(key, made);
      if (things.size() > kept) {
        things.pollFirstEntry();
      }
    }
    return made;
  }
}
