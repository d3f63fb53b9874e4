package io.tranche.execution;

import java.util.function.ToDoubleFunction;

/// A field of the user's own in the metrics of an order, carried into logs and files.
///
/// @param name its key there
/// @param value works it out of the finished order's state, whose metrics have all other fields
public record MetricField(String name, ToDoubleFunction<ExecutionState> value) {

  public MetricField {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name must not be blank, was '" + name + "'");
    }
  }
}
