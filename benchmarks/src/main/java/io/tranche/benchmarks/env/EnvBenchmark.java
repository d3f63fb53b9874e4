package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.Peer;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Step;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Executes orders over days of 240 minutes in eight decisions: in the simulator alone, in an
/// environment with observation, validation, action and reward, and in 256 environments at once.
///
/// Peer: the same orders in Qlib's `SingleAssetOrderExecutionSimple` and `EnvWrapper`. It is so
/// slow that it gets only some of the orders; steps per CPU-second are compared.
public final class EnvBenchmark {

  /// As many orders as fit into Qlib's cache of 100 entries, with two entries each.
  static final int PEER_ORDERS = 48;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "env",
          "How many steps per second do simulators and environments take, and how do they scale?",
          """
          env.simulator.steps_per_s env.simulator.steps_per_cpu_s env.simulator.step.ns
          env.wrapped.steps_per_s env.wrapped.steps_per_cpu_s
          env.vector.steps_per_s env.vector.scaling env.sgemm.scaling env.vector.scaling_share
          env.resets.bytes_growth env.resets.threads_growth env.resets.handles_growth
          """,
          EnvBenchmark::run);

  private EnvBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var worked =
        new WorkedOrders(options.count(40, 2), options.count(80, 3), options.count(25_000, 300));
    Timing simulator = time(options, worked, EnvBenchmark::simulate);
    Timing wrapped = time(options, worked, EnvBenchmark::act);

    var figures = new ArrayList<>(speed("env.simulator", worked, simulator));
    double step = Micro.nanos(options, EpisodeSteps.class, "simulator", 1);
    figures.add(new Figure("env.simulator.step.ns", step, "ns"));
    figures.addAll(speed("env.wrapped", worked, wrapped));
    figures.addAll(VectorScaling.measure(options, worked));
    figures.addAll(VectorScaling.resets(options, worked));
    Peer peer = Peer.prepare(options, "qlib-rl");
    if (peer != null) {
      figures.addAll(compare(options, peer, worked, simulator, wrapped));
    }
    return figures;
  }

  private static Timing time(
      Options options, WorkedOrders worked, ToLongFunction<WorkedOrders> steps) throws IOException {
    return Timing.of(
        options.count(10, 1),
        options.count(15, 1),
        () -> Generated.requireRows(steps(worked), steps.applyAsLong(worked)));
  }

  private static long steps(WorkedOrders worked) {
    return (long) worked.orders().size() * WorkedOrders.STEPS;
  }

  private static long simulate(WorkedOrders worked) {
    long steps = 0;
    for (Order order : worked.orders()) {
      steps += worked.work(order);
    }
    return steps;
  }

  private static long act(WorkedOrders worked) {
    var environment =
        new EnvWrapper<>(
            worked.problem(), worked.orders().iterator(), new LogCollector(LogLevel.PERIODIC));
    long steps = 0;
    for (int episode = 0; environment.reset() != null; episode++) {
      Step<FullHistoryObservation> last;
      do {
        last = environment.step(WorkedOrders.action(episode, environment.step()));
      } while (!last.done());
      steps += environment.step();
    }
    return steps;
  }

  private static List<Figure> speed(String prefix, WorkedOrders worked, Timing timing) {
    return List.of(
        new Figure(prefix + ".steps_per_s", steps(worked) / timing.wallSeconds(), "steps/s"),
        new Figure(
            prefix + ".steps_per_cpu_s", steps(worked) / timing.cpuSeconds(), "steps/CPU-s"));
  }

  private static List<Figure> compare(
      Options options, Peer peer, WorkedOrders worked, Timing simulator, Timing wrapped)
      throws IOException {
    int orders = options.count(PEER_ORDERS, 2);
    Object[] arguments = peerArguments(options, worked, "single", orders);
    var figures = new ArrayList<Figure>();
    peer.answer("env_steps.py", arguments)
        .runs()
        .forEach(
            (run, theirs) -> {
              Generated.requireRows((long) orders * WorkedOrders.STEPS, theirs.size());
              Timing ours = run.startsWith("simulator") ? simulator : wrapped;
              double speed = theirs.size() / theirs.median().cpuSeconds();
              double ourSpeed = steps(worked) / ours.cpuSeconds();
              options.printf(
                  "%s: ours %.0f, peer %.0f steps per CPU-second%n", run, ourSpeed, speed);
              String prefix = "env." + run;
              figures.add(new Figure(prefix + ".peer.steps_per_cpu_s", speed, "steps/CPU-s"));
              figures.add(new Figure(prefix + ".ratio.cpu", ourSpeed / speed, "x"));
            });
    return figures;
  }

  /// Writes bars and orders for the script `env_steps.py` and returns its arguments.
  static Object[] peerArguments(Options options, WorkedOrders worked, String runs, int orders)
      throws IOException {
    Path store = options.work().resolve("store");
    Generated.write(worked.bars(), QlibStoreWriter.create(store, Existing.REFUSE));
    Path file = writeOrders(options.work(), worked.orders().subList(0, orders));
    var arguments = new ArrayList<Object>(List.of(runs, store, Frequency.MINUTE, file));
    arguments.addAll(List.of(WorkedOrders.TICKS, WorkedOrders.STEPS, options.count(3, 1)));
    arguments.addAll(WorkedOrders.FEATURES);
    return arguments.toArray();
  }

  private static Path writeOrders(Path folder, List<Order> orders) throws IOException {
    var lines = new ArrayList<>(List.of("instrument,direction,amount,start,end"));
    for (Order order : orders) {
      String what = "%s,%d,%s".formatted(order.instrument(), order.side().code(), order.amount());
      lines.add("%s,%s,%s".formatted(what, order.start(), order.end()));
    }
    return Files.write(folder.resolve("orders.csv"), lines);
  }

  /// Answers one question: how long does a step of the simulator take, including its share of
  /// making the episode?
  @State(Scope.Thread)
  public static class EpisodeSteps {

    private static final int ORDERS = 1 << 12;

    // A training run of Qlib's example: 40 stocks, 80 days.
    private final WorkedOrders worked = new WorkedOrders(40, 80, ORDERS);
    private int next;

    @org.openjdk.jmh.annotations.Benchmark
    @OperationsPerInvocation(WorkedOrders.STEPS)
    public int simulator() {
      next = (next + 1) & (ORDERS - 1);
      return worked.work(worked.orders().get(next));
    }
  }
}
