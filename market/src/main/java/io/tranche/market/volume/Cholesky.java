package io.tranche.market.volume;

/// Solves the normal equations of a ridge regression.
final class Cholesky {

  private Cholesky() {}

  /// Solves `(matrix + penalty I) x = right`.
  ///
  /// @param matrix symmetric and positive semi-definite; is not changed
  static double[] solve(double[][] matrix, double[] right, double penalty) {
    int size = right.length;
    double[][] lower = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i][j] + (i == j ? penalty : 0);
        for (int k = 0; k < j; k++) {
          sum -= lower[i][k] * lower[j][k];
        }
        lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
      }
    }
    double[] x = right.clone();
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < i; k++) {
        x[i] -= lower[i][k] * x[k];
      }
      x[i] /= lower[i][i];
    }
    for (int i = size - 1; i >= 0; i--) {
      for (int k = i + 1; k < size; k++) {
        x[i] -= lower[k][i] * x[k];
      }
      x[i] /= lower[i][i];
    }
    return x;
  }
}
