package io.tranche.benchmarks.env;

import com.sun.management.UnixOperatingSystemMXBean;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.MatrixProduct;
import io.tranche.benchmarks.measure.Options;
import io.tranche.benchmarks.measure.ResidentSet;
import io.tranche.benchmarks.measure.Timing;
import io.tranche.env.space.Action;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.env.vector.VectorConfig;
import io.tranche.market.Order;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/// The speed-up of vectorised environments by a second thread, compared with that of a matrix
/// product, and their resources after many resets.
final class VectorScaling {

  private static final int ENVIRONMENTS = 256;

  private VectorScaling() {}

  static List<Figure> measure(Options options, WorkedOrders worked) throws IOException {
    int episodes = options.count(20, 1); // of each environment, some 40 ms
    var matrix = MatrixProduct.of(options);
    double[] fastest;
    try (var one = environments(worked, 1);
        var two = environments(worked, 2)) {
      fastest =
          Timing.fastest(
              options.count(150, 1),
              () -> run(one, episodes),
              () -> run(two, episodes),
              () -> matrix.compute(1),
              () -> matrix.compute(2));
    }
    options.printf("fastest turns, vector and matrix: %s s%n", Arrays.toString(fastest));
    long steps = (long) episodes * ENVIRONMENTS * WorkedOrders.STEPS;
    double vector = fastest[0] / fastest[1];
    double product = fastest[2] / fastest[3];
    return List.of(
        new Figure("env.vector.steps_per_s", steps / fastest[1], "steps/s"),
        new Figure("env.vector.scaling", vector, "x"),
        new Figure("env.sgemm.scaling", product, "x"),
        new Figure("env.vector.scaling_share", vector / product, "of sgemm's"));
  }

  /// Returns the growth of the process's resources over many resets.
  static List<Figure> resets(Options options, WorkedOrders worked) {
    int episodes = Math.ceilDiv(options.count(10_000, 256), ENVIRONMENTS);
    try (var environments = environments(worked, 2)) {
      run(environments, episodes);
      Holding before = Holding.now();
      run(environments, episodes);
      Holding after = Holding.now();
      return List.of(
          new Figure("env.resets.bytes_growth", after.bytes - before.bytes, "bytes"),
          new Figure("env.resets.threads_growth", after.threads - before.threads, "threads"),
          new Figure("env.resets.handles_growth", after.handles - before.handles, "handles"));
    }
  }

  /// The resources of a process.
  private record Holding(long bytes, int threads, long handles) {

    static Holding now() {
      long handles =
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
              ? unix.getOpenFileDescriptorCount()
              : 0;
      int threads = ManagementFactory.getThreadMXBean().getThreadCount();
      return new Holding(ResidentSet.heapBytes(), threads, handles);
    }
  }

  private static FiniteVectorEnv<Order, ?> environments(WorkedOrders worked, int threads) {
    return new FiniteVectorEnv<>(
        worked.problem(), worked.endless(), VectorConfig.of(ENVIRONMENTS), List.of(), threads);
  }

  /// Runs a number of episodes in each environment, in lockstep; a failure would stop it.
  private static void run(FiniteVectorEnv<Order, ?> environments, int episodes) {
    int[] ids = IntStream.range(0, ENVIRONMENTS).toArray();
    for (int episode = 0; episode < episodes; episode++) {
      environments.reset(ids);
      for (int step = 0; step < WorkedOrders.STEPS; step++) {
        var actions = new Action[ENVIRONMENTS];
        for (int id = 0; id < ENVIRONMENTS; id++) {
          actions[id] = WorkedOrders.action(environments.episode(id), step);
        }
        environments.step(ids, actions);
      }
    }
  }
}
