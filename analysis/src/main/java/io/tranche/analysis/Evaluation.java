package io.tranche.analysis;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionMetrics;
import io.tranche.execution.ExecutionState;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Lets policies work the same orders in the same market.
///
/// Orders are worked in groups, side by side, each group by one thread. What becomes of an order
/// depends on neither its group nor the threads: a policy answers each observation on its own, and
/// draws from keys of the order and the step.
public final class Evaluation {

  /// An order that cannot be worked by anyone.
  ///
  /// @param reason what its data break
  public record PutAside(Order order, String reason) {}

  /// As many observations as networks need to be fast.
  private static final int GROUP = 256;

  private static final long DRAWS = RandomTree.root(0, "evaluation");

  private final Simulator.Factory<Order, ExecutionState, ChildOrder> simulators;
  private final ParallelFor parallel;
  private final List<Order> orders = new ArrayList<>();
  private final List<PutAside> putAside = new ArrayList<>();

  /// @param orders those that cannot be worked are put aside, for all policies alike
  /// @param parallel does the work; stays the caller's
  public Evaluation(
      Simulator.Factory<Order, ExecutionState, ChildOrder> simulators,
      List<Order> orders,
      ParallelFor parallel) {
    this.simulators = simulators;
    this.parallel = parallel;
    for (Order order : orders) {
      try {
        open(order);
        this.orders.add(order);
      } catch (DataException e) {
        putAside.add(new PutAside(order, e.toString()));
      }
    }
  }

  /// Returns an order of its own, before its first step.
  public Simulator<ExecutionState, ChildOrder> open(Order order) {
    return simulators.create(order, EnvContext.outside(new LogCollector(LogLevel.CRITICAL)));
  }

  /// Returns the orders that are worked.
  public List<Order> orders() {
    return List.copyOf(orders);
  }

  public List<PutAside> putAside() {
    return List.copyOf(putAside);
  }

  /// Lets a policy do its best on every order.
  ///
  /// @throws DataException if an order turns out to be broken while it is worked
  public <O extends Observation> PolicyResults run(Candidate<O> candidate) {
    var results = new OrderResult[orders.size()];
    var policies = new ArrayList<@Nullable Policy<O>>();
    for (int i = 0; i < parallel.threads(); i++) {
      policies.add(null);
    }
    parallel.run(
        Math.ceilDiv(orders.size(), GROUP),
        (group, worker) -> {
          Policy<O> policy = policies.get(worker);
          if (policy == null) {
            policy = candidate.policies().apply(GROUP);
            policies.set(worker, policy);
          }
          int from = group * GROUP;
          work(candidate, policy, from, Math.min(orders.size(), from + GROUP), results);
        });
    return new PolicyResults(candidate.name(), Arrays.asList(results));
  }

  /// One order of a group that is still being worked.
  private record Running(int index, Simulator<ExecutionState, ChildOrder> simulator) {}

  private <O extends Observation> void work(
      Candidate<O> candidate, Policy<O> policy, int from, int to, OrderResult[] results) {
    List<Running> running = new ArrayList<>();
    for (int i = from; i < to; i++) {
      running.add(new Running(i, open(orders.get(i))));
    }
    for (int step = 0; !running.isEmpty(); step++) {
      List<O> observations = new ArrayList<>(running.size());
      long[] keys = new long[running.size()];
      for (Running each : running) {
        keys[observations.size()] = RandomTree.child(RandomTree.child(DRAWS, each.index), step);
        observations.add(candidate.states().observe(each.simulator.state()));
      }
      Action[] actions = policy.act(observations, keys, Policy.Mode.EVALUATE);
      List<Running> left = new ArrayList<>();
      for (int i = 0; i < actions.length; i++) {
        Simulator<ExecutionState, ChildOrder> simulator = running.get(i).simulator;
        simulator.step(candidate.actions().act(simulator.state(), actions[i]));
        if (simulator.isDone()) {
          results[running.get(i).index] = result(simulator.state());
        } else {
          left.add(running.get(i));
        }
      }
      running = left;
    }
  }

  private static OrderResult result(ExecutionState state) {
    ExecutionMetrics metrics = state.metrics();
    if (metrics == null) { // Qlib's dialect drops those of an order that is not filled
      double filled = 1 - state.remaining() / state.order().amount();
      return new OrderResult(state.order(), 0, filled);
    }
    return new OrderResult(state.order(), metrics.advantageBps(), metrics.fillRate());
  }
}
