package io.tranche.benchmarks.env;

import io.tranche.benchmarks.measure.Benchmark;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Generated;
import io.tranche.benchmarks.measure.Micro;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.PeerTurns;
import io.tranche.benchmarks.measure.Row;
import io.tranche.benchmarks.measure.SideBySide;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.EnvWrapper;
import io.tranche.env.LogCollector;
import io.tranche.env.LogLevel;
import io.tranche.env.Step;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.Frequency;
import io.tranche.market.Order;
import io.tranche.market.feature.DayFeatures;
import io.tranche.market.store.QlibStoreWriter;
import io.tranche.market.store.QlibStoreWriter.Existing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Executes orders over days of 240 minutes in eight decisions: in the simulator alone, in an
/// environment with observation, validation, action and reward, and in 256 environments at once.
///
/// Peers: the same orders in Qlib's `SingleAssetOrderExecutionSimple` and `EnvWrapper`, whose cache
/// has every day, and in NumPy, all at once. Where sides are compared, ours makes arrays of its
/// observations as they do; our policies read them in place.
public final class EnvBenchmark {

  /// As many orders as fit into Qlib's cache of 100 entries, with two entries each.
  static final int PEER_ORDERS = 48;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "env",
          "How many steps per second do simulators and environments take, and how do they scale?",
          """
          env.simulator.wall env.simulator.cpu env.wrapped.wall env.wrapped.cpu
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
    var figures = new ArrayList<>(compare(options, worked));
    Timing simulator = time(options, worked, EnvBenchmark::simulate);
    Timing wrapped = time(options, worked, EnvBenchmark::act);
    figures.addAll(speed("env.simulator", worked, simulator));
    double step = Micro.nanos(options, EpisodeSteps.class, "simulator", 1);
    figures.add(new Figure("env.simulator.step.ns", step, "ns"));
    figures.addAll(speed("env.wrapped", worked, wrapped));
    figures.addAll(VectorScaling.measure(options, worked));
    figures.addAll(VectorScaling.resets(options, worked));
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
      steps += worked.work(order).step();
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

  private static List<Figure> compare(Options options, WorkedOrders worked) throws IOException {
    int count = options.count(PEER_ORDERS, 2);
    List<Order> orders = worked.orders().subList(0, count);
    Object[] arguments = options.peers() ? peerArguments(options, worked, "single", count) : null;
    int warmups = options.count(3, 0);
    int turns = options.count(10, 1);
    try (PeerTurns python =
        arguments == null
            ? null
            : PeerTurns.start(options, "qlib-rl", "env_steps.py", arguments)) {
      var figures = new ArrayList<Figure>();
      figures.addAll(
          new SideBySide(
                  options,
                  "env.simulator",
                  "48 orders of a day of minutes, 8 steps each, in the simulator",
                  () -> results(orders.stream().map(worked::work).toList()))
              .repeating(options.count(1_000, 1))
              .within(1e-5) // Qlib's prices are single floats
              .against(Row.Form.USUAL, "Qlib's simulator", python, "simulator")
              .against(Row.Form.EXPERT, "NumPy, all at once", python, "simulator_numpy")
              .run(warmups, turns));
      figures.addAll(
          new SideBySide(
                  options,
                  "env.wrapped",
                  "the same with observations as arrays, actions and rewards",
                  () -> played(worked, orders))
              .repeating(options.count(300, 1))
              .within(1e-5)
              .against(Row.Form.USUAL, "Qlib's environment", python, "environment")
              .against(Row.Form.EXPERT, "NumPy, all at once", python, "environment_numpy")
              .run(warmups, turns));
      return figures;
    }
  }

  /// The mean size of the advantage of a step, the mean share that remains after one, and the mean
  /// size of the advantage of an order.
  private static Supplier<double[]> results(List<ExecutionState> states) {
    return () -> {
      double[] means = new double[3];
      for (ExecutionState state : states) {
        for (int step = 0; step < state.step(); step++) {
          means[0] += Math.abs(state.stepAdvantageBps(step)) / state.step() / states.size();
          double share = state.remainingAfter(step) / state.order().amount();
          means[1] += share / state.step() / states.size();
        }
        double advantage = Objects.requireNonNull(state.metrics()).advantageBps();
        means[2] += Math.abs(advantage) / states.size();
      }
      return means;
    };
  }

  /// Plays all orders, with arrays of every observation.
  private static Supplier<double[]> played(WorkedOrders worked, List<Order> orders) {
    var environment =
        new EnvWrapper<>(
            worked.problem(), orders.iterator(), new LogCollector(LogLevel.PERIODIC));
    var rewards = new ArrayList<Double>();
    var last = new ArrayList<ObservationArrays>();
    FullHistoryObservation seen = environment.reset();
    for (int episode = 0; seen != null; episode++) {
      ObservationArrays arrays = new ObservationArrays(seen);
      Step<FullHistoryObservation> step;
      do {
        step = environment.step(WorkedOrders.action(episode, environment.step()));
        arrays = new ObservationArrays(step.observation());
        rewards.add(step.reward());
      } while (!step.done());
      last.add(arrays);
      seen = environment.reset();
    }
    return () ->
        new double[] {
          rewards.stream().mapToDouble(Math::abs).average().orElse(0),
          last.stream().mapToDouble(each -> size(each.today)).average().orElse(0),
          last.stream().mapToDouble(each -> size(each.yesterday)).average().orElse(0)
        };
  }

  private static double size(float[] values) {
    double sum = 0;
    for (float value : values) {
      sum += Math.log1p(Math.abs((double) value));
    }
    return sum / values.length;
  }

  /// An observation as arrays, with zeros where a policy may not look.
  private static final class ObservationArrays {
    final float[] today;
    final float[] yesterday;
    final float[] remaining;

    private ObservationArrays(FullHistoryObservation seen) {
      DayFeatures day = seen.features();
      today = new float[day.ticks() * day.columns().today().size()];
      yesterday = new float[day.ticks() * day.columns().yesterday().size()];
      remaining = new float[seen.maxSteps()];
      day.copyToday(0, seen.visibleTicks(), today, 0);
      day.copyYesterday(0, day.ticks(), yesterday, 0);
      for (int past = 0; past < remaining.length; past++) {
        remaining[past] = seen.remainingAt(past);
      }
    }
  }

  /// Writes bars and orders for the script `env_steps.py` and returns its arguments.
  static Object[] peerArguments(Options options, WorkedOrders worked, String runs, int orders)
      throws IOException {
    Path store = options.work().resolve("store");
    Generated.write(worked.bars(), QlibStoreWriter.create(store, Existing.REFUSE));
    Path file = writeOrders(options.work(), worked.orders().subList(0, orders));
    var arguments = new ArrayList<Object>(List.of(runs, store, Frequency.MINUTE, file));
    arguments.addAll(List.of(WorkedOrders.TICKS, WorkedOrders.STEPS));
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
    public ExecutionState simulator() {
      next = (next + 1) & (ORDERS - 1);
      return worked.work(worked.orders().get(next));
    }
  }
}
