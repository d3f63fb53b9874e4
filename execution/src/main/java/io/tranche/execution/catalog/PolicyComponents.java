package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.env.AllOne;
import io.tranche.env.Policy;
import io.tranche.execution.baseline.AlmgrenChrissBaseline;
import io.tranche.execution.baseline.FrontLoadedBaseline;
import io.tranche.execution.baseline.ImmediateBaseline;
import io.tranche.execution.baseline.PovBaseline;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.execution.baseline.VolumeHistory;
import io.tranche.execution.baseline.VwapBaseline;
import io.tranche.market.BarSource;
import java.util.List;
import java.util.function.Function;

/// Policies that need no training, by name.
final class PolicyComponents {

  private static final int DAYS_OF_VOLUME = 10;

  private PolicyComponents() {}

  static List<Component<Policy<?>>> all(BarSource bars) {
    return List.of(
        new Component<>(
            ExecutionCatalog.POLICY,
            "AllOne",
            List.of("qlib.rl.order_execution.policy", "qlib.rl.order_execution"),
            "always the same action",
            settings -> AllOne.from(settings)),
        own(
            "TwapBaseline",
            "evenly until the end",
            settings -> plain(settings, new TwapBaseline())),
        own("ImmediateBaseline", "everything at once", s -> plain(s, new ImmediateBaseline())),
        own(
            "FrontLoadedBaseline",
            "early, as a power of the time that is left",
            PolicyComponents::frontLoaded),
        own(
            "AlmgrenChrissBaseline",
            "least cost plus variance under linear impact",
            PolicyComponents::almgrenChriss),
        own("VwapBaseline", "as the market usually trades", settings -> vwap(settings, bars)),
        own(
            "PovBaseline",
            "a fixed share of the market's volume",
            settings -> pov(settings, bars)));
  }

  private static Component<Policy<?>> own(
      String name, String summary, Function<ConfigNode, Policy<?>> maker) {
    return Component.of(ExecutionCatalog.POLICY, name, summary, maker);
  }

  private static Policy<?> plain(ConfigNode settings, Policy<?> policy) {
    settings.rejectUnknown(List.of());
    return policy;
  }

  private static Policy<?> frontLoaded(ConfigNode settings) {
    settings.rejectUnknown(List.of("urgency"));
    return new FrontLoadedBaseline(settings.required("urgency").asNumberIn(1, Double.MAX_VALUE));
  }

  private static Policy<?> almgrenChriss(ConfigNode settings) {
    settings.rejectUnknown(
        List.of("risk_aversion", "volatility", "temporary_impact", "permanent_impact"));
    double permanent = settings.notNegativeOr("permanent_impact", 0);
    ConfigNode temporary = settings.required("temporary_impact");
    if (!(temporary.asDouble() > permanent / 2)) {
      throw temporary.wrong("more than half of permanent_impact");
    }
    return new AlmgrenChrissBaseline(
        settings.required("risk_aversion").asNotNegative(),
        settings.required("volatility").asNotNegative(),
        temporary.asDouble(),
        permanent);
  }

  private static Policy<?> vwap(ConfigNode settings, BarSource bars) {
    settings.rejectUnknown(List.of("days"));
    return new VwapBaseline(history(settings, bars));
  }

  private static Policy<?> pov(ConfigNode settings, BarSource bars) {
    settings.rejectUnknown(List.of("participation", "days"));
    return new PovBaseline(
        participation(settings.required("participation")), history(settings, bars));
  }

  private static double participation(ConfigNode node) {
    if (!(node.asDouble() > 0 && node.asDouble() <= 1)) {
      throw node.wrong("a fraction in (0, 1]");
    }
    return node.asDouble();
  }

  private static VolumeHistory history(ConfigNode settings, BarSource bars) {
    return new VolumeHistory(bars, settings.countOr("days", DAYS_OF_VOLUME));
  }
}
