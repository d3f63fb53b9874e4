package io.tranche.tensor.kernels;

/// The inner loops everything else is built on.
///
/// [ScalarKernels] defines the meaning of each operation; every other implementation gives the same
/// bits. That is possible because no sum is ever split: each output is one chain of fused
/// multiply-adds in a fixed order, and implementations differ only in how many outputs they compute
/// at a time. So a row gives the same bits alone, in a batch, or streamed.
///
/// Arguments are not validated here: callers own the shapes. Matrices are row-major parts of
/// caller-owned arrays, given as array, offset and row stride.
///
/// Hot path: nothing here allocates.
public sealed interface Kernels permits ScalarKernels, VectorKernels {

  /// Gradients smaller than this count as 0 in the backward pass of a recurrent cell: over a long
  /// sequence they decay into denormals, which are many times slower and carry no information.
  float TINY = 1e-25f;

  /// Returns the fastest implementation that this JVM and CPU can run, or the one asked for with
  /// `-Dtranche.kernels=auto|scalar|vector`.
  static Kernels best() {
    return KernelChoice.INSTANCE;
  }

  /// Sets `c = start + a b` for an `m x k` matrix `a` and a `k x n` matrix `b`, summing along `k`
  /// in ascending order.
  ///
  /// Element (i, p) of `a` is at `aAt + i * aRow + p * aColumn`, so that a transposed matrix needs
  /// no copy. `start` may be `c` itself, to add to it, or have `startRow` 0, to begin every row
  /// with the same bias.
  void multiply(
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
      int cRow);

  /// [#multiply] by a matrix in bytes: element (p, j) of `b` is the byte there times `scales[j]`,
  /// which float32 holds exactly.
  void multiplyBytes(
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
      int cRow);

  /// [#multiply] by a matrix of finite IEEE float16 numbers.
  void multiplyHalves(
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
      int cRow);

  /// Adds the `m` rows of `a` to `sum`, one after the other.
  void addRows(int m, int n, float[] a, int aAt, int aRow, float[] sum, int sumAt);

  /// Adds `alpha * x` to `y`.
  void axpy(int n, float alpha, float[] x, int xAt, float[] y, int yAt);

  /// Multiplies `x` by `factor`.
  void scale(int n, float factor, float[] x, int xAt);

  /// Replaces negative values by 0.
  void relu(int n, float[] x, int xAt);

  /// Replaces `gradient` by 0 wherever `output`, the result of [#relu], is 0.
  void reluBackward(int n, float[] output, int outputAt, float[] gradient, int gradientAt);

  /// Replaces `x` by `exp(x + shift)`, with a relative error of at most 2e-7.
  void exp(int n, float shift, float[] x, int xAt);

  /// Replaces `x` by `1 / (1 + exp(-x))`, with a relative error of at most 2e-7.
  void sigmoid(int n, float[] x, int xAt);

  /// Replaces `x` by its tanh, never beyond 1, with a relative error of at most 3e-7.
  void tanh(int n, float[] x, int xAt);

  /// Replaces a row of scores by their softmax.
  default void softmax(int n, float[] x, int xAt) {
    float max = Float.NEGATIVE_INFINITY;
    for (int j = 0; j < n; j++) {
      max = Math.max(max, x[xAt + j]);
    }
    exp(n, -max, x, xAt);
    float sum = 0;
    for (int j = 0; j < n; j++) {
      sum += x[xAt + j];
    }
    scale(n, 1 / sum, x, xAt);
  }

  /// Replaces the gradient of the probabilities `p` by that of the scores they are the softmax of.
  default void softmaxBackward(int n, float[] p, int pAt, float[] gradient, int gradientAt) {
    float mean = 0;
    for (int j = 0; j < n; j++) {
      mean = Math.fma(p[pAt + j], gradient[gradientAt + j], mean);
    }
    for (int j = 0; j < n; j++) {
      gradient[gradientAt + j] = p[pAt + j] * (gradient[gradientAt + j] - mean);
    }
  }

  /// Finishes one step of a GRU for one row of `n` cells.
  ///
  /// `gates` holds the sums of r, z, the input's part of n and the state's part of n, each `n`
  /// wide; on return it holds r, z, n and the unchanged state's part of n, for the backward pass.
  void gruForward(
      int n, float[] gates, int gatesAt, float[] previous, int previousAt, float[] h, int hAt);

  /// Backward pass of [#gruForward]: replaces `gates` by the gradients of its four sums and adds
  /// the direct gradient of the previous state to `dPrevious`.
  void gruBackward(
      int n,
      float[] gates,
      int gatesAt,
      float[] previous,
      int previousAt,
      float[] dh,
      int dhAt,
      float[] dPrevious,
      int dPreviousAt);

  /// Finishes one step of an LSTM for one row of `n` cells: `gates` holds the sums of i, f, g, o
  /// and on return the gates; `c` and `h` become the new state.
  void lstmForward(
      int n,
      float[] gates,
      int gatesAt,
      float[] previousC,
      int previousAt,
      float[] c,
      int cAt,
      float[] h,
      int hAt);

  /// Backward pass of [#lstmForward]: replaces `gates` by the gradients of its four sums, and `dc`,
  /// the gradient of the new `c` from the next step, by that of the previous `c`. On return `c`
  /// holds its tanh.
  void lstmBackward(
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
      int dcAt);

  /// Replaces the outputs `h` of tanh by the gradients of its arguments, given `dh`.
  void tanhBackward(int n, float[] h, int hAt, float[] dh, int dhAt);

  /// Takes one step of Adam like torch, with the L2 penalty added to the gradient.
  ///
  /// @param n number of weights, from `at` on in all four arrays
  /// @param rate learning rate divided by `1 - beta1^t`
  /// @param root square root of `1 - beta2^t`
  void adam(
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
      float root);
}
