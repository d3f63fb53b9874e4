package io.tranche.serving.journal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Requests that wait until their event is durable.
final class Waiters {

  private record Waiting(long sequence, Consumer<Boolean> waiter) {}

  private List<Waiting> all = new ArrayList<>();

  void add(long sequence, Consumer<Boolean> waiter) {
    all.add(new Waiting(sequence, waiter));
  }

  int size() {
    return all.size();
  }

  /// Removes and returns those of events up to a number.
  Waiters take(long last) {
    var taken = new Waiters();
    var left = new ArrayList<Waiting>();
    for (Waiting each : all) {
      (each.sequence() <= last ? taken.all : left).add(each);
    }
    all = left;
    return taken;
  }

  /// Tells all of them whether their event is among the durable ones, up to a number.
  void tell(long durable) {
    for (Waiting each : all) {
      each.waiter().accept(each.sequence() <= durable);
    }
  }
}
