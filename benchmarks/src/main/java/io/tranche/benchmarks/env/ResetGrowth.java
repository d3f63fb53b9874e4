package io.tranche.benchmarks.env;

import com.sun.management.UnixOperatingSystemMXBean;
import io.tranche.benchmarks.measure.Figure;
import io.tranche.benchmarks.measure.Options;
import io.tranche.env.vector.FiniteVectorEnv;
import io.tranche.market.Order;
import java.lang.management.ManagementFactory;
import java.util.List;

/// How much more a process holds after many resets than before.
final class ResetGrowth {

  static final String BYTES = "env.resets.bytes_growth";
  static final String THREADS = "env.resets.threads_growth";
  static final String HANDLES = "env.resets.handles_growth";

  private static final int RESETS = 10_000;

  /// What a process holds.
  private record Holding(long bytes, int threads, long handles) {

    static Holding now() {
      long least = Long.MAX_VALUE;
      for (int i = 0; i < 3; i++) { // one collection can leave what the next one takes
        System.gc();
        least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
      }
      long handles =
          ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
              ? unix.getOpenFileDescriptorCount()
              : 0;
      return new Holding(least, ManagementFactory.getThreadMXBean().getThreadCount(), handles);
    }
  }

  private ResetGrowth() {}

  static List<Figure> measure(Options options, WorkedOrders worked) {
    int episodes = Math.ceilDiv(options.count(RESETS, 256), VectorScaling.ENVIRONMENTS);
    try (FiniteVectorEnv<Order, ?> environments = VectorScaling.environments(worked, 2)) {
      VectorScaling.run(environments, episodes);
      Holding before = Holding.now();
      VectorScaling.run(environments, episodes);
      Holding after = Holding.now();
      return List.of(
          new Figure(BYTES, after.bytes - before.bytes, "bytes"),
          new Figure(THREADS, after.threads - before.threads, "threads"),
          new Figure(HANDLES, after.handles - before.handles, "handles"));
    }
  }
}
