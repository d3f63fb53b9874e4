package io.tranche.market.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The contents that were used last, by name. Safe to use from several threads: each content is
/// read once even when many ask for it at the same time.
final class RecentFiles<V> {

  private final Function<String, V> reader;
  private final Map<String, Slot<V>> slots;

  /// @param capacity how many contents are kept; the one unused for longest goes first
  RecentFiles(int capacity, Function<String, V> reader) {
    this.reader = reader;
    this.slots =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<String, Slot<V>> eldest) {
            return size() > capacity;
          }
        };
  }

  V content(String name) {
    Slot<V> slot;
    synchronized (slots) {
      slot = slots.computeIfAbsent(name, _ -> new Slot<>());
    }
    synchronized (slot) {
      V content = slot.content;
      if (content == null) {
        content =
            reader.apply(name); // a failure leaves the slot empty, so the next one tries again
        slot.content = content;
      }
      return content;
    }
  }

  private static final class Slot<V> {
    private @Nullable V content;
  }
}
