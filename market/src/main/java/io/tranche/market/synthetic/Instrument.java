package io.tranche.market.synthetic;

import java.util.Locale;

/// The properties of one instrument.
///
/// @param price its first price, to which the nights pull it back
/// @param volatility its long-run daily volatility, as a fraction
/// @param lots its usual volume of a day
/// @param spread its usual spread as a fraction of the price
record Instrument(int number, double price, double volatility, double lots, double spread) {

  static Instrument draw(long seed, int number) {
    var draws = Stream.INSTRUMENT.of(seed, number, 0);
    return new Instrument(
        number,
        draws.logUniform(20, 200),
        0.013 * StrictMath.exp(0.2 * draws.normal()),
        draws.logUniform(20_000, 400_000),
        draws.logUniform(0.0003, 0.0012));
  }

  static String code(int number) {
    return String.format(Locale.ROOT, "SYN%04d", number);
  }
}
