package io.tranche.env.vector;

import io.tranche.env.Observation;
import java.util.List;

/// Who does the work of a vector. All slots have been answered, or have failed, when a method
/// returns.
sealed interface Workers<I, O extends Observation> extends AutoCloseable
    permits ThreadWorkers, ChildWorkers {

  void begin(List<Slot<I, O>> slots);

  void step(List<Slot<I, O>> slots);

  @Override
  void close();
}
