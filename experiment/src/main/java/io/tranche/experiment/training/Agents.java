package io.tranche.experiment.training;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/// Agents of the same making, one for each thread that needs one at the moment.
///
/// @param <A> the agent
final class Agents<A> {

  private final Supplier<A> maker;
  private final Queue<A> idle = new ConcurrentLinkedQueue<>();

  Agents(Supplier<A> maker) {
    this.maker = maker;
    idle.add(maker.get()); // so that what cannot be made is known at once
  }

  <T> T use(Function<A, T> work) {
    A free = idle.poll();
    A agent = free == null ? maker.get() : free;
    T result = work.apply(agent);
    idle.add(agent); // not if it threw: who knows in what state it is then
    return result;
  }
}
