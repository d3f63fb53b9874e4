package io.tranche.benchmarks.measure;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// A product of two square matrices of floats in plain loops: work that two cores share without
/// communicating, so it shows the speed-up by a second core of this machine.
public final class MatrixProduct {

  private static final int BLOCK = 64; // rows of the right matrix that stay in the nearest cache

  private final int size;
  private final float[] left;
  private final float[] right;
  private final float[] product;

  public MatrixProduct(int size) {
    this.size = size;
    left = new float[size * size];
    right = new float[size * size];
    product = new float[size * size];
    var random = new SplittableRandom(1);
    for (float[] factor : List.of(left, right)) {
      for (int i = 0; i < factor.length; i++) {
        factor[i] = (float) random.nextDouble(-1, 1);
      }
    }
  }

  /// Returns the product that scaling figures use.
  public static MatrixProduct of(Options options) {
    return new MatrixProduct(options.count(512, 64));
  }

  /// Computes the product on two threads, the caller being one, or on the caller's alone.
  public void compute(int threads) {
    if (threads == 1) {
      rows(0, size);
      return;
    }
    Thread other = Thread.ofPlatform().start(() -> rows(0, size / 2));
    rows(size / 2, size);
    try {
      other.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a product was computed", e);
    }
  }

  private void rows(int from, int to) {
    Arrays.fill(product, from * size, to * size, 0);
    for (int block = 0; block < size; block += BLOCK) {
      int end = Math.min(block + BLOCK, size);
      for (int row = from; row < to; row++) {
        for (int inner = block; inner < end; inner++) {
          addRow(left[row * size + inner], inner * size, row * size);
        }
      }
    }
  }

  /// A loop by itself, which the compiler turns into vector instructions.
  private void addRow(float factor, int source, int target) {
    for (int column = 0; column < size; column++) {
      product[target + column] += factor * right[source + column];
    }
  }

  /// Returns the largest difference between a row of the product and dot products.
  public float error(int row) {
    float worst = 0;
    for (int column = 0; column < size; column++) {
      float sum = 0;
      for (int inner = 0; inner < size; inner++) {
        sum += left[row * size + inner] * right[inner * size + column];
      }
      worst = Math.max(worst, Math.abs(sum - product[row * size + column]));
    }
    return worst;
  }
}
