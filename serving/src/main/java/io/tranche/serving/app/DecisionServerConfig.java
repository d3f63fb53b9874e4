package io.tranche.serving.app;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.runtime.BundleFile;
import io.tranche.runtime.BundleSignature;
import io.tranche.runtime.ModelSpec;
import io.tranche.serving.ServiceConfig;
import io.tranche.serving.http.HttpConfig;
import io.tranche.serving.http.ServiceLog;
import io.tranche.serving.predict.PredictConfig;
import java.nio.file.Path;
import java.security.PublicKey;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The configuration of a service with its HTTP server.
///
/// @param models the names of the models to load at the start; new orders go to the first, unless
///   the journal has a route
/// @param traces a file for OpenTelemetry's spans; null for none
public record DecisionServerConfig(
    ServiceConfig engine,
    HttpConfig http,
    PredictConfig predict,
    ServiceLog.Level level,
    List<String> models,
    @Nullable Path traces) {

  public DecisionServerConfig {
    models = List.copyOf(models);
  }

  /// Returns the configuration for bundles and a configuration file.
  ///
  /// @param bundles at least one; all in one folder, which is the model folder
  /// @param node with `http`, `predict`, `engine`, `journal`, `log` and `traces`; `engine.limits` is needed
  /// @param base the folder that relative paths start from
  /// @throws ConfigException if the configuration is wrong
  /// @throws CheckpointException if the first bundle is damaged
  public static DecisionServerConfig of(List<Path> bundles, ConfigNode node, Path base) {
    node.rejectUnknown(List.of("http", "predict", "engine", "journal", "log", "traces"));
    Path folder = folder(bundles.getFirst());
    List<String> names = bundles.stream().map(each -> name(each, folder)).toList();
    ModelSpec spec = BundleFile.read(bundles.getFirst()).spec();
    Path journal = valueOr(node, "journal", Path.of("journal"), each -> each.asPath(base));
    var engine =
        ServiceConfig.of(folder, journal, spec.session(), spec.frequency())
            .withSessions(spec.sessions());
    ConfigNode settings = node.written("engine");
    if (settings == null || settings.written("limits") == null) {
      throw new ConfigException(
          "engine.limits",
          "limits, or '%s' for a service without limits".formatted(LimitsConfig.NONE),
          "missing");
    }
    HttpConfig http =
        valueOr(node, "http", HttpConfig.DEFAULT, each -> HttpConfig.from(each, base));
    if (settings.booleanOr("two_people", false) && !http.users().areNamed()) {
      throw new ConfigException(
          "http.users_file", "a file of users, because engine.two_people tells them apart", "none");
    }
    return new DecisionServerConfig(
        over(engine, settings, base),
        http,
        valueOr(node, "predict", PredictConfig.DEFAULT, PredictConfig::from),
        valueOr(node, "log", ServiceLog.Level.INFO, DecisionServerConfig::level),
        names,
        DecisionServerConfig.<@Nullable Path>valueOr(
            node, "traces", null, each -> each.asPath(base)));
  }

  private static <T extends @Nullable Object> T valueOr(
      ConfigNode node, String key, T fallback, Function<ConfigNode, T> reader) {
    ConfigNode value = node.written(key);
    return value == null ? fallback : reader.apply(value);
  }

  private static String name(Path bundle, Path folder) {
    String file = String.valueOf(bundle.getFileName());
    if (!file.endsWith(BundleFile.SUFFIX)) {
      throw new CheckpointException(
          bundle.toString(), "a model bundle, whose name ends with " + BundleFile.SUFFIX, file);
    }
    if (!folder.equals(folder(bundle))) {
      throw new ConfigException("BUNDLE", "all bundles in the folder of the first", bundle);
    }
    return file.substring(0, file.length() - BundleFile.SUFFIX.length());
  }

  private static Path folder(Path bundle) {
    Path folder = bundle.toAbsolutePath().normalize().getParent();
    if (folder == null) {
      throw new CheckpointException(bundle.toString(), "a model bundle", "no file");
    }
    return folder;
  }

  private static ServiceLog.Level level(ConfigNode log) {
    String name = log.asChoice(List.of("error", "warn", "info", "debug"));
    return ServiceLog.Level.valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Returns `base` changed by the settings in `node`, the section `engine`.
  ///
  /// @param folder that relative paths start from
  private static ServiceConfig over(ServiceConfig base, ConfigNode node, Path folder) {
    node.rejectUnknown(
        List.of(
            "workers",
            "queue",
            "deadline_micros",
            "reserve_micros",
            "max_orders",
            "max_instruments",
            "days_kept",
            "segment_bytes",
            "max_waiting",
            "stall_micros",
            "limits",
            "rollback",
            "drift",
            "clock",
            "days_ahead",
            "gap_minutes",
            "needs_earlier_days",
            "archive_days",
            "await_cancels",
            "closed_dates",
            "weekends",
            "two_people",
            "signers"));
    try {
      return new ServiceConfig(
          base.models(),
          base.journal(),
          base.session(),
          base.sessions(),
          base.frequency(),
          bounds(base.bounds(), node),
          valueOr(node, "limits", base.limits(), LimitsConfig::from),
          rules(base.rules(), node, folder));
    } catch (IllegalArgumentException e) {
      throw node.wrong(String.valueOf(e.getMessage()));
    }
  }

  private static ServiceConfig.Bounds bounds(ServiceConfig.Bounds base, ConfigNode node) {
    return new ServiceConfig.Bounds(
        node.intOr("workers", base.workers()),
        node.intOr("queue", base.queue()),
        longOr(node, "deadline_micros", base.deadlineMicros()),
        longOr(node, "reserve_micros", base.reserveMicros()),
        node.intOr("max_orders", base.maxOrders()),
        node.intOr("max_instruments", base.maxInstruments()),
        node.intOr("days_kept", base.daysKept()),
        longOr(node, "segment_bytes", base.segmentBytes()),
        node.intOr("max_waiting", base.maxWaiting()),
        longOr(node, "stall_micros", base.stallMicros()));
  }

  private static ServiceConfig.ClockRules clock(ServiceConfig.ClockRules base, ConfigNode node) {
    return new ServiceConfig.ClockRules(
        valueOr(node, "clock", base.zone(), DecisionServerConfig::zone),
        node.intOr("days_ahead", base.daysAhead()),
        node.intOr("gap_minutes", base.gapMinutes()));
  }

  private static @Nullable ZoneId zone(ConfigNode node) {
    String text = node.asText();
    try {
      return text.equals("bars") ? null : ZoneId.of(text);
    } catch (DateTimeException _) {
      throw node.wrong("'bars', or the exchange's time zone such as Asia/Shanghai");
    }
  }

  private static ServiceConfig.Rules rules(
      ServiceConfig.Rules base, ConfigNode node, Path folder) {
    return new ServiceConfig.Rules(
        valueOr(node, "rollback", base.rollback(), DecisionServerConfig::rollback),
        valueOr(node, "drift", base.drift(), DecisionServerConfig::drift),
        clock(base.clock(), node),
        Duration.ofDays(longOr(node, "archive_days", base.retention().toDays())),
        node.booleanOr("needs_earlier_days", base.needsEarlierDays()),
        node.booleanOr("await_cancels", base.awaitsCancels()),
        new ServiceConfig.TradingDates(
            valueOr(node, "closed_dates", base.dates().closed(), DecisionServerConfig::dates),
            node.booleanOr("weekends", base.dates().weekends())),
        new ServiceConfig.Trust(
            node.booleanOr("two_people", base.trust().needsTwoPeople()),
            valueOr(node, "signers", base.trust().signers(), each -> signers(each, folder))));
  }

  private static List<PublicKey> signers(ConfigNode node, Path folder) {
    return node.asList().stream()
        .map(each -> BundleSignature.publicKey(each.asPath(folder)))
        .toList();
  }

  private static Set<LocalDate> dates(ConfigNode node) {
    return node.asList().stream().map(DecisionServerConfig::date).collect(Collectors.toSet());
  }

  private static LocalDate date(ConfigNode node) {
    try {
      return LocalDate.parse(node.asText());
    } catch (DateTimeException _) {
      throw node.wrong("a date such as 2026-01-31");
    }
  }

  private static ServiceConfig.Rollback rollback(ConfigNode node) {
    node.rejectUnknown(List.of("window", "error_rate", "miss_rate", "p99_micros"));
    var or = ServiceConfig.Rollback.DEFAULT;
    ConfigNode p99 = node.written("p99_micros");
    return new ServiceConfig.Rollback(
        node.intOr("window", or.window()),
        node.doubleOr("error_rate", or.errorRate()),
        node.doubleOr("miss_rate", or.missRate()),
        p99 == null ? or.p99Micros() : (Long) p99.asLong());
  }

  private static ServiceConfig.DriftRules drift(ConfigNode node) {
    node.rejectUnknown(List.of("rows", "feature_limit", "decisions", "action_limit", "rolls_back"));
    var or = ServiceConfig.DriftRules.DEFAULT;
    return new ServiceConfig.DriftRules(
        node.intOr("rows", or.rows()),
        node.doubleOr("feature_limit", or.featureLimit()),
        node.intOr("decisions", or.decisions()),
        node.doubleOr("action_limit", or.actionLimit()),
        node.booleanOr("rolls_back", or.rollsBack()));
  }

  private static long longOr(ConfigNode node, String key, long fallback) {
    return valueOr(node, key, fallback, ConfigNode::asLong);
  }
}
