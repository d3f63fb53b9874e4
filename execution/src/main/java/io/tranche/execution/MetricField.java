package io.tranche.execution;

import java.util.function.ToDoubleFunction;

/// A user-defined field in the metrics of an order; it appears in logs and files.
///
/// @param name its key in logs and files
/// @param value computes it from the finished order's state, whose metrics have all other fields
public record MetricField(String name, ToDoubleFunction<ExecutionState> value) {

  public MetricField {
    if (name.isBlank()) {
      throw new IllegalArgumentException("name must not be blank, was '" + name + "'");
    }
  }
}
