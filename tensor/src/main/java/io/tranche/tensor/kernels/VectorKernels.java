package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// [ScalarKernels] on the Vector API; elements that do not fill a vector are left to the scalar
/// code.
///
/// No method in this package takes or returns a vector: C2 always inlines the Vector API, but our
/// methods only at frequent calls, and a call that is not inlined boxes.
final class VectorKernels implements Kernels {

  static final VectorSpecies<Float> LANES = FloatVector.SPECIES_PREFERRED;
  private static final int LENGTH = LANES.length();
  private static final FloatVector ZERO = FloatVector.broadcast(LANES, 0);
  private static final FloatVector ONE = FloatVector.broadcast(LANES, 1);
  private static final FloatVector SMALLEST = FloatVector.broadcast(LANES, TINY);

  /// Bytes for so few floats would not fill the narrowest vector there is.
  private static final boolean NARROW = LENGTH < 8;

  private final ScalarKernels tail = new ScalarKernels();

  /// Narrower vectors gain little over C2's own vectorisation of plain loops.
  static boolean isWorthwhile() {
    return LANES.vectorBitSize() >= 256;
  }

  @Override
  public void multiply(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      int aColumn,
      float[] b,
      int bAt,
      int bRow,
      float[] start,
      int startAt,
      int startRow,
      float[] c,
      int cAt,
      int cRow) {
    VectorProduct.multiply(
        m, n, k, a, aAt, aRow, aColumn, b, bAt, bRow, start, startAt, startRow, c, cAt, cRow);
  }

