package io.tranche.work.backtest;

import io.tranche.backtest.run.InstrumentRun;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Hands out groups of orders to workers.
///
/// A worker stays with its instrument, so workers do not read the same bars. When no instrument is
/// left to start, the worker helps with one that has started. An instrument whose groups are all
/// taken is released, together with its bars.
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

  /// The instrument of each worker. An instrument with groups left always has a worker.
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

  /// Hands out a group. May be called [#size] times.
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
