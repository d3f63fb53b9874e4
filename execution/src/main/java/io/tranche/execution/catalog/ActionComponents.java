package io.tranche.execution.catalog;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.config.Component;
import io.tranche.config.ConfigNode;
import io.tranche.env.ActionInterpreter;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.CategoricalInterpreter;
import io.tranche.execution.interpreter.QuoteInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter;
import io.tranche.execution.interpreter.TwapRelativeInterpreter.Estimate;
import io.tranche.execution.interpreter.VolumeInterpreter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Action interpreters by name.
final class ActionComponents {

  private static final List<String> MODULES =
      List.of("qlib.rl.order_execution.interpreter", "qlib.rl.order_execution");

  /// More would be a mistake or an attack on memory.
  private static final int MAX_SHARES = 10_000;

  /// Below a twentieth of the TWAP rate a quote is not worth its place in the queue.
  private static final double DEFAULT_CANCEL_BELOW = 0.05;

  private ActionComponents() {}

  static List<Component<ActionInterpreter<ExecutionState, ChildOrder>>> all() {
    return new ComponentRows<>(ExecutionCatalog.ACTION_INTERPRETER)
        .qlib(
            MODULES,
            "CategoricalActionInterpreter",
            "a discrete action is a share of the whole order",
            ActionComponents::qlibCategorical,
            "values max_step")
        .qlib(
            MODULES,
            "TwapRelativeActionInterpreter",
            "a continuous action is a multiple of the TWAP rate, by whole steps",
            _ -> new TwapRelativeInterpreter(Estimate.WHOLE_STEPS),
            "")
        .own(
            "CategoricalInterpreter",
            "a discrete action is a share of the whole order",
            settings -> CategoricalInterpreter.of(soundShares(settings.required("shares"))),
            "shares")
        .own(
            "TwapRelativeInterpreter",
            "a continuous action is a multiple of the TWAP rate, by ticks",
            ActionComponents::twapRelative,
            "max_rate")
        .own(
            "QuoteInterpreter",
            "an action is a volume and a price: shares and offsets_bps, or max_offset_bps",
            ActionComponents::quote,
            "shares offsets_bps max_offset_bps max_rate cancel_below")
        .own(
            "VolumeInterpreter",
            "a continuous action is the volume to trade, or a share of the whole order",
            ActionComponents::volume,
            "max_volume max_share")
        .all();
  }

  /// Returns an interpreter as a native configuration names it; null if none does.
  static @Nullable ConfigNode describe(ActionInterpreter<ExecutionState, ChildOrder> actions) {
    return switch (actions) {
      case CategoricalInterpreter(var shares, Integer maxSteps)
          when maxSteps == null && shares.stream().allMatch(each -> each >= 0 && each <= 1) ->
          ExecutionCatalog.named("CategoricalInterpreter", Map.of("shares", shares));
      case TwapRelativeInterpreter rates when rates.estimate() == Estimate.TICKS ->
          ExecutionCatalog.named("TwapRelativeInterpreter", bound("max_rate", rates.maxRate()));
      case VolumeInterpreter volumes ->
          ExecutionCatalog.named(
              "VolumeInterpreter",
              bound(volumes.isShare() ? "max_share" : "max_volume", volumes.most()));
      case QuoteInterpreter quotes ->
          ExecutionCatalog.named("QuoteInterpreter", describe(quotes.quoting()));
      default -> null;
    };
  }

  private static Map<String, Object> bound(String key, double most) {
    return Double.isInfinite(most) ? Map.of() : Map.of(key, most);
  }

  private static Map<String, Object> describe(QuoteInterpreter.Quoting quoting) {
    return switch (quoting) {
      case QuoteInterpreter.Menu(var shares, var kinds) ->
          new TreeMap<>(
              Map.of(
                  "shares",
                  shares,
                  "offsets_bps",
                  kinds.stream()
                      .<Object>map(kind -> kind instanceof Kind.Limit(double bps) ? bps : "market")
                      .toList()));
      case QuoteInterpreter.Dial(double most) -> Map.of("max_offset_bps", most);
      case QuoteInterpreter.Dials(double rate, double most, double cancels) ->
          new TreeMap<>(Map.of("max_offset_bps", most, "max_rate", rate, "cancel_below", cancels));
    };
  }

