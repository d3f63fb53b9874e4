package io.tranche.serving.app;

import io.tranche.config.ConfigNode;
import io.tranche.serving.Limit;
import io.tranche.serving.Request;
import io.tranche.serving.RiskLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the section `engine.limits`: limits of everything, and under `accounts` and `instruments`
/// those of each, where `*` stands for all that have none of their own.
final class LimitsConfig {

  /// The word for a service without limits.
  static final String NONE = "none";

  private static final String ACCOUNTS = "accounts";
  private static final String INSTRUMENTS = "instruments";

  private LimitsConfig() {}

  static List<Request.SetLimits> from(ConfigNode node) {
    if (!node.isMapping()) {
      var _ = node.asChoice(List.of(NONE));
      return List.of();
    }
    var all = new ArrayList<Request.SetLimits>();
    RiskLimits desk = limits(node, List.of(ACCOUNTS, INSTRUMENTS));
    if (!desk.values().isEmpty()) {
      all.add(new Request.SetLimits(Request.Scope.ALL, null, desk));
    }
    add(all, node.written(ACCOUNTS), Request.Scope.ACCOUNT);
    add(all, node.written(INSTRUMENTS), Request.Scope.INSTRUMENT);
    if (all.isEmpty()) {
      throw node.wrong("limits, or '%s' for a service without limits".formatted(NONE));
    }
    return all;
  }

  private static void add(
      List<Request.SetLimits> all, @Nullable ConfigNode named, Request.Scope scope) {
    if (named != null) {
      for (String name : named.keys()) {
        all.add(new Request.SetLimits(scope, name, limits(named.required(name), List.of())));
      }
    }
  }

  private static RiskLimits limits(ConfigNode node, List<String> others) {
    var keys = new ArrayList<>(others);
    Arrays.stream(Limit.values()).map(Limit::key).forEach(keys::add);
    node.rejectUnknown(keys);
    Map<Limit, Double> values = new EnumMap<>(Limit.class);
    for (Limit limit : Limit.values()) {
      ConfigNode value = node.written(limit.key());
      if (value != null) {
        values.put(limit, value.asDouble());
      }
    }
    try {
      return new RiskLimits(values);
    } catch (IllegalArgumentException e) {
      throw node.wrong(String.valueOf(e.getMessage()));
    }
  }
}
