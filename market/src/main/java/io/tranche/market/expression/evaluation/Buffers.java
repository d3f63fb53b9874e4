package io.tranche.market.expression.evaluation;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Arrays that an evaluation no longer needs, for its next results: new ones would have to be
/// cleared first and are in no cache. For one thread.
final class Buffers {

  private final ArrayDeque<double[]> free = new ArrayDeque<>();
  private final Set<double[]> own = Collections.newSetFromMap(new IdentityHashMap<>());

  /// Returns an array of `length` values, which are arbitrary.
  double[] take(int length) {
    for (double[] array : free) { // the latest first; an evaluation has few lengths
      if (array.length == length) {
        free.remove(array);
        return array;
      }
    }
    double[] made = new double[length];
    own.add(made);
    return made;
  }

  /// Ignores arrays of others, who may still read them.
  void give(double[] array) {
    if (own.contains(array)) {
      free.addFirst(array);
    }
  }
}
