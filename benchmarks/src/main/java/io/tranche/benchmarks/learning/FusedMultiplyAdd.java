package io.tranche.benchmarks.learning;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/// The peak rate of a core: only fused multiply-adds on registers, as many at a time as the core
/// can run.
final class FusedMultiplyAdd {

  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int SUMS = 12;

  private FusedMultiplyAdd() {}

  /// Returns the additions and multiplications of [#run].
  static double flop(int rounds) {
    return 2.0 * rounds * SUMS * SPECIES.length();
  }

  /// Returns something that depends on all of the work.
  static float run(int rounds) {
    FloatVector x = FloatVector.broadcast(SPECIES, 0.5f);
    FloatVector y = FloatVector.broadcast(SPECIES, 1);
    FloatVector a = FloatVector.broadcast(SPECIES, 3);
    FloatVector b = FloatVector.broadcast(SPECIES, 4);
    FloatVector c = FloatVector.broadcast(SPECIES, 5);
    FloatVector d = FloatVector.broadcast(SPECIES, 6);
    FloatVector e = FloatVector.broadcast(SPECIES, 7);
    FloatVector f = FloatVector.broadcast(SPECIES, 8);
    FloatVector g = FloatVector.broadcast(SPECIES, 9);
    FloatVector h = FloatVector.broadcast(SPECIES, 10);
    FloatVector i = FloatVector.broadcast(SPECIES, 11);
    FloatVector j = FloatVector.broadcast(SPECIES, 12);
    FloatVector k = FloatVector.broadcast(SPECIES, 13);
    FloatVector l = FloatVector.broadcast(SPECIES, 14);
    for (int round = 0; round < rounds; round++) {
      // All converge to 2 but start at different values, so that the compiler cannot merge them.
      a = a.fma(x, y);
      b = b.fma(x, y);
      c = c.fma(x, y);
      d = d.fma(x, y);
      e = e.fma(x, y);
      f = f.fma(x, y);
      g = g.fma(x, y);
      h = h.fma(x, y);
      i = i.fma(x, y);
      j = j.fma(x, y);
      k = k.fma(x, y);
      l = l.fma(x, y);
    }
    FloatVector left = a.add(b).add(c).add(d).add(e).add(f);
    FloatVector right = g.add(h).add(i).add(j).add(k).add(l);
    return left.add(right).lane(0);
  }
}
