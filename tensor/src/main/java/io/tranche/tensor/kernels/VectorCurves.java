package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The functions of [Curves] on vectors: the same operations in the same order.
///
/// The loops are written out for two vectors at a time. That hides the latency of the long chains,
/// and it makes the methods longer than C2's inlining limit of 325 bytecodes, so that each is
/// compiled on its own. Inlined, they would use up the caller's node budget
/// (`NodeCountInliningCutoff`), after which C2 silently boxes every vector.
///
/// The second vector of the last pair is moved back so that it ends with the row. Elements that it
/// shares with the first are loaded before either is stored, so both compute the same values.
final class VectorCurves {

  private static final VectorSpecies<Float> SPECIES = VectorKernels.LANES;
  private static final int LENGTH = SPECIES.length();

  // Created once: each broadcast in a loop costs C2 about a hundred nodes, and it boxes every
  // vector when its node budget is used up.
  private static final FloatVector EXP_MIN = FloatVector.broadcast(SPECIES, Curves.EXP_MIN);
  private static final FloatVector EXP_MAX = FloatVector.broadcast(SPECIES, Curves.EXP_MAX);
  private static final FloatVector LOG2_E = FloatVector.broadcast(SPECIES, Curves.LOG2_E);
  private static final FloatVector ROUNDER = FloatVector.broadcast(SPECIES, Curves.ROUNDER);
  private static final FloatVector LN2_LOW = FloatVector.broadcast(SPECIES, Curves.LN2_LOW);
  private static final FloatVector LN2_HIGH = FloatVector.broadcast(SPECIES, Curves.LN2_HIGH);
  private static final FloatVector E7 = FloatVector.broadcast(SPECIES, Curves.E7);
  private static final FloatVector E6 = FloatVector.broadcast(SPECIES, Curves.E6);
  private static final FloatVector E5 = FloatVector.broadcast(SPECIES, Curves.E5);
  private static final FloatVector E4 = FloatVector.broadcast(SPECIES, Curves.E4);
  private static final FloatVector E3 = FloatVector.broadcast(SPECIES, Curves.E3);
  private static final FloatVector E2 = FloatVector.broadcast(SPECIES, Curves.E2);
  private static final FloatVector TANH_MIN = FloatVector.broadcast(SPECIES, -Curves.TANH_MAX);
  private static final FloatVector TANH_MAX = FloatVector.broadcast(SPECIES, Curves.TANH_MAX);
  private static final FloatVector P6 = FloatVector.broadcast(SPECIES, Curves.P6);
  private static final FloatVector P5 = FloatVector.broadcast(SPECIES, Curves.P5);
  private static final FloatVector P4 = FloatVector.broadcast(SPECIES, Curves.P4);
  private static final FloatVector P3 = FloatVector.broadcast(SPECIES, Curves.P3);
  private static final FloatVector P2 = FloatVector.broadcast(SPECIES, Curves.P2);
  private static final FloatVector P1 = FloatVector.broadcast(SPECIES, Curves.P1);
  private static final FloatVector P0 = FloatVector.broadcast(SPECIES, Curves.P0);
  private static final FloatVector Q3 = FloatVector.broadcast(SPECIES, Curves.Q3);
  private static final FloatVector Q2 = FloatVector.broadcast(SPECIES, Curves.Q2);
  private static final FloatVector Q1 = FloatVector.broadcast(SPECIES, Curves.Q1);
  private static final FloatVector Q0 = FloatVector.broadcast(SPECIES, Curves.Q0);
  private static final FloatVector ONE = FloatVector.broadcast(SPECIES, 1);
  private static final IntVector BIAS = FloatVector.zero(SPECIES).reinterpretAsInts().add(127);

  private VectorCurves() {}

  /// [Kernels#exp].
  static void exp(int n, float shift, float[] x, int at) {
    FloatVector shifts = FloatVector.broadcast(SPECIES, shift);
    int end = at + n;
    int j = at;
    for (; j <= end - LENGTH; j += 2 * LENGTH) {
      int next = Math.min(j + LENGTH, end - LENGTH);
      FloatVector x0 = FloatVector.fromArray(SPECIES, x, j).add(shifts);
      FloatVector x1 = FloatVector.fromArray(SPECIES, x, next).add(shifts);
      x0 = x0.blend(EXP_MIN, x0.compare(VectorOperators.LT, EXP_MIN));
      x1 = x1.blend(EXP_MIN, x1.compare(VectorOperators.LT, EXP_MIN));
      x0 = x0.blend(EXP_MAX, x0.compare(VectorOperators.GT, EXP_MAX));
      x1 = x1.blend(EXP_MAX, x1.compare(VectorOperators.GT, EXP_MAX));
      FloatVector t0 = x0.fma(LOG2_E, ROUNDER);
      FloatVector t1 = x1.fma(LOG2_E, ROUNDER);
      FloatVector n0 = t0.sub(ROUNDER);
      FloatVector n1 = t1.sub(ROUNDER);
      FloatVector r0 = n0.fma(LN2_LOW, n0.fma(LN2_HIGH, x0));
      FloatVector r1 = n1.fma(LN2_LOW, n1.fma(LN2_HIGH, x1));
      FloatVector p0 = r0.fma(E7, E6).fma(r0, E5).fma(r0, E4).fma(r0, E3).fma(r0, E2);
      FloatVector p1 = r1.fma(E7, E6).fma(r1, E5).fma(r1, E4).fma(r1, E3).fma(r1, E2);
      p0 =
          p0.fma(r0.mul(r0), r0.add(ONE))
              .mul(
                  t0.reinterpretAsInts()
                      .add(BIAS)
                      .lanewise(VectorOperators.LSHL, 23)
                      .reinterpretAsFloats());
      p1 =
          p1.fma(r1.mul(r1), r1.add(ONE))
              .mul(
                  t1.reinterpretAsInts()
                      .add(BIAS)
                      .lanewise(VectorOperators.LSHL, 23)
                      .reinterpretAsFloats());
      p0.intoArray(x, j);
      p1.intoArray(x, next);
    }
    for (; j < end; j++) {
      x[j] = Curves.exp(x[j] + shift);
    }
  }

