package io.tranche.work.backtest;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.config.ConfigNode;
import io.tranche.execution.catalog.BacktestSettings;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.store.QlibProviders;
import io.tranche.market.store.QlibStore;
import io.tranche.work.ConfigPaths;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A backtest as Qlib's configuration file describes it. Qlib: `qlib.rl.contrib.backtest`.
///
/// [#from] is the only code that reads such a configuration. The exchange and the strategies stay
/// described, because [BacktestSettings] can make them only once the store is open.
///
/// @param config with Qlib's defaults; addresses of other file systems replaced by local copies
/// @param policies the strategies that ask a policy
/// @param concurrency the number of threads; -1 means all cores, -2 all but one, as in joblib
/// @param folder for the results
public record BacktestPlan(
    ConfigNode config,
    OrderChoice orders,
    Frequency granularity,
    QlibProviders providers,
    List<PolicyLevel> policies,
    int concurrency,
    Path folder) {

  /// Which orders to run.
  ///
  /// @param where the place of the setting that names the file, for errors
  /// @param file null if the orders are not in a file
  /// @param start when an order without a time starts
  /// @param end when an order without a time ends
  /// @param multiplier of all amounts
  /// @param instrument the only one to run; null for all
  /// @param day the only one to run; null for all
  public record OrderChoice(
      String where,
      @Nullable Path file,
      LocalTime start,
      LocalTime end,
      double multiplier,
      @Nullable String instrument,
      @Nullable LocalDate day) {

    boolean wants(Order order) {
      return (instrument == null || order.instrument().equals(instrument))
          && (day == null || order.date().equals(day));
    }
  }

  static final String WEIGHTS = "weight_file";

  private static final String STRATEGIES = "strategies";
  private static final String OUTERMOST = "1day";
  private static final String REPORT = "generate_report";

  private static final List<String> KEYS =
      List.of(
          "order_file",
          "start_time",
          "end_time",
          "data_granularity",
          "qlib",
          "exchange",
          STRATEGIES,
          "concurrency",
          "output_dir",
          REPORT,
          "debug_single_stock",
          "debug_single_day",
          "multiplier");

  public BacktestPlan {
    policies = List.copyOf(policies);
  }

  /// Whether every fill and step is written, as with `--logs`.
  boolean reports() {
    return config.required(REPORT).asBoolean();
  }

  /// Whether `config` describes a backtest, not a training run.
  public static boolean isOne(ConfigNode config) {
    return config.optional(STRATEGIES) != null;
  }

  /// Reads a configuration as it is in the file. Paths are relative to the working directory.
  ///
  /// @param warnings receives one line for each thing that is ignored
  /// @throws ConfigException if a setting is missing or wrong
  public static BacktestPlan from(ConfigNode given, Consumer<String> warnings) {
    given.warnUnknown(KEYS, warnings);
    ConfigNode config = BacktestSettings.withDefaults(ConfigPaths.staged(given));
    ConfigNode report = config.required(REPORT);
    if (report.asBoolean()) {
      warnings.accept(
          "%s: what report.pkl has is in %s; no pickle is written"
              .formatted(report.where(), String.join(", ", LogFiles.NAMES)));
    }
    config.required("qlib").keys().stream()
        .filter(key -> key.startsWith("feature_"))
        .map(key -> config.required("qlib").required(key).where())
        .forEach(
            where ->
                warnings.accept(
                    where
                        + ": has no effect, as in Qlib; the columns of a policy come from its"
                        + " processed_data_provider"));
    Frequency granularity = BacktestSettings.granularity(config);
    int minutesPerTick = granularity.isDay() ? 0 : granularity.seconds() / 60;
    ConfigNode strategies = config.required(STRATEGIES);
    List<PolicyLevel> policies =
        strategies.keys().stream()
            .map(level -> PolicyLevel.from(level, strategies.required(level), minutesPerTick))
            .filter(Objects::nonNull)
            .toList();
    return new BacktestPlan(
        config,
        orders(config),
        granularity,
        providers(config.required("qlib"), granularity),
        policies,
        concurrency(config.required("concurrency")),
        config.required("output_dir").asPath(Path.of("")));
  }

  private static QlibProviders providers(ConfigNode qlib, Frequency granularity) {
    QlibProviders providers = BacktestSettings.providers(qlib);
    if (!providers.roots().containsKey(granularity)) {
      throw new ConfigException(
          qlib.where(),
          "provider_uri_%s, the bars that data_granularity asks for".formatted(granularity),
          providers.roots().isEmpty() ? "none" : providers.keys());
    }
    return providers;
  }

  private static OrderChoice orders(ConfigNode config) {
    ConfigNode file = config.optional("order_file");
    ConfigNode instrument = config.optional("debug_single_stock");
    return new OrderChoice(
        file == null ? config.where() + ": order_file" : file.where(),
        file == null ? null : file.asPath(Path.of("")),
        BacktestSettings.time(config, "start_time"),
        BacktestSettings.time(config, "end_time"),
        config.numberInOr("multiplier", 1, Double.MIN_NORMAL, Double.MAX_VALUE),
        instrument == null ? null : instrument.asText(),
        day(config.optional("debug_single_day")));
  }

  private static @Nullable LocalDate day(@Nullable ConfigNode node) {
    try {
      return node == null ? null : LocalDate.parse(node.asText());
    } catch (DateTimeParseException e) {
      throw node.wrong("a date such as 2021-03-02");
    }
  }

  private static int concurrency(ConfigNode node) {
    if (node.asInt() == 0) {
      throw node.wrong("a number of threads, or -1 for all cores");
    }
    return node.asInt();
  }

  /// Returns the configuration for another process, which has another working directory.
  ConfigNode toConfig() {
    return ConfigPaths.absolute(config);
  }

  /// Opens the store of the bars that orders are filled from.
  ///
  /// @throws io.tranche.market.DataException if there is no such store
  public QlibStore store() {
    return providers.store(granularity);
  }

  /// Returns this backtest with TWAP, as Qlib does it, in the place of the outermost strategy.
  public BacktestPlan withTwap() {
    return withOutermost(ConfigFiles.of("TWAP", Map.of("class", "TWAPStrategy")));
  }

  /// Returns this backtest with the weights in `file` for the policy of the outermost strategy.
  ///
  /// @throws ConfigException if the outermost strategy has no policy
  public BacktestPlan withWeights(Path file) {
    ConfigNode strategy = config.required(STRATEGIES).required(OUTERMOST);
    ConfigNode settings = strategy.required("kwargs");
    ConfigNode policy = settings.required("policy");
    ConfigNode own = policy.optional("kwargs");
    ConfigNode weighted =
        (own == null ? ConfigFiles.of("kwargs", Map.of()) : own)
            .with(WEIGHTS, ConfigFiles.of("checkpoint", file.toString()));
    return withOutermost(
        strategy.with("kwargs", settings.with("policy", policy.with("kwargs", weighted))));
  }

  private BacktestPlan withOutermost(ConfigNode strategy) {
    return from(
        config.with(STRATEGIES, config.required(STRATEGIES).with(OUTERMOST, strategy)), _ -> {});
  }
}
