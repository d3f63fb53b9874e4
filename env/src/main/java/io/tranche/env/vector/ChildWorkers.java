package io.tranche.env.vector;

import io.tranche.env.LogCollector;
import io.tranche.env.Observation;
import io.tranche.env.vector.Wire.Kind;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Environments in child processes, one each. All are asked before the first answer is read, so
/// they work at the same time without a thread each on this side.
final class ChildWorkers<I, O extends Observation> implements Workers<I, O> {

  /// What is done with the body of an answer.
  @FunctionalInterface
  private interface Reader<S> {
    void read(S slot, DataInputStream body) throws IOException;
  }

  private static final long WATCH_NANOS = 20_000_000;

  private final EnvSpec<I, O> spec;
  private final String environment;
  private final VectorConfig config;
  private final ChildConfig childConfig;
  private final StepCodec<O> steps;
  private final List<LogCollector> logs = new ArrayList<>();
  private final AtomicReferenceArray<@Nullable Child> children;
  private final Thread watch;
  private volatile boolean closed;

  ChildWorkers(
      EnvSpec<I, O> spec, String environment, VectorConfig config, ChildConfig childConfig) {
    this.spec = spec;
    this.environment = environment;
    this.config = config;
    this.childConfig = childConfig;
    this.steps = new StepCodec<>(spec.observations());
    this.children = new AtomicReferenceArray<>(config.size());
    for (int id = 0; id < config.size(); id++) {
      logs.add(new LogCollector(config.logLevel()));
    }
    this.watch = Thread.ofPlatform().daemon().name("tranche-env-watch").start(this::watch);
  }

  @Override
  public void begin(List<Slot<I, O>> slots) {
    for (Slot<I, O> slot : slots) {
      if (children.get(slot.id) == null) {
        children.set(slot.id, new Child(childConfig, config.logLevel(), environment));
      }
    }
    for (Slot<I, O> slot : slots) {
      child(slot).awaitReady();
    }
    for (Slot<I, O> slot : slots) {
      ask(slot, Kind.BEGIN, body -> spec.initialStates().write(slot.initialState(), body));
    }
    receive(slots, Kind.BEGUN, (slot, body) -> slot.begun(spec.observations().read(body)));
  }

  @Override
  public void step(List<Slot<I, O>> slots) {
    for (Slot<I, O> slot : slots) {
      ask(slot, Kind.STEP, body -> StepCodec.write(slot.action(), body));
    }
    receive(slots, Kind.STEPPED, (slot, body) -> slot.stepped(steps.read(body, logs.get(slot.id))));
  }

  private void ask(Slot<I, O> slot, Kind kind, Wire.Body body) {
    try {
      child(slot).ask(kind, body);
    } catch (RuntimeException e) {
      slot.failed(e); // the codec refused; nothing was sent
    }
  }

  private void receive(List<Slot<I, O>> slots, Kind expected, Reader<Slot<I, O>> reader) {
    for (Slot<I, O> slot : slots) {
      if (slot.failure() != null) {
        continue;
      }
      Child child = child(slot);
      try {
        read(reader, slot, child.answer(expected));
      } catch (IOException e) {
        slot.failed(child.broken(e));
        children.set(slot.id, null); // the next episode there gets a new one
      } catch (RuntimeException e) {
        slot.failed(e);
      }
    }
  }

  private static <S> void read(Reader<S> reader, S slot, DataInputStream body) throws IOException {
    try {
      reader.read(slot, body);
    } catch (IOException e) {
      // Told apart from an answer that did not come.
      throw ValueCodec.corrupt("an answer that can be read", e);
    }
  }

  private Child child(Slot<I, O> slot) {
    Child child = children.get(slot.id);
    if (child == null) {
      throw new IllegalStateException("environment " + slot.id + " must have been reset");
    }
    return child;
  }

  private void watch() {
    while (!closed) {
      for (int id = 0; id < children.length(); id++) {
        Child child = children.get(id);
        if (child != null) {
          child.killIfLate();
        }
      }
      LockSupport.parkNanos(this, WATCH_NANOS);
    }
  }

  @Override
  public void close() {
    var ending = new ArrayList<Child>();
    for (int id = 0; id < children.length(); id++) {
      Child child = children.getAndSet(id, null);
      if (child != null) {
        child.release();
        ending.add(child);
      }
    }
    ending.forEach(Child::close);
    closed = true;
    LockSupport.unpark(watch);
    Crew.join(watch);
  }
}
