package io.tranche.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.ChildOrder.Kind;
import io.tranche.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// How far an agent may trade away from TWAP, as its own record out of sample supports it.
///
/// The volume of each child order moves from what TWAP would trade towards what the agent wants. An
/// agent without a guard is one of size 1. Not to be confused with the risk checks of the service,
/// which limit what any decision may send out.
///
/// @param size 0 for TWAP, 1 for the agent, and a part of the way between
/// @param reason the record that supports it, in one sentence without a full stop
public record DeviationGuard(double size, String reason) {

  private static final String SIZE = "size";
  private static final String REASON = "reason";

  public DeviationGuard {
    if (!(size >= 0 && size <= 1)) {
      throw new IllegalArgumentException("size must be in [0, 1], was " + size);
    }
  }

  public boolean isTwap() {
    return size == 0;
  }

  /// Returns the volume to trade in the next step. Hot path: allocates nothing.
  ///
  /// @param isLast whether no decision follows
  /// @param wanted the agent's volume
  public double volume(StepProgress progress, boolean isLast, double wanted) {
    if (size == 1) {
      return wanted;
    }
    double even = even(progress, isLast);
    double possible = Math.clamp(wanted, 0, progress.remaining());
    return size == 0 ? even : even + size * (possible - even);
  }

  /// Returns what TWAP trades in the next step: evenly over the ticks that are left.
  public static double even(StepProgress progress, boolean isLast) {
    double remaining = progress.remaining();
    return isLast
        ? remaining
        : remaining
            * (progress.stepEnd() - progress.tick())
            / (progress.endTick() - progress.tick());
  }

  /// Returns how to trade the volume. TWAP trades at the market, and so does a part of TWAP where
  /// the agent would trade nothing.
  public Kind kind(Kind wanted) {
    return size == 0 || (size < 1 && wanted instanceof Kind.Cancel) ? Kind.MARKET : wanted;
  }

  /// Returns what is sent to the market instead of what the agent wants.
  public ChildOrder limit(ExecutionState state, ChildOrder wanted) {
    if (size == 1) {
      return wanted;
    }
    boolean isLast = state.stepEnd() >= state.endTick();
    return new ChildOrder(volume(state, isLast, wanted.volume()), kind(wanted.kind()));
  }

  /// Returns this as settings, which [#from] reads.
  public Map<String, Object> describe() {
    var settings = new LinkedHashMap<String, Object>();
    settings.put(SIZE, size);
    settings.put(REASON, reason);
    return settings;
  }

  /// @throws io.tranche.config.ConfigException if it is no guard
  public static DeviationGuard from(ConfigNode node) {
    node.rejectUnknown(List.of(SIZE, REASON));
    ConfigNode size = node.required(SIZE);
    if (!(size.asDouble() >= 0 && size.asDouble() <= 1)) {
      throw size.wrong("a size from 0, which is TWAP, to 1, which is the agent");
    }
    return new DeviationGuard(size.asDouble(), node.required(REASON).asText());
  }

  @Override
  public String toString() {
    String what =
        size == 0
            ? "TWAP"
            : size == 1
                ? "all of the agent's deviation"
                : String.format(Locale.ROOT, "%.0f %% of the agent's deviation", 100 * size);
    return "%s (%s)".formatted(what, reason);
  }
}