  @Override
  public void multiplyBytes(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] start,
      int startAt,
      int startRow,
      float[] c,
      int cAt,
      int cRow) {
    if (NARROW) {
      tail.multiplyBytes(
          m, n, k, a, aAt, aRow, b, bAt, bRow, scales, scalesAt, start, startAt, startRow, c, cAt,
          cRow);
      return;
    }
    ByteProduct.multiply(
        m, n, k, a, aAt, aRow, b, bAt, bRow, scales, scalesAt, start, startAt, startRow, c, cAt,
        cRow);
  }

  @Override
  public void multiplyHalves(
      int m,
      int n,
      int k,
      float[] a,
      int aAt,
      int aRow,
      short[] b,
      int bAt,
      int bRow,
      float[] start,
      int startAt,
      int startRow,
      float[] c,
      int cAt,
      int cRow) {
    if (NARROW) {
      tail.multiplyHalves(
          m, n, k, a, aAt, aRow, b, bAt, bRow, start, startAt, startRow, c, cAt, cRow);
      return;
    }
    HalfProduct.multiply(
        m, n, k, a, aAt, aRow, b, bAt, bRow, start, startAt, startRow, c, cAt, cRow);
  }

  @Override
  public void addRows(int m, int n, float[] a, int aAt, int aRow, float[] sum, int sumAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector total = FloatVector.fromArray(LANES, sum, sumAt + j);
      for (int i = 0; i < m; i++) {
        total = total.add(FloatVector.fromArray(LANES, a, aAt + i * aRow + j));
      }
      total.intoArray(sum, sumAt + j);
    }
    tail.addRows(m, n - j, a, aAt + j, aRow, sum, sumAt + j);
  }

  @Override
  public void axpy(int n, float alpha, float[] x, int xAt, float[] y, int yAt) {
    FloatVector alphas = FloatVector.broadcast(LANES, alpha);
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector.fromArray(LANES, x, xAt + j)
          .fma(alphas, FloatVector.fromArray(LANES, y, yAt + j))
          .intoArray(y, yAt + j);
    }
    tail.axpy(n - j, alpha, x, xAt + j, y, yAt + j);
  }

  @Override
  public void scale(int n, float factor, float[] x, int xAt) {
    FloatVector factors = FloatVector.broadcast(LANES, factor);
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector.fromArray(LANES, x, xAt + j).mul(factors).intoArray(x, xAt + j);
    }
    tail.scale(n - j, factor, x, xAt + j);
  }

  @Override
  public void relu(int n, float[] x, int xAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector value = FloatVector.fromArray(LANES, x, xAt + j);
      value.blend(ZERO, value.compare(VectorOperators.LE, ZERO)).intoArray(x, xAt + j);
    }
    tail.relu(n - j, x, xAt + j);
  }

  @Override
  public void reluBackward(int n, float[] output, int outputAt, float[] gradient, int gradientAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector d = FloatVector.fromArray(LANES, gradient, gradientAt + j);
      d.blend(
              ZERO,
              FloatVector.fromArray(LANES, output, outputAt + j).compare(VectorOperators.EQ, ZERO))
          .intoArray(gradient, gradientAt + j);
    }
    tail.reluBackward(n - j, output, outputAt + j, gradient, gradientAt + j);
  }

  @Override
  public void exp(int n, float shift, float[] x, int xAt) {
    VectorCurves.exp(n, shift, x, xAt);
  }

  @Override
  public void sigmoid(int n, float[] x, int xAt) {
    VectorCurves.sigmoid(n, x, xAt);
  }

  @Override
  public void tanh(int n, float[] x, int xAt) {
    VectorCurves.tanh(n, x, xAt);
  }

  @Override
  public void tanhBackward(int n, float[] h, int hAt, float[] dh, int dhAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector output = FloatVector.fromArray(LANES, h, hAt + j);
      FloatVector d = FloatVector.fromArray(LANES, dh, dhAt + j);
      d = d.blend(ZERO, d.abs().compare(VectorOperators.LT, SMALLEST));
      d.mul(output.neg().fma(output, ONE)).intoArray(h, hAt + j);
    }
    tail.tanhBackward(n - j, h, hAt + j, dh, dhAt + j);
  }

  @Override
  public void gruForward(
      int n, float[] gates, int gatesAt, float[] previous, int previousAt, float[] h, int hAt) {
    sigmoid(2 * n, gates, gatesAt);
    int next = gatesAt + 2 * n;
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector hidden = FloatVector.fromArray(LANES, gates, next + n + j);
      FloatVector.fromArray(LANES, gates, gatesAt + j)
          .fma(hidden, FloatVector.fromArray(LANES, gates, next + j))
          .intoArray(gates, next + j);
    }
    ScalarKernels.gruSum(j, n, gates, gatesAt);
    tanh(n, gates, next);
    for (j = 0; j <= n - LENGTH; j += LENGTH) {
      FloatVector value = FloatVector.fromArray(LANES, gates, next + j);
      FloatVector change = FloatVector.fromArray(LANES, previous, previousAt + j).sub(value);
      FloatVector.fromArray(LANES, gates, gatesAt + n + j).fma(change, value).intoArray(h, hAt + j);
    }
    ScalarKernels.gruState(j, n, gates, gatesAt, previous, previousAt, h, hAt);
  }

  @Override
  public void gruBackward(
      int n,
      float[] gates,
      int gatesAt,
      float[] previous,
      int previousAt,
      float[] dh,
      int dhAt,
      float[] dPrevious,
      int dPreviousAt) {
    // In pairs for the reasons that VectorCurves gives.
    int j = 0;
    for (; j <= n - LENGTH; j += 2 * LENGTH) {
      int next = Math.min(j + LENGTH, n - LENGTH);
      FloatVector r0 = FloatVector.fromArray(LANES, gates, gatesAt + j);
      FloatVector r1 = FloatVector.fromArray(LANES, gates, gatesAt + next);
      FloatVector z0 = FloatVector.fromArray(LANES, gates, gatesAt + n + j);
      FloatVector z1 = FloatVector.fromArray(LANES, gates, gatesAt + n + next);
      FloatVector n0 = FloatVector.fromArray(LANES, gates, gatesAt + 2 * n + j);
      FloatVector n1 = FloatVector.fromArray(LANES, gates, gatesAt + 2 * n + next);
      FloatVector u0 = FloatVector.fromArray(LANES, gates, gatesAt + 3 * n + j);
      FloatVector u1 = FloatVector.fromArray(LANES, gates, gatesAt + 3 * n + next);
      FloatVector d0 = FloatVector.fromArray(LANES, dh, dhAt + j);
      d0 = d0.blend(ZERO, d0.abs().compare(VectorOperators.LT, SMALLEST));
      FloatVector d1 = FloatVector.fromArray(LANES, dh, dhAt + next);
      d1 = d1.blend(ZERO, d1.abs().compare(VectorOperators.LT, SMALLEST));
      FloatVector p0 = FloatVector.fromArray(LANES, previous, previousAt + j).sub(n0);
      FloatVector p1 = FloatVector.fromArray(LANES, previous, previousAt + next).sub(n1);
      FloatVector e0 = d0.fma(z0, FloatVector.fromArray(LANES, dPrevious, dPreviousAt + j));
      FloatVector e1 = d1.fma(z1, FloatVector.fromArray(LANES, dPrevious, dPreviousAt + next));
      FloatVector dn0 = d0.mul(ONE.sub(z0)).mul(n0.neg().fma(n0, ONE));
      FloatVector dn1 = d1.mul(ONE.sub(z1)).mul(n1.neg().fma(n1, ONE));
      dn0.mul(u0).mul(r0.mul(ONE.sub(r0))).intoArray(gates, gatesAt + j);
      dn1.mul(u1).mul(r1.mul(ONE.sub(r1))).intoArray(gates, gatesAt + next);
      d0.mul(p0).mul(z0.mul(ONE.sub(z0))).intoArray(gates, gatesAt + n + j);
      d1.mul(p1).mul(z1.mul(ONE.sub(z1))).intoArray(gates, gatesAt + n + next);
      dn0.intoArray(gates, gatesAt + 2 * n + j);
      dn1.intoArray(gates, gatesAt + 2 * n + next);
      dn0.mul(r0).intoArray(gates, gatesAt + 3 * n + j);
      dn1.mul(r1).intoArray(gates, gatesAt + 3 * n + next);
      e0.intoArray(dPrevious, dPreviousAt + j);
      e1.intoArray(dPrevious, dPreviousAt + next);
    }
    ScalarKernels.gruBackward(
        j, n, gates, gatesAt, previous, previousAt, dh, dhAt, dPrevious, dPreviousAt);
  }

  @Override
  public void lstmForward(
      int n,
      float[] gates,
      int gatesAt,
      float[] previousC,
      int previousAt,
      float[] c,
      int cAt,
      float[] h,
      int hAt) {
    sigmoid(2 * n, gates, gatesAt);
    tanh(n, gates, gatesAt + 2 * n);
    sigmoid(n, gates, gatesAt + 3 * n);
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      int at = gatesAt + j;
      FloatVector added =
          FloatVector.fromArray(LANES, gates, at)
              .mul(FloatVector.fromArray(LANES, gates, at + 2 * n));
      FloatVector cell =
          FloatVector.fromArray(LANES, gates, at + n)
              .fma(FloatVector.fromArray(LANES, previousC, previousAt + j), added);
      cell.intoArray(c, cAt + j);
    }
    ScalarKernels.lstmCell(j, n, gates, gatesAt, previousC, previousAt, c, cAt);
    System.arraycopy(c, cAt, h, hAt, n);
    tanh(n, h, hAt);
    for (j = 0; j <= n - LENGTH; j += LENGTH) {
      FloatVector.fromArray(LANES, h, hAt + j)
          .mul(FloatVector.fromArray(LANES, gates, gatesAt + 3 * n + j))
          .intoArray(h, hAt + j);
    }
    ScalarKernels.lstmState(j, n, gates, gatesAt, h, hAt);
  }

  @Override
  public void lstmBackward(
      int n,
      float[] gates,
      int gatesAt,
      float[] previousC,
      int previousAt,
      float[] c,
      int cAt,
      float[] dh,
      int dhAt,
      float[] dc,
      int dcAt) {
    tanh(n, c, cAt);
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      int at = gatesAt + j;
      FloatVector i = FloatVector.fromArray(LANES, gates, at);
      FloatVector f = FloatVector.fromArray(LANES, gates, at + n);
      FloatVector g = FloatVector.fromArray(LANES, gates, at + 2 * n);
      FloatVector o = FloatVector.fromArray(LANES, gates, at + 3 * n);
      FloatVector squashed = FloatVector.fromArray(LANES, c, cAt + j);
      FloatVector d = FloatVector.fromArray(LANES, dh, dhAt + j);
      d = d.blend(ZERO, d.abs().compare(VectorOperators.LT, SMALLEST));
      FloatVector cell =
          d.mul(o)
              .fma(squashed.neg().fma(squashed, ONE), FloatVector.fromArray(LANES, dc, dcAt + j));
      cell = cell.blend(ZERO, cell.abs().compare(VectorOperators.LT, SMALLEST));
      cell.mul(g).mul(i.mul(ONE.sub(i))).intoArray(gates, at);
      cell.mul(FloatVector.fromArray(LANES, previousC, previousAt + j))
          .mul(f.mul(ONE.sub(f)))
          .intoArray(gates, at + n);
      cell.mul(i).mul(g.neg().fma(g, ONE)).intoArray(gates, at + 2 * n);
      d.mul(squashed).mul(o.mul(ONE.sub(o))).intoArray(gates, at + 3 * n);
      cell.mul(f).intoArray(dc, dcAt + j);
    }
    ScalarKernels.lstmSums(j, n, gates, gatesAt, previousC, previousAt, c, cAt, dh, dhAt, dc, dcAt);
  }

  @Override
  public void adam(
      int n,
      int at,
      float[] values,
      float[] gradients,
      float[] first,
      float[] second,
      float decay,
      float beta1,
      float beta2,
      float epsilon,
      float rate,
      float root) {
    // In pairs for the reasons that VectorCurves gives.
    FloatVector decays = FloatVector.broadcast(LANES, decay);
    FloatVector newFirst = FloatVector.broadcast(LANES, 1 - beta1);
    FloatVector newSecond = FloatVector.broadcast(LANES, 1 - beta2);
    FloatVector oldSecond = FloatVector.broadcast(LANES, beta2);
    FloatVector epsilons = FloatVector.broadcast(LANES, epsilon);
    FloatVector rates = FloatVector.broadcast(LANES, -rate);
    FloatVector roots = FloatVector.broadcast(LANES, root);
    int end = at + n;
    int j = at;
    for (; j <= end - LENGTH; j += 2 * LENGTH) {
      int next = Math.min(j + LENGTH, end - LENGTH);
      FloatVector w0 = FloatVector.fromArray(LANES, values, j);
      FloatVector w1 = FloatVector.fromArray(LANES, values, next);
      FloatVector g0 = w0.fma(decays, FloatVector.fromArray(LANES, gradients, j));
      FloatVector g1 = w1.fma(decays, FloatVector.fromArray(LANES, gradients, next));
      FloatVector m0 = FloatVector.fromArray(LANES, first, j);
      FloatVector m1 = FloatVector.fromArray(LANES, first, next);
      m0 = g0.sub(m0).fma(newFirst, m0);
      m1 = g1.sub(m1).fma(newFirst, m1);
      FloatVector v0 =
          g0.mul(newSecond).fma(g0, FloatVector.fromArray(LANES, second, j).mul(oldSecond));
      FloatVector v1 =
          g1.mul(newSecond).fma(g1, FloatVector.fromArray(LANES, second, next).mul(oldSecond));
      m0.intoArray(first, j);
      m1.intoArray(first, next);
      v0.intoArray(second, j);
      v1.intoArray(second, next);
      FloatVector divisor0 = v0.sqrt().div(roots).add(epsilons);
      FloatVector divisor1 = v1.sqrt().div(roots).add(epsilons);
      m0.div(divisor0).fma(rates, w0).intoArray(values, j);
      m1.div(divisor1).fma(rates, w1).intoArray(values, next);
    }
    tail.adam(
        Math.max(end - j, 0),
        j,
        values,
        gradients,
        first,
        second,
        decay,
        beta1,
        beta2,
        epsilon,
        rate,
        root);
  }
}
