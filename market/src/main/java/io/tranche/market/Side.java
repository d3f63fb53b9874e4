package io.tranche.market;

import java.util.Locale;

/// Which way an order trades. Qlib: `OrderDir`.
public enum Side {
  SELL,
  BUY;

  /// Returns +1 for a buy and -1 for a sell.
  public int sign() {
    return this == BUY ? 1 : -1;
  }

  /// Returns Qlib's number: 0 for a sell, 1 for a buy.
  public int code() {
    return this == BUY ? 1 : 0;
  }

  /// @throws IllegalArgumentException if `code` is neither 0 nor 1
  public static Side ofCode(int code) {
    return switch (code) {
      case 0 -> SELL;
      case 1 -> BUY;
      default -> throw new IllegalArgumentException("side must be 0 or 1, was " + code);
    };
  }

  /// Reads `buy` or `sell`, ignoring case and outer blanks.
  ///
  /// @throws IllegalArgumentException if `text` is neither
  public static Side parse(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "buy" -> BUY;
      case "sell" -> SELL;
      default -> throw new IllegalArgumentException("side must be buy or sell, was '" + text + "'");
    };
  }

  /// Returns how much better `filledPrice` is than `baseline` for this side, in basis points.
  public double advantageBps(double filledPrice, double baseline) {
    double ratio = filledPrice / baseline;
    return 10_000
        * switch (this) {
          case BUY -> 1 - ratio;
          case SELL -> ratio - 1;
        };
  }
}
