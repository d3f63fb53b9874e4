package io.tranche.serving.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// The newest durable events, for readers that follow the service. Readers ask for what comes after
/// a sequence number, so nothing is queued for any of them. Any thread may call it.
public final class EventFeed {

  /// How many events are kept.
  static final int MOST = 1 << 16;

  private final int most;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  // A ring that grows up to its bound; guarded by this.
  private JournalHistory.@Nullable Entry[] ring = new JournalHistory.@Nullable Entry[256];
  private long first; // counts all entries there ever were
  private long next;
  private long visible; // entries before it are durable
  private long floor; // events up to this number are not kept
  private long durable;

  public EventFeed() {
    this(MOST);
  }

  EventFeed(int most) {
    this.most = most;
  }

  /// Forgets everything up to a number.
  synchronized void startAfter(long sequence) {
    first = next;
    visible = next;
    floor = sequence;
  }

  /// Adds an event, which readers see once it is durable.
  synchronized void add(JournalHistory.Entry entry) {
    if (entry.event() instanceof Event.Heading) {
      return; // it repeats what readers have
    }
    if (next - first == ring.length) {
      if (ring.length < most) {
        grow();
      } else {
        floor = at(first).sequence();
        first++;
        visible = Math.max(visible, first);
      }
    }
    ring[slot(next)] = slim(entry);
    next++;
  }

  private void grow() {
    var larger = new JournalHistory.@Nullable Entry[Math.min(2 * ring.length, most)];
    for (long i = first; i < next; i++) {
      larger[(int) (i % larger.length)] = at(i);
    }
    ring = larger;
  }

  /// Leaves the bars of earlier days out, which would take most of the memory.
  private static JournalHistory.Entry slim(JournalHistory.Entry entry) {
    return entry.event() instanceof Event.DayOpened opened && !opened.earlier().isEmpty()
        ? new JournalHistory.Entry(
            entry.segment(),
            entry.sequence(),
            entry.time(),
            entry.caller(),
            new Event.DayOpened(opened.day(), List.of(), opened.hours()))
        : entry;
  }

  private int slot(long index) {
    return (int) (index % ring.length);
  }

  private JournalHistory.Entry at(long index) {
    JournalHistory.Entry entry = ring[slot(index)];
    if (entry == null) {
      throw new IllegalStateException("entry must be kept, was not: " + index);
    }
    return entry;
  }

  /// Shows readers the events up to a number.
  void advance(long sequence) {
    synchronized (this) {
      durable = Math.max(durable, sequence);
      while (visible < next && at(visible).sequence() <= durable) {
        visible++;
      }
    }
    listeners.forEach(Runnable::run);
  }

  /// Returns the number of the newest durable record.
  public synchronized long durable() {
    return durable;
  }

  /// Returns the number up to which events are no longer kept.
  public synchronized long floor() {
    return floor;
  }

  /// Returns the durable events after a number, oldest first.
  ///
  /// @return null if some of them are no longer kept
  public synchronized @Nullable List<JournalHistory.Entry> after(long sequence, int count) {
    if (sequence < floor) {
      return null;
    }
    long low = first;
    long high = visible;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (at(middle).sequence() <= sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    var found = new ArrayList<JournalHistory.Entry>();
    for (long i = low; i < visible && found.size() < count; i++) {
      found.add(at(i));
    }
    return found;
  }

  /// Calls `listener` whenever there may be more; it must not block.
  public void listen(Runnable listener) {
    listeners.add(listener);
  }

  public void ignore(Runnable listener) {
    listeners.remove(listener);
  }
}
