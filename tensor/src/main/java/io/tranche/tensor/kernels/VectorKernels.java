package io.tranche.tensor.kernels;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The twin of [ScalarKernels] on the Vector API; what does not fill a vector is left to it.
final class VectorKernels implements Kernels {

  static final VectorSpecies<Float> LANES = FloatVector.SPECIES_PREFERRED;
  private static final int LENGTH = LANES.length();
  private static final FloatVector ZERO = all(0);
  private static final FloatVector ONE = all(1);
  private static final FloatVector SMALLEST = all(TINY);

  private final ScalarKernels tail = new ScalarKernels();

  /// Narrower vectors gain little over what C2 makes of plain loops.
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
  public void addRows(int m, int n, float[] a, int aAt, int aRow, float[] sum, int sumAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector total = load(sum, sumAt + j);
      for (int i = 0; i < m; i++) {
        total = total.add(load(a, aAt + i * aRow + j));
      }
      total.intoArray(sum, sumAt + j);
    }
    tail.addRows(m, n - j, a, aAt + j, aRow, sum, sumAt + j);
  }

  @Override
  public void axpy(int n, float alpha, float[] x, int xAt, float[] y, int yAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      load(x, xAt + j).fma(all(alpha), load(y, yAt + j)).intoArray(y, yAt + j);
    }
    tail.axpy(n - j, alpha, x, xAt + j, y, yAt + j);
  }

  @Override
  public void scale(int n, float factor, float[] x, int xAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      load(x, xAt + j).mul(factor).intoArray(x, xAt + j);
    }
    tail.scale(n - j, factor, x, xAt + j);
  }

  @Override
  public void relu(int n, float[] x, int xAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector value = load(x, xAt + j);
      value.blend(ZERO, value.compare(VectorOperators.LE, ZERO)).intoArray(x, xAt + j);
    }
    tail.relu(n - j, x, xAt + j);
  }

  @Override
  public void reluBackward(int n, float[] output, int outputAt, float[] gradient, int gradientAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      FloatVector d = load(gradient, gradientAt + j);
      d.blend(ZERO, load(output, outputAt + j).compare(VectorOperators.EQ, ZERO))
          .intoArray(gradient, gradientAt + j);
    }
    tail.reluBackward(n - j, output, outputAt + j, gradient, gradientAt + j);
  }

  @Override
  public void exp(int n, float shift, float[] x, int xAt) {
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      VectorCurves.exp(load(x, xAt + j).add(shift)).intoArray(x, xAt + j);
    }
    tail.exp(n - j, shift, x, xAt + j);
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
      FloatVector output = load(h, hAt + j);
      notTiny(load(dh, dhAt + j)).mul(slope(output)).intoArray(h, hAt + j);
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
      FloatVector hidden = load(gates, next + n + j);
      load(gates, gatesAt + j).fma(hidden, load(gates, next + j)).intoArray(gates, next + j);
    }
    ScalarKernels.gruSum(j, n, gates, gatesAt);
    tanh(n, gates, next);
    for (j = 0; j <= n - LENGTH; j += LENGTH) {
      FloatVector value = load(gates, next + j);
      FloatVector change = load(previous, previousAt + j).sub(value);
      load(gates, gatesAt + n + j).fma(change, value).intoArray(h, hAt + j);
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
    int j = 0;
    for (; j <= n - LENGTH; j += LENGTH) {
      int at = gatesAt + j;
      FloatVector r = load(gates, at);
      FloatVector z = load(gates, at + n);
      FloatVector next = load(gates, at + 2 * n);
      FloatVector hidden = load(gates, at + 3 * n);
      FloatVector d = notTiny(load(dh, dhAt + j));
      FloatVector keep = ONE.sub(z);
      FloatVector dz = d.mul(load(previous, previousAt + j).sub(next)).mul(z.mul(keep));
      FloatVector dNext = d.mul(keep).mul(slope(next));
      dNext.mul(hidden).mul(r.mul(ONE.sub(r))).intoArray(gates, at);
      dz.intoArray(gates, at + n);
      dNext.intoArray(gates, at + 2 * n);
      dNext.mul(r).intoArray(gates, at + 3 * n);
      d.fma(z, load(dPrevious, dPreviousAt + j)).intoArray(dPrevious, dPreviousAt + j);
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
      FloatVector added = load(gates, at).mul(load(gates, at + 2 * n));
      FloatVector cell = load(gates, at + n).fma(load(previousC, previousAt + j), added);
      cell.intoArray(c, cAt + j);
    }
    ScalarKernels.lstmCell(j, n, gates, gatesAt, previousC, previousAt, c, cAt);
    System.arraycopy(c, cAt, h, hAt, n);
    tanh(n, h, hAt);
    for (j = 0; j <= n - LENGTH; j += LENGTH) {
      load(h, hAt + j).mul(load(gates, gatesAt + 3 * n + j)).intoArray(h, hAt + j);
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
      FloatVector i = load(gates, at);
      FloatVector f = load(gates, at + n);
      FloatVector g = load(gates, at + 2 * n);
      FloatVector o = load(gates, at + 3 * n);
      FloatVector squashed = load(c, cAt + j);
      FloatVector d = notTiny(load(dh, dhAt + j));
      FloatVector cell = notTiny(d.mul(o).fma(slope(squashed), load(dc, dcAt + j)));
      cell.mul(g).mul(i.mul(ONE.sub(i))).intoArray(gates, at);
      cell.mul(load(previousC, previousAt + j)).mul(f.mul(ONE.sub(f))).intoArray(gates, at + n);
      cell.mul(i).mul(slope(g)).intoArray(gates, at + 2 * n);
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
    int j = at;
    for (; j <= at + n - LENGTH; j += LENGTH) {
      FloatVector value = load(values, j);
      FloatVector gradient = value.fma(all(decay), load(gradients, j));
      FloatVector m = load(first, j);
      m = gradient.sub(m).fma(all(1 - beta1), m);
      m.intoArray(first, j);
      FloatVector v = gradient.mul(1 - beta2).fma(gradient, load(second, j).mul(beta2));
      v.intoArray(second, j);
      FloatVector divisor = v.sqrt().div(root).add(epsilon);
      m.div(divisor).fma(all(-rate), value).intoArray(values, j);
    }
    tail.adam(
        at + n - j, j, values, gradients, first, second, decay, beta1, beta2, epsilon, rate, root);
  }

  /// Returns the slope of tanh where its value is `output`.
  private static FloatVector slope(FloatVector output) {
    return output.neg().fma(output, ONE);
  }

  private static FloatVector notTiny(FloatVector x) {
    return x.blend(ZERO, x.abs().compare(VectorOperators.LT, SMALLEST));
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(LANES, x, at);
  }

  private static FloatVector all(float value) {
    return FloatVector.broadcast(LANES, value);
  }
}
