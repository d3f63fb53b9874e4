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

/// Action interpreters by name.
final class ActionComponents {

  private static final List<String> MODULES =
      List.of("qlib.rl.order_execution.interpreter", "qlib.rl.order_execution");

  /// More would be a mistake or an attack on memory.
  private static final int MAX_SHARES = 10_000;

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
            _ -> new TwapRelativeInterpreter(Estimate.TICKS),
            "")
        .own(
            "QuoteInterpreter",
            "an action is a volume and a price: shares and offsets_bps, or max_offset_bps",
            ActionComponents::quote,
            "shares offsets_bps max_offset_bps")
        .own(
            "VolumeInterpreter",
            "an action is the volume to trade",
            _ -> new VolumeInterpreter(),
            "")
        .all();
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
      settings.rejectUnknown(List.of("max_offset_bps"));
      return new QuoteInterpreter(new QuoteInterpreter.Dial(maxOffset.asNotNegative()));
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

  private static Kind kind(ConfigNode node) {
    return switch (node.scalar()) {
      case String text when text.equals("market") -> new Kind.Market();
      case Double _, Long _ -> new Kind.Limit(node.asDouble());
      case null, default -> throw node.wrong("market or a number");
    };
  }
}
