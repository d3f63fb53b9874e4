package io.tranche.tensor;

import io.tranche.tensor.kernels.Kernels;
import java.util.Arrays;

/// The gradients of one minibatch, summed slice by slice.
///
/// Work is cut into slices that do not depend on the number of threads. Each slice has its own
/// gradients, which are added up in slice order, so any number of threads gives the same bits. Hot
/// path: allocates a slice's array only on first use.
public final class Gradients {

  private static final Kernels KERNELS = Kernels.best();

  /// Number of weights added up at a time: small enough to stay in the cache.
  private static final int CHUNK = 1 << 12;

  private final int size;

  /// Allocated on first use: a model that never learns, or a small minibatch, does not need them
  /// all.
  private final float[][] slices;

  public Gradients(Weights weights, int slices) {
    if (slices < 1) {
      throw new IllegalArgumentException("slices must be at least 1, was " + slices);
    }
    this.size = weights.size();
    this.slices = new float[slices][0];
  }

  /// Returns the array of one slice, cleared.
  public float[] cleared(int slice) {
    if (slices[slice].length < size) {
      slices[slice] = new float[size];
    } else {
      Arrays.fill(slices[slice], 0);
    }
    return slices[slice];
  }

  /// Returns the number of chunks of the weights: each is added up independently, on any thread.
  public int chunks() {
    return Math.ceilDiv(size, CHUNK);
  }

  /// Adds up one chunk of the first `count` slices in slice order; the sum is in slice 0.
  public void addUp(int chunk, int count) {
    int from = chunk * CHUNK;
    int n = Math.min(CHUNK, size - from);
    for (int slice = 1; slice < count; slice++) {
      KERNELS.axpy(n, 1, slices[slice], from, slices[0], from);
    }
  }

  /// Returns the sum, once all chunks are added up.
  public float[] sum() {
    return slices[0];
  }

  /// Returns the Euclidean length of `gradients`.
  public static double norm(float[] gradients) {
    // Four sums, because a single one would wait for each addition. Their order is still fixed.
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i <= gradients.length - 4; i += 4) {
      a += (double) gradients[i] * gradients[i];
      b += (double) gradients[i + 1] * gradients[i + 1];
      c += (double) gradients[i + 2] * gradients[i + 2];
      d += (double) gradients[i + 3] * gradients[i + 3];
    }
    for (; i < gradients.length; i++) {
      a += (double) gradients[i] * gradients[i];
    }
    return Math.sqrt(a + b + (c + d));
  }

  /// Scales `gradients` down to the norm `maxNorm` if theirs is larger, like torch's
  /// `clip_grad_norm_`, and returns their norm before scaling.
  public static double clip(float[] gradients, double maxNorm) {
    double norm = norm(gradients);
    double factor = maxNorm / (norm + 1e-6);
    // One NaN makes all of them NaN, as in torch.
    if (!(factor >= 1)) {
      KERNELS.scale(gradients.length, (float) factor, gradients, 0);
    }
    return norm;
  }
}
