package io.tranche.market.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// A cache of the most recently used values, by key. Safe to use from several threads: a value is
/// made once even when several threads ask for it at the same time.
///
/// Hot path for a cached value: two short locks, no allocation.
public final class RecentCache<K, V> {

  /// What one cache may use of the heap, beyond its smallest number of values.
  private static final int SHARE = 16;

  private final Function<? super K, ? extends V> maker;
  private final ToLongFunction<? super V> bytes;
  private final long room;
  private final int kept;
  private final Map<K, Slot<V>> slots = new LinkedHashMap<>(16, 0.75f, true);
  private long used;

  /// @param kept how many values are kept, at least 1; the least recently used one is dropped first
  /// @param maker makes a value that is not cached
  public RecentCache(int kept, Function<? super K, ? extends V> maker) {
    this(kept, 0, _ -> 1, maker);
  }

  private RecentCache(
      int kept,
      long room,
      ToLongFunction<? super V> bytes,
      Function<? super K, ? extends V> maker) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept must be at least 1, was " + kept);
    }
    this.kept = kept;
    this.room = room;
    this.bytes = bytes;
    this.maker = maker;
  }

  /// Returns a cache that keeps as many values as fit into a sixteenth of the heap, but at least
  /// `kept`.
  ///
  /// @param bytes the memory that a value needs
  public static <K, V> RecentCache<K, V> byMemory(
      int kept, ToLongFunction<? super V> bytes, Function<? super K, ? extends V> maker) {
    return new RecentCache<>(kept, Runtime.getRuntime().maxMemory() / SHARE, bytes, maker);
  }

  public V get(K key) {
    Slot<V> slot;
    synchronized (slots) {
      slot = slots.computeIfAbsent(key, _ -> new Slot<>());
    }
    synchronized (slot) { // of this key only, so that making one value does not delay the others
      V thing = slot.thing;
      if (thing == null) {
        thing = made(key, slot);
        slot.thing = thing;
        weigh(slot, bytes.applyAsLong(thing));
      }
      return thing;
    }
  }

  /// A failure leaves nothing behind, so the next caller tries again.
  private V made(K key, Slot<V> slot) {
    boolean isMade = false;
    try {
      V thing = maker.apply(key);
      isMade = true;
      return thing;
    } finally {
      if (!isMade) {
        synchronized (slots) {
          slots.remove(key, slot);
        }
      }
    }
  }

  private void weigh(Slot<V> made, long weight) {
    synchronized (slots) {
      if (made.dropped) {
        return;
      }
      made.weight = weight;
      used += weight;
      var eldest = slots.values().iterator();
      while (slots.size() > kept && used > room && eldest.hasNext()) {
        Slot<V> slot = eldest.next();
        eldest.remove();
        slot.dropped = true;
        used -= slot.weight;
      }
    }
  }

  private static final class Slot<V> {
    private @Nullable V thing;
    private long weight; // these two are guarded by the map
    private boolean dropped;
  }
}
