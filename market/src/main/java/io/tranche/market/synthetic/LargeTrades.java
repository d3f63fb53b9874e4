package io.tranche.market.synthetic;

/// The large trades of [Law#REVERSAL]: which bars have one, and how far they move the price.
final class LargeTrades {

  /// The probability that a bar has one: three on a usual day of 5-minute bars.
  static final double CHANCE = 1 / 16.0;

  /// How much larger a bar's volume is with one.
  static final double VOLUME = 8;

  private static final double MOVE = 4; // of a bar with one, in units of one without

  /// Moves without and with a large trade, so that the variance of the day stays what it is.
  static final double USUAL_MOVE = 1 / Math.sqrt(1 - CHANCE + CHANCE * MOVE * MOVE);

  static final double LARGE_MOVE = MOVE * USUAL_MOVE;

  /// Halfway between the logarithms of the usual volume and that with a large trade, and a little
  /// more: moves raise the volume too.
  private static final double LEAST = 3.5;

  private LargeTrades() {}

  /// Whether everyone would say that a bar had one.
  ///
  /// @param usual volume of this bar; the volume of a missing bar is NaN
  static boolean isLarge(float volume, double usual) {
    return volume > LEAST * usual;
  }
}
