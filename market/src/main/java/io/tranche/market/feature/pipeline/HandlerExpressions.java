package io.tranche.market.feature.pipeline;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The expressions of Qlib's two high-frequency handlers, by column name and in column order.
///
/// A day is a number of bars here. Today's prices are divided by the last close two days back,
/// yesterday's (`_1`) by the last close one day back; volumes by the mean bar of thirty days. The
/// first two days of what was loaded are cut off.
public final class HandlerExpressions {

  private static final int VOLUME_DAYS = 30;

  private HandlerExpressions() {}

  /// Returns prices, prices of yesterday, volume, volume of yesterday.
  ///
  /// Qlib: `HighFreqGeneralHandler`.
  ///
  /// @param prices price fields with their dollar sign
  public static Map<String, String> features(List<String> prices, int dayLength) {
    var expressions = new LinkedHashMap<String, String>();
    for (String price : prices) {
      String today = orElse(price, "$close");
      expressions.put(price, relative(today, 2 * dayLength, dayLength));
    }
    for (String price : prices) {
      String yesterday = ref(orElse(price, "$close"), dayLength);
      expressions.put(price + "_1", relative(yesterday, dayLength, dayLength));
    }
    String meanBar = ref("DayLast(Mean($volume, " + VOLUME_DAYS * dayLength + "))", dayLength);
    String today = "$volume/" + meanBar;
    String yesterday = ref("$volume", dayLength) + "/" + meanBar;
    expressions.put("$volume", cut(orElse(today, "0"), dayLength));
    expressions.put("$volume_1", cut(orElse(yesterday, "0"), dayLength));
    return expressions;
  }

  /// Returns the columns that a backtest trades against: close, vwap if wanted, volume.
  ///
  /// Qlib: `HighFreqGeneralBacktestHandler`.
  public static Map<String, String> backtest(boolean vwap, int dayLength) {
    var expressions = new LinkedHashMap<String, String>();
    expressions.put("$close0", cut("FFillNan($close)", dayLength));
    if (vwap) {
      expressions.put("$vwap0", cut(orElse("$vwap", "FFillNan($close)"), dayLength));
    }
    expressions.put("$volume0", cut(orElse("$volume", "0"), dayLength));
    return expressions;
  }

  /// Returns the columns of [#backtest] without prices where there is no bar: there is nothing to
  /// trade at.
  static Map<String, String> traded(boolean vwap, int dayLength) {
    var expressions = new LinkedHashMap<String, String>();
    expressions.put("$close0", cut("$close", dayLength));
    if (vwap) {
      expressions.put("$vwap0", cut("$vwap", dayLength));
    }
    expressions.put("$volume0", cut(orElse("$volume", "0"), dayLength));
    return expressions;
  }

  private static String relative(String price, int bars, int dayLength) {
    return cut(
        "FFillNan(%s/DayLast(%s))".formatted(price, ref("FFillNan($close)", bars)), dayLength);
  }

  private static String orElse(String value, String otherwise) {
    return "If(IsNull(%s), %s, %s)".formatted(value, otherwise, value);
  }

  private static String ref(String value, int bars) {
    return "Ref(%s, %d)".formatted(value, bars);
  }

  private static String cut(String value, int dayLength) {
    return "Cut(%s, %d, None)".formatted(value, 2 * dayLength);
  }
}
