package io.tranche.work.decide;

import io.tranche.backtest.ChildOrder.Kind;
import java.time.LocalDateTime;
import org.jspecify.annotations.Nullable;

/// A decision.
///
/// @param id of the order
/// @param time the start of the tick before which it was taken
/// @param step of the order, from 0
/// @param volume of the child order until the next decision
/// @param remaining the unfilled volume of the order
/// @param choice of the model; -1 if unknown
/// @param source who decided
/// @param limited the name of the limit that reduced it; null for none
public record OrderDecision(
    String id,
    String instrument,
    LocalDateTime time,
    int step,
    double volume,
    Kind kind,
    double remaining,
    int choice,
    DecisionMaker.Source source,
    @Nullable String limited) {

  /// @param other -1 if unknown
  public OrderDecision withChoice(int other) {
    return new OrderDecision(
        id, instrument, time, step, volume, kind, remaining, other, source, limited);
  }
}
