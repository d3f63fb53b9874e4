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

/// Executes orders over days of 240 minutes in eight decisions: in the simulator alone, in an
/// environment with observation, validation, action and reward, and in 256 environments at once.
///
/// Peer: the same orders in Qlib's `SingleAssetOrderExecutionSimple` and `EnvWrapper`. It is so
/// slow that it gets only some of the orders; steps per CPU-second are compared.
public final class EnvBenchmark {

  private static final String SIMULATOR = "env.simulator";
  private static final String WRAPPED = "env.wrapped";
  private static final String STEP = "env.simulator.step.ns";

  /// As many as have a day each in Qlib's cache, which holds 100, one of bars and one of features.
  private static final int PEER_ORDERS = 48;

  public static final Benchmark BENCHMARK =
      new Benchmark(
          "env",
          "How many steps a second do simulators and environments take, and how do they scale?",
          List.of(
              SIMULATOR + ".steps_per_s",
              SIMULATOR + ".steps_per_cpu_s",
              STEP,
              WRAPPED + ".steps_per_s",
              WRAPPED + ".steps_per_cpu_s",
              VectorScaling.STEPS,
              VectorScaling.VECTOR,
              VectorScaling.MATRIX,
              VectorScaling.SHARE,
              ResetGrowth.BYTES,
              ResetGrowth.THREADS,
              ResetGrowth.HANDLES),
          EnvBenchmark::run);

  private EnvBenchmark() {}

  private static List<Figure> run(Options options) throws IOException {
    var worked =
        new WorkedOrders(options.count(40, 2), options.count(80, 3), options.count(25_000, 300));
    Timing simulator = time(options, worked, EnvBenchmark::simulate);
    Timing wrapped = time(options, worked, EnvBenchmark::act);

    var figures = new ArrayList<>(speed(SIMULATOR, worked, simulator));
    figures.add(new Figure(STEP, Micro.score(options, EpisodeSteps.class, "simulator"), "ns"));
    figures.addAll(speed(WRAPPED, worked, wrapped));
    figures.addAll(VectorScaling.measure(options, worked));
    figures.addAll(ResetGrowth.measure(options, worked));
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
    Path store = options.work().resolve("store");
    Generated.write(worked.bars(), QlibStoreWriter.create(store, Existing.REFUSE));
    var arguments =
        new ArrayList<Object>(
            List.of(
                store,
                Frequency.MINUTE,
                writeOrders(options.work(), worked.orders().subList(0, orders)),
                WorkedOrders.TICKS,
                WorkedOrders.STEPS,
                options.count(3, 1)));
    arguments.addAll(WorkedOrders.FEATURES);
    var figures = new ArrayList<Figure>();
    peer.run("env_steps.py", arguments.toArray())
        .forEach(
            (run, theirs) -> {
              Generated.requireRows((long) orders * WorkedOrders.STEPS, theirs.size());
              Timing ours = run.startsWith("simulator") ? simulator : wrapped;
              double speed = theirs.size() / theirs.median().cpuSeconds();
              double ourSpeed = steps(worked) / ours.cpuSeconds();
              options
                  .log()
                  .printf("%s: ours %.0f, peer %.0f steps a CPU-second%n", run, ourSpeed, speed);
              String prefix = "env." + run;
              figures.add(new Figure(prefix + ".peer.steps_per_cpu_s", speed, "steps/CPU-s"));
              figures.add(new Figure(prefix + ".ratio.cpu", ourSpeed / speed, "x"));
            });
    return figures;
  }

  private static Path writeOrders(Path folder, List<Order> orders) throws IOException {
    var lines = new ArrayList<>(List.of("instrument,direction,amount,start,end"));
    for (Order order : orders) {
      lines.add(
          "%s,%d,%s,%s,%s"
              .formatted(
                  order.instrument(),
                  order.side().code(),
                  order.amount(),
                  order.start(),
                  order.end()));
    }
    return Files.write(folder.resolve("orders.csv"), lines);
  }
}
