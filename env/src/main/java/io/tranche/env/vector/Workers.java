package io.tranche.env.vector;

import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Problem;
import java.util.ArrayList;
import java.util.List;

/// The environments of a vector and the threads that step them. All slots have been answered, or
/// have failed, when a method returns.
final class Workers<I, O extends Observation> implements AutoCloseable {

  private final List<EnvWrapper<I, ?, ?, O>> environments = new ArrayList<>();
  private final ParallelFor threads;
  private final ParallelFor.Work begin = (item, _) -> begin(asked().get(item));
  private final ParallelFor.Work step = (item, _) -> step(asked().get(item));
  private List<Slot<I, O>> asked = List.of();

  Workers(Problem<I, ?, ?, O> problem, VectorConfig config, int threads) {
    for (int id = 0; id < config.size(); id++) {
      environments.add(problem.open(new LogCollector(config.logLevel())));
    }
    this.threads = new ParallelFor(Math.min(threads, config.size()));
  }

  private List<Slot<I, O>> asked() {
    return asked;
  }

  void begin(List<Slot<I, O>> slots) {
    asked = slots;
    threads.run(slots.size(), begin);
  }

  void step(List<Slot<I, O>> slots) {
    asked = slots;
    threads.run(slots.size(), step);
  }

  private void begin(Slot<I, O> slot) {
    try {
      slot.begun(environments.get(slot.id).begin(slot.initialState()));
    } catch (Throwable e) { // reported with the slot: the driver decides
      slot.failed(e);
    }
  }

  private void step(Slot<I, O> slot) {
    try {
      slot.stepped(environments.get(slot.id).step(slot.action()));
    } catch (Throwable e) { // as above
      slot.failed(e);
    }
  }

  @Override
  public void close() {
    threads.close();
  }
}
