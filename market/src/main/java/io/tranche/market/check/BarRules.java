package io.tranche.market.check;

import java.util.List;
import java.util.Locale;

/// The rules that one bar must obey, in any file format.
final class BarRules {

  /// Receives broken rules.
  @FunctionalInterface
  interface Broken {
    void by(Rule rule, int field, double value);
  }

  private enum Role {
    PRICE,
    QUOTE,
    VOLUME,
    OTHER
  }

  private final Role[] roles;
  private final int open;
  private final int high;
  private final int low;
  private final int close;
  private final int volume;

  /// @param fields in lower case, without dollar sign
  BarRules(List<String> fields) {
    boolean features = areFeatures(fields);
    this.roles =
        fields.stream().map(field -> features ? Role.OTHER : role(field)).toArray(Role[]::new);
    this.open = features ? -1 : fields.indexOf("open");
    this.high = features ? -1 : fields.indexOf("high");
    this.low = features ? -1 : fields.indexOf("low");
    this.close = features ? -1 : fields.indexOf("close");
    this.volume = features ? -1 : fields.indexOf("volume");
  }

  /// Whether these are normalised features. Qlib names them like the bars they were computed from;
  /// they hold yesterday's values beside today's, and are not prices or volumes.
  private static boolean areFeatures(List<String> fields) {
    return fields.stream().anyMatch(field -> fields.contains(field + "_1"));
  }

  private static Role role(String field) {
    String name = field.toLowerCase(Locale.ROOT);
    return switch (name) {
      case "open", "high", "low", "close", "vwap" -> Role.PRICE;
      case "volume", "amount", "money", "turnover" -> Role.VOLUME;
      default -> {
        if (name.startsWith("bidv") || name.startsWith("askv")) {
          yield Role.VOLUME;
        }
        yield name.startsWith("bid") || name.startsWith("ask") ? Role.QUOTE : Role.OTHER;
      }
    };
  }

  /// Whether a bar without a value in `field` is useless.
  boolean isVital(int field) {
    return roles[field] == Role.PRICE || field == volume;
  }

  /// Checks one bar; `values` has one value per field, NaN where there is none.
  void check(double[] values, Broken broken) {
    for (int field = 0; field < values.length; field++) {
      double value = values[field];
      if (Double.isInfinite(value)) {
        broken.by(Rule.INFINITE_VALUE, field, value);
      }
      switch (roles[field]) {
        case PRICE -> {
          if (value < 0) {
            broken.by(Rule.NEGATIVE_PRICE, field, value);
          } else if (value == 0) {
            broken.by(Rule.ZERO_PRICE, field, value);
          }
        }
        case QUOTE -> { // zero: no quote, as on days locked at the price limit
          if (value < 0) {
            broken.by(Rule.NEGATIVE_PRICE, field, value);
          }
        }
        case VOLUME -> {
          if (value < 0) {
            broken.by(Rule.NEGATIVE_VOLUME, field, value);
          }
        }
        case OTHER -> {}
      }
    }
    checkRange(values, broken);
  }

  private void checkRange(double[] values, Broken broken) {
    double top = high < 0 ? Double.NaN : values[high];
    double bottom = low < 0 ? Double.NaN : values[low];
    if (top < bottom) {
      broken.by(Rule.HIGH_BELOW_LOW, high, top);
      return; // open and close cannot be within an empty range
    }
    if (open >= 0 && (values[open] > top || values[open] < bottom)) {
      broken.by(Rule.OPEN_OUTSIDE_RANGE, open, values[open]);
    }
    if (close >= 0 && (values[close] > top || values[close] < bottom)) {
      broken.by(Rule.CLOSE_OUTSIDE_RANGE, close, values[close]);
    }
    if (volume >= 0 && values[volume] == 0 && top > bottom) {
      broken.by(Rule.TRADE_WITHOUT_VOLUME, volume, 0);
    }
  }
}
