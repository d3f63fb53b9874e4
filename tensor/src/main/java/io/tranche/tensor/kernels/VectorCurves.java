package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/// The curves of [Curves] on vectors: the same operations in the same order.
final class VectorCurves {

  private VectorCurves() {}

  static FloatVector exp(FloatVector argument) {
    FloatVector x = argument.max(Curves.EXP_MIN).min(Curves.EXP_MAX);
    FloatVector rounded = x.fma(constant(Curves.LOG2_E), constant(Curves.ROUNDER));
    FloatVector n = rounded.sub(Curves.ROUNDER);
    FloatVector r = n.fma(constant(-Curves.LN2_LOW), n.fma(constant(-Curves.LN2_HIGH), x));
    FloatVector p = constant(Curves.E7).fma(r, constant(Curves.E6));
    p = p.fma(r, constant(Curves.E5));
    p = p.fma(r, constant(Curves.E4));
    p = p.fma(r, constant(Curves.E3));
    p = p.fma(r, constant(Curves.E2));
    p = p.fma(r.mul(r), r.add(1));
    return p.mul(
        rounded
            .reinterpretAsInts()
            .add(127)
            .lanewise(VectorOperators.LSHL, 23)
            .reinterpretAsFloats());
  }

  static FloatVector sigmoid(FloatVector x) {
    return constant(1).div(exp(x.neg()).add(1));
  }

  static FloatVector tanh(FloatVector argument) {
    FloatVector x = argument.max(-Curves.TANH_MAX).min(Curves.TANH_MAX);
    FloatVector square = x.mul(x);
    FloatVector p = constant(Curves.P6).fma(square, constant(Curves.P5));
    p = p.fma(square, constant(Curves.P4));
    p = p.fma(square, constant(Curves.P3));
    p = p.fma(square, constant(Curves.P2));
    p = p.fma(square, constant(Curves.P1));
    p = p.fma(square, constant(Curves.P0));
    FloatVector q = constant(Curves.Q3).fma(square, constant(Curves.Q2));
    q = q.fma(square, constant(Curves.Q1));
    q = q.fma(square, constant(Curves.Q0));
    return x.mul(p).div(q);
  }

  private static FloatVector constant(float value) {
    return FloatVector.broadcast(VectorKernels.LANES, value);
  }
}
