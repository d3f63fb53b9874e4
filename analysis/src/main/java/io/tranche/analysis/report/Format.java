package io.tranche.analysis.report;

import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;

/// Numbers as people read them: the same on every page and in every locale, with no line break
/// before a unit.
final class Format {

  /// Stands for what is not known.
  static final String NONE = "–";

  /// In display order.
  static final List<Side> SIDES = List.of(Side.BUY, Side.SELL);

  private Format() {}

  /// Returns `+1.2`, with a real minus.
  static String bps(double value) {
    return number("%+.1f", value);
  }

  /// Returns `1.2`, for what is not a gain.
  static String cost(double bps) {
    return number("%.1f", bps);
  }

  /// Returns `+0.3 to +2.1`.
  static String interval(Difference difference) {
    return Double.isNaN(difference.low())
        ? NONE
        : bps(difference.low()) + " to " + bps(difference.high());
  }

  static String percent(double fraction) {
    return number("%.1f\u00a0%%", 100 * fraction);
  }

  /// Returns a percentage that may be small, such as `0.031 %`.
  static String finePercent(double fraction) {
    double percent = 100 * fraction;
    return number((percent < 0.1 ? "%.3f" : percent < 10 ? "%.2f" : "%.0f") + "\u00a0%%", percent);
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /// Returns `7 days` or `1 day`.
  static String count(long count, String noun) {
    return count(count) + " " + noun + (count == 1 ? "" : "s");
  }

  /// Returns money or shares, in thousands or millions where there are many.
  static String large(double value) {
    double size = Math.abs(value);
    if (size >= 1e9) {
      return number("%,.1f\u00a0bn", value / 1e9);
    }
    if (size >= 1e6) {
      return number("%,.1f\u00a0m", value / 1e6);
    }
    return number(size >= 1_000 ? "%,.0f" : "%,.1f", value);
  }

  static String price(double value) {
    return number("%,.4f", value);
  }

  static String decimal(double value) {
    return number("%.3f", value);
  }

  /// Returns `Jun 2024`.
  static String month(YearMonth month) {
    return month.getMonth().getDisplayName(TextStyle.SHORT, Locale.ROOT)
        + "\u00a0"
        + month.getYear();
  }

  /// Returns `09:30 to 11:00`.
  static String window(Order order) {
    return order.start().toLocalTime() + " to " + order.end().toLocalTime();
  }

  static String word(Side side) {
    return side == Side.BUY ? "buy" : "sell";
  }

  static String sides(Side side) {
    return side == Side.BUY ? "Buys" : "Sells";
  }

  private static String number(String format, double value) {
    if (!Double.isFinite(value)) {
      return NONE;
    }
    String text = String.format(Locale.ROOT, format, value);
    // A small loss is shown as 0.0, not as -0.0.
    boolean isZero = text.chars().noneMatch(c -> c >= '1' && c <= '9');
    return isZero ? text.replaceAll("^[-+]", "") : text.replace('-', '\u2212');
  }
}
