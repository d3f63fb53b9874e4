package io.tranche.benchmarks.env;

import io.tranche.market.Order;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Answers one question: how long does a step of the simulator take, its share of making the
/// episode included?
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class EpisodeSteps {

  private static final int ORDERS = 1 << 12;

  // A training run of Qlib's example: 40 stocks, 80 days.
  private final WorkedOrders worked = new WorkedOrders(40, 80, ORDERS);
  private final List<Order> orders = worked.orders();
  private int next;

  @Benchmark
  @OperationsPerInvocation(WorkedOrders.STEPS)
  public int simulator() {
    next = (next + 1) & (ORDERS - 1);
    return worked.work(orders.get(next));
  }
}
