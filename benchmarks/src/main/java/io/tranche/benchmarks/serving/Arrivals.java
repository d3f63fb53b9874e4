package io.tranche.benchmarks.serving;

import java.util.SplittableRandom;

/// How requests are spread over time.
enum Arrivals {
  /// One at a time, evenly.
  CONSTANT,
  /// Independently of each other, as those of many clients.
  POISSON;

  /// Returns when each of `count` requests is to be sent, in nanoseconds since the start. However
  /// they are spread, together they take exactly as long as at an even rate, so that the achieved
  /// rate can be compared.
  ///
  /// @param rate requests per second
  long[] times(int count, double rate, long seed) {
    var random = new SplittableRandom(seed);
    double[] gapsBefore = new double[count];
    double gaps = 0;
    for (int i = 0; i < count; i++) {
      gapsBefore[i] = gaps;
      gaps += this == CONSTANT ? 1 : -Math.log(1 - random.nextDouble());
    }
    double nanosPerGap = 1e9 / rate * count / gaps;
    long[] times = new long[count];
    for (int i = 0; i < count; i++) {
      times[i] = (long) (gapsBefore[i] * nanosPerGap);
    }
    return times;
  }
}
