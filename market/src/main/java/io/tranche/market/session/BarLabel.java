package io.tranche.market.session;

import java.util.Locale;

/// Which moment of a bar its time is.
public enum BarLabel {
  START,
  END;

  /// Reads `start` or `end`.
  ///
  /// @throws IllegalArgumentException if `text` is neither
  public static BarLabel parse(String text) {
    return switch (text) {
      case "start" -> START;
      case "end" -> END;
      default ->
          throw new IllegalArgumentException("label must be start or end, was '" + text + "'");
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
