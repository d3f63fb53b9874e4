package io.tranche.serving.app;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigNode;
import io.tranche.serving.ServiceConfig;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the section `engine` of a configuration.
final class EngineSettings {

  private EngineSettings() {}

  /// Returns `base` changed by the settings in `node`.
  ///
  /// @throws ConfigException if a key is unknown or a value is wrong
  static ServiceConfig over(ServiceConfig base, ConfigNode node) {
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
            "drift"));
    ConfigNode limits = node.written("limits");
    ConfigNode rollback = node.written("rollback");
    ConfigNode drift = node.written("drift");
    try {
      return new ServiceConfig(
          base.models(),
          base.journal(),
          base.session(),
          base.frequency(),
          bounds(base.bounds(), node),
          limits == null ? base.limits() : limits(limits),
          rollback == null ? base.rollback() : rollback(rollback),
          drift == null ? base.drift() : drift(drift));
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

  private static ServiceConfig.Limits limits(ConfigNode node) {
    node.rejectUnknown(
        List.of("slice", "slice_share", "participation", "participation_bars", "band_bps"));
    return new ServiceConfig.Limits(
        numberOrNull(node, "slice"),
        numberOrNull(node, "slice_share"),
        numberOrNull(node, "participation"),
        node.intOr("participation_bars", ServiceConfig.Limits.NONE.participationBars()),
        numberOrNull(node, "band_bps"));
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
    ConfigNode value = node.written(key);
    return value == null ? fallback : value.asLong();
  }

  private static @Nullable Double numberOrNull(ConfigNode node, String key) {
    ConfigNode value = node.written(key);
    return value == null ? null : (Double) value.asDouble();
  }
}
