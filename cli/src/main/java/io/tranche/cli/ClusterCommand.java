package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.option.Arguments;
import io.tranche.config.ConfigException;
import io.tranche.work.Backends;
import io.tranche.work.ClusterStarter;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "cluster",
    mixinStandardHelpOptions = true,
    description = "Start a Spark cluster on this machine, to try things out (docs/scaling.md).",
    subcommands = {ClusterCommand.Up.class, ClusterCommand.Run.class},
    synopsisSubcommandLabel = "VERB",
    commandListHeading = "%nVerbs:%n")
final class ClusterCommand {

  @Command(
      name = "up",
      description = {
        "Start a Spark master and workers on this machine and print the address for --on.",
        "Ctrl-C stops them."
      })
  static final class Up implements Callable<Integer> {

    @Mixin private Size size = new Size();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() throws InterruptedException {
      var stopped = new CountDownLatch(1);
      try (var _ = new StopSignal(stopped::countDown);
          ClusterStarter.Cluster cluster = size.start(console.err())) {
        console.out().println(cluster.address());
        cluster
            .options()
            .forEach((key, value) -> console.out().printf("--spark-conf %s=%s%n", key, value));
        stopped.await();
        return ExitCode.INTERRUPTED;
      }
    }
  }

  @Command(
      name = "run",
      description = {
        "Start a Spark master and workers on this machine, run a verb there, and stop them.",
        "The verb gets --on automatically: tranche cluster run --workers 2 -- backtest CONFIG."
      })
  static final class Run implements Callable<Integer> {

    @Mixin private Size size = new Size();

    @Parameters(paramLabel = "VERB", description = "The verb and its arguments, after --.")
    private List<String> verb = new ArrayList<>();

    @Mixin private Console console = new Console();

    @Override
    public Integer call() {
      if (verb.isEmpty()) {
        throw new ConfigException("cluster run", "-- VERB ...", "nothing to run");
      }
      try (ClusterStarter.Cluster cluster = size.start(console.err())) {
        var arguments = new ArrayList<>(verb);
        arguments.addAll(List.of("--on", cluster.address()));
        cluster
            .options()
            .forEach((key, value) -> arguments.addAll(List.of("--spark-conf", key + "=" + value)));
        return Main.run(console.out(), console.err(), arguments.toArray(String[]::new));
      }
    }
  }

  /// The size of a cluster on this machine.
  static final class Size {

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
}
