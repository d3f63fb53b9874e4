package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The curves of [Curves] on vectors: the same operations in the same order.
final class VectorCurves {

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
    return p.mul(
        rounded
            .reinterpretAsInts()
            .add(127)
            .lanewise(VectorOperators.LSHL, 23)
            .reinterpretAsFloats());
  }

  static FloatVector sigmoid(FloatVector x) {
    return ONE.div(exp(x.neg()).add(ONE));
  }

  static FloatVector tanh(FloatVector argument) {
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

  private static FloatVector all(float value) {
    return FloatVector.broadcast(VectorKernels.LANES, value);
  }
}
