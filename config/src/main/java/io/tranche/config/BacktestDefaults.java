package io.tranche.config;

import java.util.LinkedHashMap;

/// What Qlib fills in where a backtest configuration is silent. Qlib:
/// `get_backtest_config_fromfile`.
public final class BacktestDefaults {

  private static final Tree.Mapping DEFAULTS =
      mapping(
          """
          debug_single_stock: null
          debug_single_day: null
          concurrency: -1
          multiplier: 1.0
          output_dir: outputs_backtest/
          generate_report: false
          data_granularity: 1min
          """);

  private static final Tree.Mapping EXCHANGE_DEFAULTS =
      mapping(
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
    ConfigNode exchange = config.required("exchange");
    if (!(config.tree() instanceof Tree.Mapping all)
        || !(exchange.tree() instanceof Tree.Mapping given)) {
      throw exchange.wrong("a mapping");
    }
    Tree filled = tuples(Tree.merge(given, EXCHANGE_DEFAULTS, exchange.path()));
    return new ConfigNode(
        Tree.merge(all.with("exchange", filled), DEFAULTS, config.path()), config.path());
  }

  /// Turns the lists that stand directly in a mapping into tuples; lists within lists stay.
  private static Tree tuples(Tree.Mapping mapping) {
    var changed = new LinkedHashMap<String, Tree>();
    mapping
        .entries()
        .forEach(
            (key, value) ->
                changed.put(
                    key,
                    switch (value) {
                      case Tree.Sequence(var items, _, Origin origin) ->
                          new Tree.Sequence(items, true, origin);
                      case Tree.Mapping inner -> tuples(inner);
                      case Tree.Scalar scalar -> scalar;
                    }));
    return new Tree.Mapping(changed, mapping.origin());
  }

  private static Tree.Mapping mapping(String yaml) {
    return (Tree.Mapping) YamlReader.read("Qlib's defaults", yaml);
  }
}
