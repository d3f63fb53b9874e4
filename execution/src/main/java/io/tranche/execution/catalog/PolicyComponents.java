package io.tranche.execution.catalog;

import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.env.AllOne;
import io.tranche.env.Policy;
import io.tranche.execution.baseline.AlmgrenChrissBaseline;
import io.tranche.execution.baseline.FrontLoadedBaseline;
import io.tranche.execution.baseline.ImmediateBaseline;
import io.tranche.execution.baseline.LearnedVolume;
import io.tranche.execution.baseline.PovBaseline;
import io.tranche.execution.baseline.TwapBaseline;
import io.tranche.execution.baseline.VolumeCurve;
import io.tranche.execution.baseline.VolumeHistory;
import io.tranche.execution.baseline.VwapBaseline;
import io.tranche.market.BarSource;
import java.util.List;

/// Policies that need no training, by name.
final class PolicyComponents {

  private static final int DAYS_OF_VOLUME = 10;

  private PolicyComponents() {}

  static List<Component<Policy<?>>> all(BarSource bars) {
    return new ComponentRows<>(ExecutionCatalog.POLICY)
        .qlib(
            List.of("qlib.rl.order_execution.policy", "qlib.rl.order_execution"),
            "AllOne",
            "always the same action",
            settings -> AllOne.from(settings),
            "fill_value")
        .own("TwapBaseline", "evenly until the end", _ -> new TwapBaseline(), "")
        .own("ImmediateBaseline", "everything at once", _ -> new ImmediateBaseline(), "")
        .own(
            "FrontLoadedBaseline",
            "early, as a power of the time that is left",
            s -> new FrontLoadedBaseline(s.required("urgency").asNumberIn(1, Double.MAX_VALUE)),
            "urgency")
        .own(
            "AlmgrenChrissBaseline",
            "least cost plus variance under linear impact",
            PolicyComponents::almgrenChriss,
            "risk_aversion volatility temporary_impact permanent_impact")
        .own(
            "VwapBaseline",
            "as the market usually trades",
            settings -> new VwapBaseline(curve(settings, bars)),
            "days curve")
        .own(
            "PovBaseline",
            "a fixed share of the market's volume",
            s -> new PovBaseline(participation(s.required("participation")), curve(s, bars)),
            "participation days curve")
        .all();
  }

  private static AlmgrenChrissBaseline almgrenChriss(ConfigNode settings) {
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

  private static double participation(ConfigNode node) {
    if (!(node.asDouble() > 0 && node.asDouble() <= 1)) {
      throw node.wrong("a fraction in (0, 1]");
    }
    return node.asDouble();
  }

  /// The mean of some days before, or what is learnt from more of them and from today.
  private static VolumeCurve curve(ConfigNode settings, BarSource bars) {
    ConfigNode curve = settings.optional("curve");
    if (curve == null || curve.asText().equals("average")) {
      return new VolumeHistory(bars, settings.countOr("days", DAYS_OF_VOLUME));
    }
    if (!curve.asText().equals("learned")) {
      throw curve.wrong("average or learned");
    }
    if (settings.has("days")) {
      throw settings.required("days").wrong("no days: a learned curve takes as many as it needs");
    }
    return new LearnedVolume(bars);
  }
}