  private static CategoricalInterpreter qlibCategorical(ConfigNode settings) {
    ConfigNode values = settings.required("values");
    ConfigNode maxSteps = settings.optional("max_step");
    return new CategoricalInterpreter(
        values.isList() ? shares(values, -Double.MAX_VALUE, Double.MAX_VALUE) : even(values),
        maxSteps == null ? null : maxSteps.asCount());
  }

  private static List<Double> soundShares(ConfigNode node) {
    return node.isList() ? shares(node, 0, 1) : even(node);
  }

  private static List<Double> even(ConfigNode node) {
    if (node.asCount() > MAX_SHARES) {
      throw node.wrong("at most %d shares".formatted(MAX_SHARES));
    }
    return CategoricalInterpreter.evenShares(node.asCount());
  }

  private static List<Double> shares(ConfigNode list, double low, double high) {
    List<Double> shares = list.asList().stream().map(item -> item.asNumberIn(low, high)).toList();
    if (shares.isEmpty()) {
      throw list.wrong("at least one share");
    }
    return shares;
  }

  private static QuoteInterpreter quote(ConfigNode settings) {
    ConfigNode maxOffset = settings.optional("max_offset_bps");
    if (maxOffset != null) {
      settings.rejectUnknown(List.of("max_offset_bps", "max_rate", "cancel_below"));
      return new QuoteInterpreter(dials(settings, maxOffset.asNotNegative()));
    }
    settings.rejectUnknown(List.of("shares", "offsets_bps"));
    ConfigNode offsets = settings.required("offsets_bps");
    List<Kind> kinds = offsets.asList().stream().map(ActionComponents::kind).toList();
    if (kinds.isEmpty()) {
      throw offsets.wrong("at least one of market and numbers");
    }
    return new QuoteInterpreter(
        new QuoteInterpreter.Menu(soundShares(settings.required("shares")), kinds));
  }

  private static QuoteInterpreter.Quoting dials(ConfigNode settings, double maxOffsetBps) {
    ConfigNode maxRate = settings.optional("max_rate");
    ConfigNode cancelBelow = settings.optional("cancel_below");
    if (maxRate == null && cancelBelow == null) {
      return new QuoteInterpreter.Dial(maxOffsetBps);
    }
    if (maxRate == null) {
      throw settings.required("cancel_below").wrong("cancel_below only together with max_rate");
    }
    double cancels = cancelBelow == null ? DEFAULT_CANCEL_BELOW : cancelBelow.asNumberIn(0, 1);
    if (cancelBelow != null && cancels == 1) {
      throw cancelBelow.wrong("a number in [0, 1)");
    }
    return new QuoteInterpreter.Dials(rate(maxRate), maxOffsetBps, cancels);
  }

  private static double rate(ConfigNode node) {
    double rate = node.asDouble();
    if (!(rate > 1 && rate < Double.POSITIVE_INFINITY)) {
      throw node.wrong("a finite number above 1");
    }
    return rate;
  }

  private static TwapRelativeInterpreter twapRelative(ConfigNode settings) {
    ConfigNode maxRate = settings.optional("max_rate");
    return maxRate == null
        ? new TwapRelativeInterpreter(Estimate.TICKS)
        : TwapRelativeInterpreter.upTo(rate(maxRate));
  }

  private static VolumeInterpreter volume(ConfigNode settings) {
    ConfigNode maxVolume = settings.optional("max_volume");
    ConfigNode maxShare = settings.optional("max_share");
    if (maxVolume != null && maxShare != null) {
      throw maxShare.wrong("either max_volume or max_share");
    }
    if (maxShare != null) {
      if (maxShare.asNumberIn(0, 1) == 0) {
        throw maxShare.wrong("a number in (0, 1]");
      }
      return VolumeInterpreter.shares(maxShare.asDouble());
    }
    if (maxVolume == null) {
      return new VolumeInterpreter();
    }
    if (!(maxVolume.asNotNegative() > 0)) {
      throw maxVolume.wrong("a positive number");
    }
    return VolumeInterpreter.upTo(maxVolume.asDouble());
  }

  private static Kind kind(ConfigNode node) {
    return switch (node.scalar()) {
      case String text when text.equals("market") -> new Kind.Market();
      case Double _, Long _ -> new Kind.Limit(node.asDouble());
      case null, default -> throw node.wrong("market or a number");
    };
  }
}
