package io.tranche.market.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A cache of the most recently used values, by key. Safe to use from several threads: a value is
/// made once even when several threads ask for it at the same time.
///
/// Hot path for a cached value: two short locks, no allocation.
public final class RecentCache<K, V> {

  private final Function<? super K, ? extends V> maker;
  private final Map<K, Slot<V>> slots;

  /// @param kept how many values are kept, at least 1; the least recently used one is dropped first
  /// @param maker makes a value that is not cached
  public RecentCache(int kept, Function<? super K, ? extends V> maker) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be at least 1, was " + kept);
    }
    this.maker = maker;
    this.slots =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Slot<V>> eldest) {
            return size() > kept;
          }
        };
  }

  public V get(K key) {
    Slot<V> slot;
    synchronized (slots) {
      slot = slots.computeIfAbsent(key, _ -> new Slot<>());
    }
    synchronized (slot) { // of this key only, so that making one value does not delay the others
      V thing = slot.thing;
      if (thing == null) {
        thing = maker.apply(key); // a failure leaves the slot empty, so the next caller tries again
        slot.thing = thing;
      }
      return thing;
    }
  }

  private static final class Slot<V> {
    private @Nullable V thing;
  }
}
