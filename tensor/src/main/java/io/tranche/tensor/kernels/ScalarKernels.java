package io.tranche.tensor.kernels;

/// The reference implementation: defines each kernel in plain loops.
public final class ScalarKernels implements Kernels {

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
    for (int i = 0; i < m; i++) {
      int row = cAt + i * cRow;
      System.arraycopy(start, startAt + i * startRow, c, row, n);
      for (int p = 0; p < k; p++) {
        axpy(n, a[aAt + i * aRow + p * aColumn], b, bAt + p * bRow, c, row);
      }
    }
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
    for (int i = 0; i < m; i++) {
      int row = cAt + i * cRow;
      System.arraycopy(start, startAt + i * startRow, c, row, n);
      addBytes(n, k, a, aAt + i * aRow, b, bAt, bRow, scales, scalesAt, c, row);
    }
  }

  /// Adds one row of the product to `c`.
  void addBytes(
      int n,
      int k,
      float[] a,
      int aAt,
      byte[] b,
      int bAt,
      int bRow,
      float[] scales,
      int scalesAt,
      float[] c,
      int cAt) {
    for (int p = 0; p < k; p++) {
      float alpha = a[aAt + p];
      int from = bAt + p * bRow;
      for (int j = 0; j < n; j++) {
        float weight = b[from + j] * scales[scalesAt + j];
        c[cAt + j] = Math.fma(alpha, weight, c[cAt + j]);
      }
    }
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
    for (int i = 0; i < m; i++) {
      int row = cAt + i * cRow;
      System.arraycopy(start, startAt + i * startRow, c, row, n);
      addHalves(n, k, a, aAt + i * aRow, b, bAt, bRow, c, row);
    }
  }

  /// Adds one row of the product to `c`.
  void addHalves(
      int n, int k, float[] a, int aAt, short[] b, int bAt, int bRow, float[] c, int cAt) {
    for (int p = 0; p < k; p++) {
      float alpha = a[aAt + p];
      int from = bAt + p * bRow;
      for (int j = 0; j < n; j++) {
        float weight = Float.float16ToFloat(b[from + j]);
        c[cAt + j] = Math.fma(alpha, weight, c[cAt + j]);
      }
    }
  }

  @Override
  public void addRows(int m, int n, float[] a, int aAt, int aRow, float[] sum, int sumAt) {
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < n; j++) {
        sum[sumAt + j] += a[aAt + i * aRow + j];
      }
    }
  }

  @Override
  public void axpy(int n, float alpha, float[] x, int xAt, float[] y, int yAt) {
    for (int j = 0; j < n; j++) {
      y[yAt + j] = Math.fma(alpha, x[xAt + j], y[yAt + j]);
    }
  }

  @Override
  public void scale(int n, float factor, float[] x, int xAt) {
    for (int j = xAt; j < xAt + n; j++) {
      x[j] *= factor;
    }
  }

  @Override
  public void relu(int n, float[] x, int xAt) {
    for (int j = xAt; j < xAt + n; j++) {
      x[j] = x[j] <= 0 ? 0 : x[j];
    }
  }

  @Override
  public void reluBackward(int n, float[] output, int outputAt, float[] gradient, int gradientAt) {
    for (int j = 0; j < n; j++) {
      if (output[outputAt + j] == 0) {
        gradient[gradientAt + j] = 0;
      }
    }
  }

  @Override
  public void exp(int n, float shift, float[] x, int xAt) {
    for (int j = xAt; j < xAt + n; j++) {
      x[j] = Curves.exp(x[j] + shift);
    }
  }

  @Override
  public void sigmoid(int n, float[] x, int xAt) {
    for (int j = xAt; j < xAt + n; j++) {
      x[j] = Curves.sigmoid(x[j]);
    }
  }

  @Override
  public void tanh(int n, float[] x, int xAt) {
    for (int j = xAt; j < xAt + n; j++) {
      x[j] = Curves.tanh(x[j]);
    }
  }

  @Override
  public void gruForward(
      int n, float[] gates, int gatesAt, float[] previous, int previousAt, float[] h, int hAt) {
    sigmoid(2 * n, gates, gatesAt);
    gruSum(0, n, gates, gatesAt);
    tanh(n, gates, gatesAt + 2 * n);
    gruState(0, n, gates, gatesAt, previous, previousAt, h, hAt);
  }

  /// Completes the sums of n, from cell `from` on.
  static void gruSum(int from, int n, float[] gates, int gatesAt) {
    for (int j = gatesAt + from; j < gatesAt + n; j++) {
      gates[j + 2 * n] = Math.fma(gates[j], gates[j + 3 * n], gates[j + 2 * n]);
    }
  }

  /// Blends n and the previous state, from cell `from` on.
  static void gruState(
      int from,
      int n,
      float[] gates,
      int gatesAt,
      float[] previous,
      int previousAt,
      float[] h,
      int hAt) {
    for (int j = from; j < n; j++) {
      float z = gates[gatesAt + n + j];
      float next = gates[gatesAt + 2 * n + j];
      h[hAt + j] = Math.fma(z, previous[previousAt + j] - next, next);
    }
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
    gruBackward(0, n, gates, gatesAt, previous, previousAt, dh, dhAt, dPrevious, dPreviousAt);
  }

  /// [#gruBackward], from cell `from` on.
  static void gruBackward(
      int from,
      int n,
      float[] gates,
      int gatesAt,
      float[] previous,
      int previousAt,
      float[] dh,
      int dhAt,
      float[] dPrevious,
      int dPreviousAt) {
    for (int j = from; j < n; j++) {
      float r = gates[gatesAt + j];
      float z = gates[gatesAt + n + j];
      float next = gates[gatesAt + 2 * n + j];
      float hidden = gates[gatesAt + 3 * n + j];
      float d = notTiny(dh[dhAt + j]);
      float dz = d * (previous[previousAt + j] - next) * (z * (1 - z));
      float dNext = d * (1 - z) * Math.fma(-next, next, 1);
      gates[gatesAt + j] = dNext * hidden * (r * (1 - r));
      gates[gatesAt + n + j] = dz;
      gates[gatesAt + 2 * n + j] = dNext;
      gates[gatesAt + 3 * n + j] = dNext * r;
      dPrevious[dPreviousAt + j] = Math.fma(d, z, dPrevious[dPreviousAt + j]);
    }
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
    lstmCell(0, n, gates, gatesAt, previousC, previousAt, c, cAt);
    System.arraycopy(c, cAt, h, hAt, n);
    tanh(n, h, hAt);
    lstmState(0, n, gates, gatesAt, h, hAt);
  }

  /// Updates the cells, from cell `from` on.
  static void lstmCell(
      int from,
      int n,
      float[] gates,
      int gatesAt,
      float[] previousC,
      int previousAt,
      float[] c,
      int cAt) {
    for (int j = from; j < n; j++) {
      float i = gates[gatesAt + j];
      float f = gates[gatesAt + n + j];
      float g = gates[gatesAt + 2 * n + j];
      c[cAt + j] = Math.fma(f, previousC[previousAt + j], i * g);
    }
  }

  /// Multiplies the squashed cells in `h` by the output gate, from cell `from` on.
  static void lstmState(int from, int n, float[] gates, int gatesAt, float[] h, int hAt) {
    for (int j = from; j < n; j++) {
      h[hAt + j] *= gates[gatesAt + 3 * n + j];
    }
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
    lstmSums(0, n, gates, gatesAt, previousC, previousAt, c, cAt, dh, dhAt, dc, dcAt);
  }

  /// The second half of [#lstmBackward], from cell `from` on; `squashed` is the tanh of the cells.
  static void lstmSums(
      int from,
      int n,
      float[] gates,
      int gatesAt,
      float[] previousC,
      int previousAt,
      float[] squashed,
      int squashedAt,
      float[] dh,
      int dhAt,
      float[] dc,
      int dcAt) {
    for (int j = from; j < n; j++) {
      float i = gates[gatesAt + j];
      float f = gates[gatesAt + n + j];
      float g = gates[gatesAt + 2 * n + j];
      float o = gates[gatesAt + 3 * n + j];
      float output = squashed[squashedAt + j];
      float d = notTiny(dh[dhAt + j]);
      float cell = notTiny(Math.fma(d * o, Math.fma(-output, output, 1), dc[dcAt + j]));
      gates[gatesAt + j] = cell * g * (i * (1 - i));
      gates[gatesAt + n + j] = cell * previousC[previousAt + j] * (f * (1 - f));
      gates[gatesAt + 2 * n + j] = cell * i * Math.fma(-g, g, 1);
      gates[gatesAt + 3 * n + j] = d * output * (o * (1 - o));
      dc[dcAt + j] = cell * f;
    }
  }

  @Override
  public void tanhBackward(int n, float[] h, int hAt, float[] dh, int dhAt) {
    for (int j = 0; j < n; j++) {
      float output = h[hAt + j];
      h[hAt + j] = notTiny(dh[dhAt + j]) * Math.fma(-output, output, 1);
    }
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
    for (int j = at; j < at + n; j++) {
      float gradient = Math.fma(decay, values[j], gradients[j]);
      first[j] = Math.fma(1 - beta1, gradient - first[j], first[j]);
      second[j] = Math.fma((1 - beta2) * gradient, gradient, beta2 * second[j]);
      float divisor = (float) Math.sqrt(second[j]) / root + epsilon;
      values[j] = Math.fma(-rate, first[j] / divisor, values[j]);
    }
  }

  private static float notTiny(float x) {
    return Math.abs(x) < TINY ? 0 : x;
  }
}
