package io.tranche.market.order;

import java.util.List;

/// The stream of `numpy.random.seed(n)`: the Mersenne twister and numpy's legacy distributions.
///
/// Only the distributions that Qlib's order script uses. The last bit of a lognormal may differ:
/// Qlib uses the C library, we use fdlibm.
final class NumpyRandom {

  private static final int N = 624;
  private static final int M = 397;

  private final int[] key = new int[N];
  private int position = N;
  private double spareGauss = Double.NaN;

  /// @param seed an unsigned 32-bit number
  NumpyRandom(int seed) {
    int value = seed;
    for (int i = 0; i < N; i++) {
      key[i] = value;
      value = 1_812_433_253 * (value ^ (value >>> 30)) + i + 1;
    }
  }

  int nextInt() {
    if (position == N) {
      twist();
    }
    int y = key[position++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    return y ^ (y >>> 18);
  }

  private void twist() {
    for (int i = 0; i < N; i++) {
      int y = (key[i] & 0x80000000) | (key[(i + 1) % N] & 0x7fffffff);
      key[i] = key[(i + M) % N] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : 0x9908b0df);
    }
    position = 0;
  }

  /// Returns a double in [0, 1) of 53 bits.
  double nextDouble() {
    int high = nextInt() >>> 5;
    int low = nextInt() >>> 6;
    return (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0;
  }

  /// Shuffles as `numpy.random.shuffle` does a list.
  void shuffle(List<String> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      int j = upTo(i);
      String other = list.get(j);
      list.set(j, list.get(i));
      list.set(i, other);
    }
  }

  private int upTo(int max) {
    int mask = (Integer.highestOneBit(max) << 1) - 1;
    int value;
    do {
      value = nextInt() & mask;
    } while (value > max);
    return value;
  }

  double lognormal(double mean, double deviation) {
    return StrictMath.exp(mean + deviation * gauss());
  }

  /// The polar method, which makes two at a time.
  private double gauss() {
    if (!Double.isNaN(spareGauss)) {
      double spare = spareGauss;
      spareGauss = Double.NaN;
      return spare;
    }
    double x1;
    double x2;
    double r2;
    do {
      x1 = 2 * nextDouble() - 1;
      x2 = 2 * nextDouble() - 1;
      r2 = x1 * x1 + x2 * x2;
    } while (r2 >= 1 || r2 == 0);
    double f = Math.sqrt(-2 * StrictMath.log(r2) / r2);
    spareGauss = f * x1;
    return f * x2;
  }
}
