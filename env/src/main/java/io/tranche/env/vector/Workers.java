package io.tranche.env.vector;

import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The environments of a vector and the threads that step them. All slots have been answered, or
/// have failed, when a method returns.
final class Workers<I, O extends Observation> implements AutoCloseable {

  private final List<EnvWrapper<I, ?, ?, O>> environments = new ArrayList<>();
  private final Crew crew;

  Workers(Problem<I, ?, ?, O> problem, VectorConfig config, int threads) {
    for (int id = 0; id < config.size(); id++) {
      environments.add(problem.open(new LogCollector(config.logLevel())));
    }
    crew = new Crew(Math.min(threads, config.size()));
  }

  void begin(List<Slot<I, O>> slots) {
    run(slots, slot -> slot.begun(environments.get(slot.id).begin(slot.initialState())));
  }

  void step(List<Slot<I, O>> slots) {
    run(slots, slot -> slot.stepped(environments.get(slot.id).step(slot.action())));
  }

  private void run(List<Slot<I, O>> slots, Consumer<Slot<I, O>> work) {
    crew.run(
        slots.size(),
        (from, to) -> {
          for (int i = from; i < to; i++) {
            Slot<I, O> slot = slots.get(i);
            try {
              work.accept(slot);
            } catch (Throwable e) { // a worker's roof: the driver decides, and must never wait
              slot.failed(e);
            }
          }
        });
  }

  @Override
  public void close() {
    crew.close();
  }
}
