package io.tranche.benchmarks.judge;

import io.tranche.run.play.Difference;
import java.time.LocalDate;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// How simulated differences of paired orders are distributed. Their true mean is zero.
///
/// @param unequal whether the number of orders a day varies, log-normally with deviation 1;
///   otherwise it is 20
/// @param heavy whether the tails are those of Student's t with three degrees of freedom; otherwise
///   they are normal
/// @param shared the part of the variance that all instruments of a day share
record SampleLaw(boolean unequal, boolean heavy, double shared) {

  private static final LocalDate FIRST = LocalDate.of(2024, 1, 1);
  private static final double SCALE_BPS = 10;

  /// Draws the orders of some days and returns their mean with its interval.
  Difference draw(int days, SplittableRandom random) {
    var orders = new Difference.Builder();
    for (int day = 0; day < days; day++) {
      LocalDate date = FIRST.plusDays(day);
      double common = Math.sqrt(shared) * number(random);
      int count =
          unequal ? (int) Math.max(1, Math.round(Math.exp(2.5 + random.nextGaussian()))) : 20;
      for (int i = 0; i < count; i++) {
        orders.add(date, SCALE_BPS * (common + Math.sqrt(1 - shared) * number(random)));
      }
    }
    return orders.build();
  }

  private double number(RandomGenerator random) {
    double normal = random.nextGaussian();
    if (!heavy) {
      return normal;
    }
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      double each = random.nextGaussian();
      squares += each * each;
    }
    return normal / Math.sqrt(squares / 3);
  }

  /// Returns the part of `samples` intervals that cover the truth.
  double coverage(int days, int samples, SplittableRandom random) {
    int covered = 0;
    for (int i = 0; i < samples; i++) {
      Difference difference = draw(days, random);
      covered += difference.isAboveZero() || difference.isBelowZero() ? 0 : 1;
    }
    return (double) covered / samples;
  }
}
