package io.tranche.market.table;

import java.util.Arrays;

/// The distinct times of many series.
///
/// Hot path: a time seen before costs one probe.
final class TimeUnion {

  private static final long EMPTY = Long.MIN_VALUE;

  private long[] slots = new long[1 << 12];
  private int size;

  TimeUnion() {
    Arrays.fill(slots, EMPTY);
  }

  void add(long[] times, int length) {
    for (int i = 0; i < length; i++) {
      int slot = slot(slots, times[i]);
      if (slots[slot] == EMPTY) {
        slots[slot] = times[i];
        if (++size * 2 > slots.length) {
          grow();
        }
      }
    }
  }

  long[] sorted() {
    long[] sorted = new long[size];
    int next = 0;
    for (long time : slots) {
      if (time != EMPTY) {
        sorted[next++] = time;
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  private void grow() {
    long[] larger = new long[slots.length * 2];
    Arrays.fill(larger, EMPTY);
    for (long time : slots) {
      if (time != EMPTY) {
        larger[slot(larger, time)] = time;
      }
    }
    slots = larger;
  }

  private static int slot(long[] slots, long time) {
    int mask = slots.length - 1;
    int slot = (int) ((time * 0x9E37_79B9_7F4A_7C15L) >>> 33) & mask;
    while (slots[slot] != EMPTY && slots[slot] != time) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }
}
