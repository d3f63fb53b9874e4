package io.tranche.execution.catalog;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;

/// Qlib's defaults for backtest configurations. Qlib: `get_backtest_config_fromfile`.
public final class BacktestDefaults {

  private static final ConfigNode DEFAULTS =
      defaults(
          """
          debug_single_stock: null
          debug_single_day: null
          concurrency: -1
          multiplier: 1.0
          output_dir: outputs_backtest/
          generate_report: false
          data_granularity: 1min
          """);

  private static final ConfigNode EXCHANGE_DEFAULTS =
      defaults(
          """
          open_cost: 0.0005
          close_cost: 0.0015
          min_cost: 5.0
          trade_unit: 100.0
          cash_limit: null
          """);

  private BacktestDefaults() {}

  /// Returns `config` with Qlib's defaults, and with the lists of its exchange turned into tuples.
  ///
  /// @throws ConfigException if there is no mapping `exchange`, which may be empty
  public static ConfigNode applyTo(ConfigNode config) {
    ConfigNode exchange = config.required("exchange").mergedInto(EXCHANGE_DEFAULTS).withTuples();
    return config.with("exchange", exchange).mergedInto(DEFAULTS);
  }

  private static ConfigNode defaults(String yaml) {
    return ConfigFiles.parse("Qlib's defaults", yaml);
  }
}
