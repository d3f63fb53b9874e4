package io.tranche.market.feature.pipeline;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarTime;
import io.tranche.market.feature.pipeline.GroupStatistics.Deviation;
import java.time.DateTimeException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Which features to compute from which bars.
///
/// All times are [BarTime] seconds; ranges include both ends.
///
/// @param start the first bar wanted is at or after this
/// @param end the last bar wanted is at or before this
/// @param fitStart the first bar used for the statistics is at or after this
/// @param fitEnd the last bar used for the statistics is at or before this
/// @param dayLength bars per trading day, as expressions count them; 0 for those of the session
/// @param prices the price fields, with their dollar sign
/// @param groups how many of the columns, in column order, are normalised together, by name; a
///   group whose name ends in `volume` is normalised after taking logarithms
/// @param deviation what normalised values are divided by
/// @param backtestVwap whether the backtest columns include the average price
/// @param instruments the codes wanted; empty for all that the source has
/// @param isWholeWindow whether an instrument must have features from the first bar of the window
///   to the last; otherwise it needs some
public record FeatureConfig(
    long start,
    long end,
    long fitStart,
    long fitEnd,
    int dayLength,
    List<String> prices,
    Map<String, Integer> groups,
    Deviation deviation,
    boolean backtestVwap,
    List<String> instruments,
    Rules rules,
    boolean isWholeWindow) {

  /// What a day is to features.
  public enum Rules {
    /// Each trading day of an instrument's session has all ticks of the session, those without bars
    /// being missing; prices are adjusted where bars have a factor.
    NATIVE,
    /// A day is a number of bars of the one calendar, and prices are as they are.
    QLIB
  }

  private static final List<String> KEYS =
      List.of(
          "start", "end",
          "fit_start", "fit_end",
          "day_length", "columns",
          "norm_groups", "deviation",
          "backtest_vwap", "instruments",
          "rules", "whole_window");

  private static final String SESSION = "session";

  private static final Pattern FIELD = Pattern.compile("\\$[a-z][a-z0-9_]*");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");
  private static final int LONGEST_DAY = BarTime.SECONDS_A_DAY;

  /// Makes a configuration with Qlib's rules, of all instruments, with statistics of the whole
  /// window.
  ///
  /// @throws ConfigException if the parts are inconsistent
  public static FeatureConfig qlib(
      long start, long end, int dayLength, List<String> prices, Map<String, Integer> groups) {
    return new FeatureConfig(
        start,
        end,
        start,
        end,
        dayLength,
        prices,
        groups,
        Deviation.OF_ABSOLUTE_DISTANCES,
        false,
        List.of(),
        Rules.QLIB,
        true);
  }

  /// @throws ConfigException if the parts are inconsistent
  public FeatureConfig {
    prices = List.copyOf(prices);
    groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
    instruments = List.copyOf(instruments);
    require(start <= end, "end", "a time after " + BarTime.format(start), BarTime.format(end));
    require(
        start <= fitEnd && fitStart <= fitEnd && fitStart <= end,
        "fit_end",
        "a fit window within the features' window",
        BarTime.format(fitStart) + " .. " + BarTime.format(fitEnd));
    require(
        dayLength <= LONGEST_DAY && (dayLength >= 1 || (dayLength == 0 && rules == Rules.NATIVE)),
        "day_length",
        "bars per day in [1, %d]".formatted(LONGEST_DAY),
        dayLength);
    require(!prices.isEmpty(), "columns", "at least one price field", prices);
    for (String price : prices) {
      require(
          FIELD.matcher(price).matches() && !price.equals("$volume"),
          "columns",
          "price fields like $close, in lower case; $volume is always there",
          price);
    }
    require(prices.stream().distinct().count() == prices.size(), "columns", "each once", prices);
    groups.forEach(
        (name, size) ->
            require(
                NAME.matcher(name).matches() && size > 0,
                "norm_groups." + name,
                "a name and a number of columns",
                size));
    int columns = 2 * prices.size() + 2;
    require(
        groups.values().stream().mapToLong(Integer::longValue).sum() == columns,
        "norm_groups",
        "groups of %d columns in all".formatted(columns),
        groups);
  }

  private static void require(boolean holds, String path, String expected, Object found) {
    if (!holds) {
      throw new ConfigException(path, expected, found);
    }
  }

  /// Reads what [#toConfig] returns. A date alone means its first second in `start` and
  /// `fit_start`, its last in `end` and `fit_end`; `fit_start` and `fit_end` default to the whole
  /// window.
  ///
  /// @throws ConfigException if something is missing, unknown or inconsistent
  public static FeatureConfig from(ConfigNode node) {
    return from(node, Rules.NATIVE);
  }

  /// @param usual the rules if none are written
  static FeatureConfig from(ConfigNode node, Rules usual) {
    node.rejectUnknown(KEYS);
    ConfigNode stated = node.written("rules");
    Rules rules =
        stated == null
            ? usual
            : Rules.valueOf(stated.asChoice(List.of("native", "qlib")).toUpperCase(Locale.ROOT));
    Map<String, Integer> groups = groups(node.required("norm_groups"));
    ConfigNode fitStart = node.written("fit_start");
    ConfigNode fitEnd = node.written("fit_end");
    long start = time(node.required("start"), false);
    long end = time(node.required("end"), true);
    long firstFit = fitStart == null ? start : time(fitStart, false);
    long lastFit = fitEnd == null ? end : time(fitEnd, true);
    int dayLength = dayLength(node, rules);
    List<String> prices = node.required("columns").asTexts();
    Deviation deviation = deviation(node);
    boolean vwap = node.booleanOr("backtest_vwap", false);
    List<String> codes =
        node.has("instruments") ? node.required("instruments").asTexts() : List.of();
    try {
      return new FeatureConfig(
          start,
          end,
          firstFit,
          lastFit,
          dayLength,
          prices,
          groups,
          deviation,
          vwap,
          codes,
          rules,
          node.booleanOr("whole_window", rules == Rules.QLIB));
    } catch (ConfigException e) {
      throw ConfigException.madeElsewhere(node.where() + ": " + e.getMessage());
    }
  }

  private static int dayLength(ConfigNode node, Rules rules) {
    ConfigNode stated =
        rules == Rules.QLIB ? node.required("day_length") : node.written("day_length");
    if (stated == null || (rules == Rules.NATIVE && SESSION.equals(stated.scalar()))) {
      return 0;
    }
    if (stated.asInt() < 1) {
      throw stated.wrong("bars per day in [1, %d]".formatted(LONGEST_DAY));
    }
    return stated.asInt();
  }

  static Map<String, Integer> groups(ConfigNode sizes) {
    var groups = new LinkedHashMap<String, Integer>();
    sizes.keys().forEach(name -> groups.put(name, sizes.required(name).asInt()));
    return groups;
  }

  /// Returns this with statistics of the bars from `first` to `last`.
  public FeatureConfig withFit(long first, long last) {
    return with(
        draft -> {
          draft.fitStart = first;
          draft.fitEnd = last;
        });
  }

  public FeatureConfig withDeviation(Deviation other) {
    return with(draft -> draft.deviation = other);
  }

  public FeatureConfig withBacktestVwap(boolean isIncluded) {
    return with(draft -> draft.backtestVwap = isIncluded);
  }

  /// Returns this configuration for some instruments only.
  public FeatureConfig withInstruments(List<String> codes) {
    return with(draft -> draft.instruments = codes);
  }

  private FeatureConfig with(Consumer<Draft> change) {
    var draft = new Draft();
    change.accept(draft);
    return draft.toCopy();
  }

  /// A copy under change.
  private final class Draft {
    long fitStart = FeatureConfig.this.fitStart;
    long fitEnd = FeatureConfig.this.fitEnd;
    Deviation deviation = FeatureConfig.this.deviation;
    boolean backtestVwap = FeatureConfig.this.backtestVwap;
    List<String> instruments = FeatureConfig.this.instruments;

    FeatureConfig toCopy() {
      return new FeatureConfig(
          start,
          end,
          fitStart,
          fitEnd,
          dayLength,
          prices,
          groups,
          deviation,
          backtestVwap,
          instruments,
          rules,
          isWholeWindow);
    }
  }

  /// Returns this as a configuration; equal values give equal texts.
  public ConfigNode toConfig() {
    var values = new LinkedHashMap<String, Object>();
    values.put("start", BarTime.format(start));
    values.put("end", BarTime.format(end));
    values.put("fit_start", BarTime.format(fitStart));
    values.put("fit_end", BarTime.format(fitEnd));
    values.put("day_length", dayLength == 0 ? SESSION : dayLength);
    values.put("columns", prices);
    values.put("norm_groups", groups);
    values.put("deviation", deviation.name().toLowerCase(Locale.ROOT));
    values.put("backtest_vwap", backtestVwap);
    values.put("instruments", instruments);
    values.put("rules", rules.name().toLowerCase(Locale.ROOT));
    values.put("whole_window", isWholeWindow);
    return ConfigFiles.of("features", values);
  }

  private static Deviation deviation(ConfigNode node) {
    ConfigNode value = node.written("deviation");
    if (value == null) {
      return Deviation.STANDARD;
    }
    for (Deviation deviation : Deviation.values()) {
      if (deviation.name().toLowerCase(Locale.ROOT).equals(value.asText())) {
        return deviation;
      }
    }
    throw value.wrong("standard or of_absolute_distances");
  }

  /// @param lastSecond whether a date alone means its last second
  static long time(ConfigNode node, boolean lastSecond) {
    String text = node.asText();
    try {
      long time = BarTime.parse(text);
      boolean dateAlone = text.strip().length() == 10;
      return dateAlone && lastSecond ? time + BarTime.SECONDS_A_DAY - 1 : time;
    } catch (DateTimeException e) {
      throw node.wrong("a date or a time like 2021-03-01 09:30:00");
    }
  }
}
