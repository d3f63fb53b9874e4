package io.tranche.market.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The things that were used last, by key. Safe to use from several threads: each thing is made
/// once even when many ask for it at the same time.
///
/// Hot path once a thing is kept: two short locks, no allocation.
public final class RecentCache<K, V> {

  private final Function<? super K, ? extends V> maker;
  private final Map<K, Slot<V>> slots;

  /// @param kept how many things are kept, at least 1; the one unused for longest goes first
  /// @param maker makes what is not kept
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
    synchronized (slot) { // of this key only: who makes one thing does not hold up the others
      V thing = slot.thing;
      if (thing == null) {
        thing = maker.apply(key); // a failure leaves the slot empty, so the next one tries again
        slot.thing = thing;
      }
      return thing;
    }
  }

  private static final class Slot<V> {
    private @Nullable V thing;
  }
}
