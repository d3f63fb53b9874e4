package io.tranche.execution;

import io.tranche.env.Observation;
import io.tranche.env.StateInterpreter;
import io.tranche.market.DataException;
import io.tranche.market.Order;

/// A state interpreter that can show orders before they begin, so that a policy can compute what
/// the observations of an order share, such as the encoding of its day, for many orders at once.
///
/// @param <O> the observation
public interface PreviewingInterpreter<O extends Observation>
    extends StateInterpreter<ExecutionState, O> {

  /// Returns what `order` looks like before its day begins.
  ///
  /// @throws DataException if the data of its day are damaged or missing
  O preview(Order order);
}
