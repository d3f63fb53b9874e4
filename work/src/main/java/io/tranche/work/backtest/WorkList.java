package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The groups of orders that are to be worked, as workers take them.
///
/// A worker stays with its instrument, so that each has bars of its own to read, until there is no
/// other to begin; then it helps with what is under way. An instrument whose groups are all taken
/// is let go, and its bars with it.
final class WorkList {

  /// A group of one instrument's orders.
  record Task(InstrumentRun run, int group) {

    int orders() {
      return run.groups().get(group).size();
    }
  }

  private static final class Instrument {
    final InstrumentRun run;
    int taken;

    Instrument(InstrumentRun run) {
      this.run = run;
    }

    boolean isTaken() {
      return taken == run.groups().size();
    }
  }

  private final int size;
  private final Deque<Instrument> untouched = new ArrayDeque<>();

  /// What each worker is at. Whatever is begun and not all taken is somebody's.
  private final @Nullable Instrument[] current;

  WorkList(List<InstrumentRun> runs, int workers) {
    size = runs.stream().mapToInt(run -> run.groups().size()).sum();
    runs.forEach(run -> untouched.add(new Instrument(run)));
    current = new Instrument[workers];
  }

  /// Returns how many groups there are, taken or not.
  int size() {
    return size;
  }

  /// Hands out a group; may be called [#size] times.
  synchronized Task take(int worker) {
    Instrument instrument = current[worker];
    if (instrument == null || instrument.isTaken()) {
      instrument = untouched.isEmpty() ? underWay() : untouched.remove();
      current[worker] = instrument;
    }
    return new Task(instrument.run, instrument.taken++);
  }

  private Instrument underWay() {
    for (Instrument instrument : current) {
      if (instrument != null && !instrument.isTaken()) {
        return instrument;
      }
    }
    throw new IllegalStateException("groups must not be taken more than once");
  }
}
