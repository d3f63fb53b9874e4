package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The curves of [Curves] on vectors: the same operations in the same order.
///
/// The loops are written out for two vectors at a time. That hides the latency of the long chains,
/// and it makes the methods longer than the 325 bytecodes that C2 inlines at most, so that each is
/// compiled on its own: inlined into a caller they would use up the nodes it may inline
/// (`NodeCountInliningCutoff`), and it would box every vector after that without a word.
final class VectorCurves {

  private static final int LENGTH = VectorKernels.LANES.length();

  // Made once: a broadcast where it is needed costs C2 a hundred nodes each, and it inlines only so
  // many before it boxes every vector instead.
  private static final FloatVector EXP_MIN = all(Curves.EXP_MIN);
  private static final FloatVector EXP_MAX = all(Curves.EXP_MAX);
  private static final FloatVector LOG2_E = all(Curves.LOG2_E);
  private static final FloatVector ROUNDER = all(Curves.ROUNDER);
  private static final FloatVector LN2_LOW = all(Curves.LN2_LOW);
  private static final FloatVector LN2_HIGH = all(Curves.LN2_HIGH);
  private static final FloatVector E7 = all(Curves.E7);
  private static final FloatVector E6 = all(Curves.E6);
  private static final FloatVector E5 = all(Curves.E5);
  private static final FloatVector E4 = all(Curves.E4);
  private static final FloatVector E3 = all(Curves.E3);
  private static final FloatVector E2 = all(Curves.E2);
  private static final FloatVector TANH_MIN = all(-Curves.TANH_MAX);
  private static final FloatVector TANH_MAX = all(Curves.TANH_MAX);
  private static final FloatVector P6 = all(Curves.P6);
  private static final FloatVector P5 = all(Curves.P5);
  private static final FloatVector P4 = all(Curves.P4);
  private static final FloatVector P3 = all(Curves.P3);
  private static final FloatVector P2 = all(Curves.P2);
  private static final FloatVector P1 = all(Curves.P1);
  private static final FloatVector P0 = all(Curves.P0);
  private static final FloatVector Q3 = all(Curves.Q3);
  private static final FloatVector Q2 = all(Curves.Q2);
  private static final FloatVector Q1 = all(Curves.Q1);
  private static final FloatVector Q0 = all(Curves.Q0);
  private static final FloatVector ONE = all(1);

  private VectorCurves() {}

  /// [Kernels#sigmoid].
  static void sigmoid(int n, float[] x, int at) {
    int end = at + n;
    int j = at;
    for (; j <= end - 2 * LENGTH; j += 2 * LENGTH) {
      FloatVector x0 = load(x, j).neg();
      x0 = x0.blend(EXP_MIN, x0.compare(VectorOperators.LT, EXP_MIN));
      x0 = x0.blend(EXP_MAX, x0.compare(VectorOperators.GT, EXP_MAX));
      FloatVector x1 = load(x, j + LENGTH).neg();
      x1 = x1.blend(EXP_MIN, x1.compare(VectorOperators.LT, EXP_MIN));
      x1 = x1.blend(EXP_MAX, x1.compare(VectorOperators.GT, EXP_MAX));
      FloatVector t0 = x0.fma(LOG2_E, ROUNDER);
      FloatVector t1 = x1.fma(LOG2_E, ROUNDER);
      FloatVector n0 = t0.sub(ROUNDER);
      FloatVector n1 = t1.sub(ROUNDER);
      FloatVector r0 = n0.fma(LN2_LOW, n0.fma(LN2_HIGH, x0));
      FloatVector r1 = n1.fma(LN2_LOW, n1.fma(LN2_HIGH, x1));
      FloatVector p0 = r0.fma(E7, E6).fma(r0, E5).fma(r0, E4).fma(r0, E3).fma(r0, E2);
      FloatVector p1 = r1.fma(E7, E6).fma(r1, E5).fma(r1, E4).fma(r1, E3).fma(r1, E2);
      p0 = p0.fma(r0.mul(r0), r0.add(ONE)).mul(power(t0));
      p1 = p1.fma(r1.mul(r1), r1.add(ONE)).mul(power(t1));
      ONE.div(p0.add(ONE)).intoArray(x, j);
      ONE.div(p1.add(ONE)).intoArray(x, j + LENGTH);
    }
    for (; j <= end - LENGTH; j += LENGTH) {
      ONE.div(exp(load(x, j).neg()).add(ONE)).intoArray(x, j);
    }
    for (; j < end; j++) {
      x[j] = Curves.sigmoid(x[j]);
    }
  }

  /// [Kernels#tanh].
  static void tanh(int n, float[] x, int at) {
    int end = at + n;
    int j = at;
    for (; j <= end - 2 * LENGTH; j += 2 * LENGTH) {
      FloatVector x0 = load(x, j);
      FloatVector x1 = load(x, j + LENGTH);
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
      x1.mul(p1).div(q1).intoArray(x, j + LENGTH);
    }
    for (; j <= end - LENGTH; j += LENGTH) {
      tanh(load(x, j)).intoArray(x, j);
    }
    for (; j < end; j++) {
      x[j] = Curves.tanh(x[j]);
    }
  }

  static FloatVector exp(FloatVector argument) {
    FloatVector x = argument.blend(EXP_MIN, argument.compare(VectorOperators.LT, EXP_MIN));
    x = x.blend(EXP_MAX, x.compare(VectorOperators.GT, EXP_MAX));
    FloatVector rounded = x.fma(LOG2_E, ROUNDER);
    FloatVector n = rounded.sub(ROUNDER);
    FloatVector r = n.fma(LN2_LOW, n.fma(LN2_HIGH, x));
    FloatVector p = r.fma(E7, E6);
    p = p.fma(r, E5);
    p = p.fma(r, E4);
    p = p.fma(r, E3);
    p = p.fma(r, E2);
    p = p.fma(r.mul(r), r.add(ONE));
    return p.mul(power(rounded));
  }

  private static FloatVector tanh(FloatVector argument) {
    FloatVector x = argument.blend(TANH_MIN, argument.compare(VectorOperators.LT, TANH_MIN));
    x = x.blend(TANH_MAX, x.compare(VectorOperators.GT, TANH_MAX));
    FloatVector square = x.mul(x);
    FloatVector p = square.fma(P6, P5);
    p = p.fma(square, P4);
    p = p.fma(square, P3);
    p = p.fma(square, P2);
    p = p.fma(square, P1);
    p = p.fma(square, P0);
    FloatVector q = square.fma(Q3, Q2);
    q = q.fma(square, Q1);
    q = q.fma(square, Q0);
    return x.mul(p).div(q);
  }

  /// Returns 2 to the power of the integer in the low bits.
  private static FloatVector power(FloatVector rounded) {
    return rounded
        .reinterpretAsInts()
        .add(127)
        .lanewise(VectorOperators.LSHL, 23)
        .reinterpretAsFloats();
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(VectorKernels.LANES, x, at);
  }

  private static FloatVector all(float value) {
    return FloatVector.broadcast(VectorKernels.LANES, value);
  }
}
