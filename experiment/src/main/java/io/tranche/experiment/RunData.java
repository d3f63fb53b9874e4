package io.tranche.experiment;

import io.tranche.config.ConfigNode;
import io.tranche.market.Order;
import io.tranche.market.order.OrderSplit.Tag;
import io.tranche.trainer.InitialStates;

/// What a run works on, ready to be read.
///
/// @param environment the settings of the problem, as
///   [io.tranche.execution.catalog.OrderExecutionSpec] takes them
public record RunData(ConfigNode environment, Orders orders) {

  /// The orders of each stage.
  @FunctionalInterface
  public interface Orders {

    /// @throws io.tranche.market.DataException if there are none, or they are no orders
    InitialStates<Order> of(Tag stage);
  }

  /// Where data come from that may have to be made first.
  @FunctionalInterface
  public interface Source {

    /// @param run where data that are made are put
    RunData prepare(RunDirectory run, RunListener listener);
  }
}
