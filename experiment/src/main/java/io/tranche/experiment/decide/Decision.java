package io.tranche.experiment.decide;

import io.tranche.backtest.ChildOrder.Kind;
import java.time.LocalDateTime;

/// One decision that was taken.
///
/// @param id of the order
/// @param time the start of the tick before which it was taken
/// @param step of the order, from 0
/// @param volume how much the child order is to trade until the next decision
/// @param remaining what was not filled of the order
/// @param choice of the model
public record Decision(
    String id,
    String instrument,
    LocalDateTime time,
    int step,
    double volume,
    Kind kind,
    double remaining,
    int choice) {}
