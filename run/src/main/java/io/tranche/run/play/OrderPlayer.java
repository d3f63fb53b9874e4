package io.tranche.run.play;

import io.tranche.backtest.ChildOrder;
import io.tranche.env.EnvContext;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.env.Player;
import io.tranche.env.Policy;
import io.tranche.env.RandomTree;
import io.tranche.env.Simulator;
import io.tranche.env.space.Action;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulator;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Executes the same orders in the same market with different policies.
///
/// Orders are executed in groups, several at once, each group by one thread. The result of an order
/// depends neither on its group nor on the threads: a policy answers each observation separately,
/// and draws random numbers from keys of the order and the step.
public final class OrderPlayer {

  /// An order that no policy can execute.
  ///
  /// @param reason what is wrong with its data
  public record PutAside(Order order, String reason) {}

  /// Observations per forward pass; networks need that many to be fast.
  private static final int GROUP = 256;

  private static final long DRAWS = RandomTree.root(0, "evaluation");

  private final Simulator.Factory<Order, ExecutionState, ChildOrder> simulators;
  private final ParallelFor parallel;
  private final int first;
  private final List<Order> orders = new ArrayList<>();
  private final List<PutAside> putAside = new ArrayList<>();

  /// @param orders those that cannot be executed are put aside for all policies
  /// @param parallel runs the groups; the caller closes it
  public OrderPlayer(
      Simulator.Factory<Order, ExecutionState, ChildOrder> simulators,
      List<Order> orders,
      ParallelFor parallel) {
    this(simulators, orders, parallel, 0);
  }

  /// Executes a part of some orders as a player of all of them would.
  ///
  /// @param first the number of the first order, from 0
  public OrderPlayer(
      Simulator.Factory<Order, ExecutionState, ChildOrder> simulators,
      List<Order> orders,
      ParallelFor parallel,
      int first) {
    this.simulators = simulators;
    this.parallel = parallel;
    this.first = first;
    for (Order order : orders) {
      try {
        open(order);
        this.orders.add(order);
      } catch (DataException e) {
        putAside.add(new PutAside(order, String.valueOf(e.getMessage())));
      }
    }
  }

  /// Returns a player of other orders in the same market.
  public OrderPlayer some(List<Order> others) {
    return new OrderPlayer(simulators, others, parallel);
  }

  /// Returns a new simulation of an order, before its first step.
  public Simulator<ExecutionState, ChildOrder> open(Order order) {
    return simulators.create(order, EnvContext.outside(new LogCollector(LogLevel.CRITICAL)));
  }

  /// Returns the simulator's volume cap, as a fraction of each tick's volume; infinite if there is
  /// none, or the simulator is another one.
  public double participation() {
    return simulators instanceof SimpleSimulator.SimulatorFactory simple
        ? simple.participation()
        : Double.POSITIVE_INFINITY;
  }

  /// Returns the orders that are executed.
  public List<Order> orders() {
    return List.copyOf(orders);
  }

  public List<PutAside> putAside() {
    return List.copyOf(putAside);
  }

  /// Executes every order with a policy in evaluation mode.
  ///
  /// @throws DataException if the data of an order turn out to be broken
  public <O extends Observation> PolicyResults run(Candidate<O> candidate) {
    var results = new OrderResult[orders.size()];
    var policies =
        new ArrayList<@Nullable Policy<O>>(Collections.nCopies(parallel.threads(), null));
    parallel.run(
        Math.ceilDiv(orders.size(), GROUP),
        (group, worker) -> {
          Policy<O> policy = policies.get(worker);
          if (policy == null) {
            policy = candidate.policies().apply(GROUP);
            policies.set(worker, policy);
          }
          var rounds = new ArrayList<Round<O>>();
          int end = Math.min(orders.size(), (group + 1) * GROUP);
          for (int i = group * GROUP; i < end; i++) {
            rounds.add(new Round<>(candidate, i, first + i, open(orders.get(i))));
          }
          Player.play(rounds, policy, Policy.Mode.EVALUATE);
          rounds.forEach(round -> results[round.index] = OrderResult.of(round.simulator.state()));
        });
    return new PolicyResults(candidate.name(), Arrays.asList(results));
  }

  /// Executes one of [#orders] again, exactly as [#run] does, and returns its simulator at the end.
  ///
  /// @param watcher receives each observation of the policy
  public <O extends Observation> Simulator<ExecutionState, ChildOrder> replay(
      Candidate<O> candidate, int index, Consumer<? super O> watcher) {
    var round = new Round<>(candidate, index, first + index, open(orders.get(index)));
    Policy<O> policy = candidate.policies().apply(1);
    Player.play(
        List.of(round),
        (observations, keys, mode) -> {
          observations.forEach(watcher);
          return policy.act(observations, keys, mode);
        },
        Policy.Mode.EVALUATE);
    return round.simulator;
  }

  /// An order that is being executed.
  private static final class Round<O extends Observation> implements Player.Round<O> {
    private final Candidate<O> candidate;
    private final int index;
    private final int number;
    private final Simulator<ExecutionState, ChildOrder> simulator;
    private int step;

    /// @param number of the order, which decides what is drawn for it
    Round(
        Candidate<O> candidate,
        int index,
        int number,
        Simulator<ExecutionState, ChildOrder> simulator) {
      this.candidate = candidate;
      this.index = index;
      this.number = number;
      this.simulator = simulator;
    }

    @Override
    public @Nullable O observation() {
      return simulator.isDone() ? null : candidate.states().observe(simulator.state());
    }

    @Override
    public long drawKey() {
      return RandomTree.child(RandomTree.child(DRAWS, number), step);
    }

    @Override
    public void step(Action action) {
      step++;
      simulator.step(candidate.childOrder(simulator.state(), action));
    }
  }
}
