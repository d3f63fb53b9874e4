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

  // A ring that grows up to its bound; guarded by this. Its entries are not objects: each would
  // live for seconds, and the collector would copy it.
  private @Nullable Event[] events = new @Nullable Event[256];
  private @Nullable String[] callers = new @Nullable String[256];
  private long[] segments = new long[256];
  private long[] sequences = new long[256];
  private long[] micros = new long[256];

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
  ///
  /// @param time in microseconds since 1970; 0 if not known
  synchronized void add(long segment, long sequence, long time, String caller, Event event) {
    if (event instanceof Event.Heading) {
      return; // it repeats what readers have
    }
    if (next - first == events.length) {
      if (events.length < most) {
        grow();
      } else {
        floor = sequences[slot(first)];
        first++;
        visible = Math.max(visible, first);
      }
    }
    int slot = slot(next);
    events[slot] = slim(event);
    callers[slot] = caller;
    segments[slot] = segment;
    sequences[slot] = sequence;
    micros[slot] = time;
    next++;
  }

  /// Makes room for twice as many.
  private void grow() {
    int size = Math.min(2 * events.length, most);
    var grownEvents = new @Nullable Event[size];
    var grownCallers = new @Nullable String[size];
    var grownSegments = new long[size];
    var grownSequences = new long[size];
    var grownMicros = new long[size];
    for (long i = first; i < next; i++) {
      int from = slot(i);
      int to = (int) (i % size);
      grownEvents[to] = events[from];
      grownCallers[to] = callers[from];
      grownSegments[to] = segments[from];
      grownSequences[to] = sequences[from];
      grownMicros[to] = micros[from];
    }
    events = grownEvents;
    callers = grownCallers;
    segments = grownSegments;
    sequences = grownSequences;
    micros = grownMicros;
  }

  /// Leaves the bars of earlier days out, which would take most of the memory.
  private static Event slim(Event event) {
    return event instanceof Event.DayOpened opened && !opened.earlier().isEmpty()
        ? new Event.DayOpened(opened.day(), List.of(), opened.hours())
        : event;
  }

  private int slot(long index) {
    return (int) (index % events.length);
  }

  private JournalHistory.Entry at(long index) {
    int slot = slot(index);
    Event event = events[slot];
    String caller = callers[slot];
    if (event == null || caller == null) {
      throw new IllegalStateException("entry must be kept, was not: " + index);
    }
    return JournalHistory.Entry.of(segments[slot], sequences[slot], micros[slot], caller, event);
  }

  /// Shows readers the events up to a number.
  void advance(long sequence) {
    synchronized (this) {
      durable = Math.max(durable, sequence);
      while (visible < next && sequences[slot(visible)] <= durable) {
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
      if (sequences[slot(middle)] <= sequence) {
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