  /// [Kernels#sigmoid].
  static void sigmoid(int n, float[] x, int at) {
    int end = at + n;
    int j = at;
    for (; j <= end - LENGTH; j += 2 * LENGTH) {
      int next = Math.min(j + LENGTH, end - LENGTH);
      FloatVector x0 = FloatVector.fromArray(SPECIES, x, j).neg();
      FloatVector x1 = FloatVector.fromArray(SPECIES, x, next).neg();
      x0 = x0.blend(EXP_MIN, x0.compare(VectorOperators.LT, EXP_MIN));
      x1 = x1.blend(EXP_MIN, x1.compare(VectorOperators.LT, EXP_MIN));
      x0 = x0.blend(EXP_MAX, x0.compare(VectorOperators.GT, EXP_MAX));
      x1 = x1.blend(EXP_MAX, x1.compare(VectorOperators.GT, EXP_MAX));
      FloatVector t0 = x0.fma(LOG2_E, ROUNDER);
      FloatVector t1 = x1.fma(LOG2_E, ROUNDER);
      FloatVector n0 = t0.sub(ROUNDER);
      FloatVector n1 = t1.sub(ROUNDER);
      FloatVector r0 = n0.fma(LN2_LOW, n0.fma(LN2_HIGH, x0));
      FloatVector r1 = n1.fma(LN2_LOW, n1.fma(LN2_HIGH, x1));
      FloatVector p0 = r0.fma(E7, E6).fma(r0, E5).fma(r0, E4).fma(r0, E3).fma(r0, E2);
      FloatVector p1 = r1.fma(E7, E6).fma(r1, E5).fma(r1, E4).fma(r1, E3).fma(r1, E2);
      p0 =
          p0.fma(r0.mul(r0), r0.add(ONE))
              .mul(
                  t0.reinterpretAsInts()
                      .add(BIAS)
                      .lanewise(VectorOperators.LSHL, 23)
                      .reinterpretAsFloats());
      p1 =
          p1.fma(r1.mul(r1), r1.add(ONE))
              .mul(
                  t1.reinterpretAsInts()
                      .add(BIAS)
                      .lanewise(VectorOperators.LSHL, 23)
                      .reinterpretAsFloats());
      ONE.div(p0.add(ONE)).intoArray(x, j);
      ONE.div(p1.add(ONE)).intoArray(x, next);
    }
    for (; j < end; j++) {
      x[j] = Curves.sigmoid(x[j]);
    }
  }

  /// [Kernels#tanh].
  static void tanh(int n, float[] x, int at) {
    int end = at + n;
    int j = at;
    for (; j <= end - LENGTH; j += 2 * LENGTH) {
      int next = Math.min(j + LENGTH, end - LENGTH);
      FloatVector x0 = FloatVector.fromArray(SPECIES, x, j);
      FloatVector x1 = FloatVector.fromArray(SPECIES, x, next);
      x0 = x0.blend(TANH_MIN, x0.compare(VectorOperators.LT, TANH_MIN));
      x1 = x1.blend(TANH_MIN, x1.compare(VectorOperators.LT, TANH_MIN));
      x0 = x0.blend(TANH_MAX, x0.compare(VectorOperators.GT, TANH_MAX));
      x1 = x1.blend(TANH_MAX, x1.compare(VectorOperators.GT, TANH_MAX));
      FloatVector s0 = x0.mul(x0);
      FloatVector s1 = x1.mul(x1);
      FloatVector p0 = s0.fma(P6, P5).fma(s0, P4).fma(s0, P3).fma(s0, P2).fma(s0, P1).fma(s0, P0);
      FloatVector p1 = s1.fma(P6, P5).fma(s1, P4).fma(s1, P3).fma(s1, P2).fma(s1, P1).fma(s1, P0);
      FloatVector q0 = s0.fma(Q3, Q2).fma(s0, Q1).fma(s0, Q0);
      FloatVector q1 = s1.fma(Q3, Q2).fma(s1, Q1).fma(s1, Q0);
      x0.mul(p0).div(q0).intoArray(x, j);
      x1.mul(p1).div(q1).intoArray(x, next);
    }
    for (; j < end; j++) {
      x[j] = Curves.tanh(x[j]);
    }
  }
}
