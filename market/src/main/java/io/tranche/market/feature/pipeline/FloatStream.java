package io.tranche.market.feature.pipeline;

/// Floats that are read once, from first to last.
@FunctionalInterface
interface FloatStream {

  float next();

  /// Returns the sum of the next `count` values, added like NumPy adds a contiguous float32 array:
  /// halves of halves down to blocks of 128, each summed in eight lanes.
  ///
  /// The order of additions decides the last bits, and the statistics of a feature store are
  /// compared bit by bit with Qlib's.
  default float sum(long count) {
    if (count < 8) {
      float sum = 0;
      for (long i = 0; i < count; i++) {
        sum += next();
      }
      return sum;
    }
    if (count > 128) {
      long half = count / 2;
      half -= half % 8;
      float first = sum(half);
      return first + sum(count - half);
    }
    float[] lane = new float[8];
    for (int i = 0; i < count - count % 8; i++) {
      lane[i % 8] += next();
    }
    float sum =
        ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
    for (int i = 0; i < count % 8; i++) {
      sum += next();
    }
    return sum;
  }
}
