package io.tranche.execution.catalog;

import io.tranche.backtest.exchange.Account;
import io.tranche.backtest.executor.ExecutorConfig;
import io.tranche.backtest.executor.ExecutorConfig.LevelConfig;
import io.tranche.backtest.executor.Strategy;
import io.tranche.backtest.executor.TradeRange;
import io.tranche.backtest.run.BacktestConfig;
import io.tranche.config.Catalog;
import io.tranche.config.ComponentSpec;
import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.store.QlibProviders;
import io.tranche.market.store.QlibRegion;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads a backtest from Qlib's configuration files. The caller reads the settings of orders, data
/// and output.
public final class BacktestSettings {

  /// The benchmark of Qlib's account with limited cash.
  private static final String BENCHMARK = "SH000300";

  private static final ConfigNode DEFAULTS = ConfigFiles.of("Qlib's defaults", defaults());

  private static final ConfigNode EXCHANGE_DEFAULTS =
      ConfigFiles.of("Qlib's defaults", exchangeDefaults());

  private static final DateTimeFormatter HALF_DAY =
      DateTimeFormatter.ofPattern("hh:mm[:ss]a", Locale.ROOT);

  private BacktestSettings() {}

  private static Map<String, @Nullable Object> defaults() {
    var defaults = new LinkedHashMap<String, @Nullable Object>();
    defaults.put("debug_single_stock", null);
    defaults.put("debug_single_day", null);
    defaults.put("concurrency", -1);
    defaults.put("multiplier", 1.0);
    defaults.put("output_dir", "outputs_backtest/");
    defaults.put("generate_report", false);
    defaults.put("data_granularity", "1min");
    return defaults;
  }

  private static Map<String, @Nullable Object> exchangeDefaults() {
    var defaults = new LinkedHashMap<String, @Nullable Object>();
    defaults.put("open_cost", 0.0005);
    defaults.put("close_cost", 0.0015);
    defaults.put("min_cost", 5.0);
    defaults.put("trade_unit", 100.0);
    defaults.put("cash_limit", null);
    return defaults;
  }

  /// Returns `config` with Qlib's defaults, and with the lists of its exchange turned into tuples.
  /// Qlib: `get_backtest_config_fromfile`.
  ///
  /// @throws ConfigException if there is no mapping `exchange`, which may be empty
  public static ConfigNode withDefaults(ConfigNode config) {
    ConfigNode exchange = config.required("exchange").mergedInto(EXCHANGE_DEFAULTS).withTuples();
    return config.with("exchange", exchange).mergedInto(DEFAULTS);
  }

  /// @param config as written in a file; [#withDefaults] is applied
  /// @param apart whether each order is run alone. Qlib: `--use_simulator`, which ignores a cash
  ///   limit
  /// @throws ConfigException if a setting is missing or wrong
  public static BacktestConfig qlib(
      ConfigNode config, boolean apart, Catalog<Strategy.Factory> strategies) {
    ConfigNode filled = withDefaults(config);
    ConfigNode exchange = filled.required("exchange");
    Double cash = ExchangeSettings.cashLimit(exchange);
    ExecutorConfig executor =
        ExecutorConfig.qlib(levels(filled.required("strategies"), strategies), granularity(filled))
            .withBuysFirst(cash != null);
    BacktestConfig backtest =
        BacktestConfig.of(ExchangeSettings.qlib(exchange, region(filled)), executor, window(filled))
            .withApart(apart);
    return cash == null || apart
        ? backtest
        : backtest
            .withAccounts(() -> new Account.Limited(cash, Map.of(), false))
            .withBenchmark(BENCHMARK);
  }

  /// Returns the frequency of the quotes: text such as 15min, or a number of minutes.
  public static Frequency granularity(ConfigNode filled) {
    ConfigNode node = filled.written("data_granularity");
    if (node == null) {
      return Frequency.MINUTE;
    }
    boolean isMinutes = !node.isMapping() && !node.isList() && node.scalar() instanceof Long;
    return isMinutes
        ? Frequency.ofMinutes((int) node.asNumberIn(1, BarTime.SECONDS_A_DAY / 60))
        : StrategyComponents.frequency(node);
  }

  /// Returns the time of day under `key`, such as 9:30.
  public static LocalTime time(ConfigNode config, String key) {
    ConfigNode node = config.required(key);
    String text = node.asText().strip().toUpperCase(Locale.ROOT);
    boolean isHalfDay = text.endsWith("AM") || text.endsWith("PM");
    String padded = text.indexOf(':') == 1 ? "0" + text : text;
    try {
      return isHalfDay
          ? LocalTime.parse(padded.replace(" ", ""), HALF_DAY)
          : LocalTime.parse(padded);
    } catch (DateTimeException e) {
      throw node.wrong("a time of day such as 9:30");
    }
  }

  /// Returns the stores that a section `qlib` names; paths are relative to the working directory.
  public static QlibProviders providers(ConfigNode qlib) {
    var values = new LinkedHashMap<String, Object>();
    for (String key : qlib.keys()) {
      if (key.startsWith("provider_uri") || key.equals("region")) {
        ConfigNode node = qlib.optional(key);
        if (node != null) {
          values.put(key, node.isMapping() ? folders(node) : node.scalar());
        }
      }
    }
    return QlibProviders.of(qlib.path(), values, Path.of(""));
  }

  private static Map<String, Object> folders(ConfigNode node) {
    var folders = new LinkedHashMap<String, Object>();
    for (String width : node.keys()) {
      ConfigNode folder = node.optional(width);
      if (folder != null) {
        folders.put(width, folder.asText());
      }
    }
    return folders;
  }

  private static QlibRegion region(ConfigNode config) {
    ConfigNode qlib = config.optional("qlib");
    return qlib == null ? QlibRegion.CN : providers(qlib).region();
  }

  private static TradeRange window(ConfigNode config) {
    LocalTime start = time(config, "start_time");
    LocalTime end = time(config, "end_time");
    if (!start.isBefore(end)) {
      throw config.required("end_time").wrong("a time after start_time, " + start);
    }
    return TradeRange.between(start, end);
  }

  private static List<LevelConfig> levels(ConfigNode node, Catalog<Strategy.Factory> strategies) {
    var levels = new ArrayList<LevelConfig>();
    for (String key : node.keys()) {
      ConfigNode strategy = node.required(key);
      Frequency frequency;
      try {
        frequency = Frequency.parse(key);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new ConfigException(
            strategy.where(), "a frequency of at most a day, such as 30min or 1day", key);
      }
      levels.add(new LevelConfig(key, frequency, strategies.make(ComponentSpec.from(strategy))));
    }
    levels.sort(Comparator.comparing(LevelConfig::frequency).reversed());
    if (levels.isEmpty() || !levels.getFirst().frequency().isDay()) {
      throw node.wrong("a strategy for 1day, the outermost level");
    }
    return levels;
  }
}
