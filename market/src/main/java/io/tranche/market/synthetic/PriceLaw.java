package io.tranche.market.synthetic;

import io.tranche.market.synthetic.IntradayLaw.DayType;

/// How a number `h` that everyone can see moves the price on one kind of day, in units of the day's
/// volatility. From bar to bar
///
/// - the price is expected to rise by `pull h`,
/// - `h` becomes `keep h`, and with the probability `chance` `(keep + answer) h + noise e`, `e`
///   standard normal.
final class PriceLaw {

  private final double pull;
  private final double keep;
  private final double answer;
  private final double chance;
  private final double[] noise;

  private PriceLaw(
      double pull, double keep, double answer, double chance, double[] noise) {
    this.pull = pull;
    this.keep = keep;
    this.answer = answer;
    this.chance = chance;
    this.noise = noise;
  }

  /// Returns come back, or go on, through the pulse.
  static PriceLaw pulse(IntradayLaw law, DayType type) {
    double pull = law.pull(type);
    return new PriceLaw(pull, law.decay(), pull, 1, noise(law, 1));
  }

  /// Only the returns of bars with large trades come back.
  static PriceLaw reversal(IntradayLaw law) {
    double pull = law.pull(IntradayLaw.REVERSAL);
    return new PriceLaw(
        pull, law.decay(), pull, LargeTrades.CHANCE, noise(law, LargeTrades.LARGE_MOVE));
  }

  /// The pulse of another instrument pulls this one.
  static PriceLaw following(IntradayLaw law) {
    return new PriceLaw(law.pull(IntradayLaw.FOLLOWING), law.decay(), 0, 1, noise(law, 1));
  }

  /// The lean of the book, of unit variance at every bar.
  static PriceLaw flow(IntradayLaw law) {
    double[] noise = new double[law.bars()];
    for (int bar = 0; bar < noise.length; bar++) {
      noise[bar] = bar == 0 ? 1 : Math.sqrt(1 - law.decay() * law.decay());
    }
    return new PriceLaw(law.pull(IntradayLaw.PRESSURE), law.decay(), 0, 1, noise);
  }

  /// Nothing predicts the price.
  static PriceLaw silent(IntradayLaw law) {
    return new PriceLaw(0, law.decay(), 0, 1, noise(law, 1));
  }

  private static double[] noise(IntradayLaw law, double factor) {
    double[] noise = new double[law.bars()];
    for (int bar = 0; bar < noise.length; bar++) {
      noise[bar] = factor * law.volatility(bar);
    }
    return noise;
  }

  int bars() {
    return noise.length;
  }

  double pull() {
    return pull;
  }

  double keep() {
    return keep;
  }

  /// What becomes of `h` where there is something new.
  double persistence() {
    return keep + answer;
  }

  /// What is expected of `h`.
  double expectedPersistence() {
    return chance == 1 ? persistence() : keep + chance * answer;
  }

  double chance() {
    return chance;
  }

  double noise(int bar) {
    return noise[bar];
  }
}
