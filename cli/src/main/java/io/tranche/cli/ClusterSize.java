package io.tranche.cli;

import io.tranche.cli.option.Arguments;
import io.tranche.work.Backends;
import io.tranche.work.ClusterStarter;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// The size of a cluster on this machine.
final class ClusterSize {

  /// Spark's minimum.
  private static final int LEAST_MEGABYTES = 450;

  @Option(
      names = "--workers",
      paramLabel = "N",
      defaultValue = "2",
      description = "Number of worker processes (default: ${DEFAULT-VALUE}).")
  private int workers;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores per worker (default: its share of the machine's cores).")
  private @Nullable Integer cores;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "1024",
      description = "Heap of each worker, in megabytes (default: ${DEFAULT-VALUE}).")
  private int megabytes;

  ClusterStarter.Cluster start(PrintWriter err) {
    Arguments.atLeast("--workers", 1, workers);
    int share = Math.max(1, Runtime.getRuntime().availableProcessors() / workers);
    var size =
        new ClusterStarter.Size(
            cores == null ? share : Arguments.atLeast("--cores", 1, cores),
            Arguments.atLeast("--memory", LEAST_MEGABYTES, megabytes));
    return Backends.clusterStarter().start(workers, size, err::println);
  }
}
