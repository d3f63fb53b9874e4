package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.work.ClusterStarter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Start a Spark master and workers on this machine and print the address for --on.",
      "Ctrl-C stops them."
    })
final class ClusterUpCommand implements Callable<Integer> {

  @Mixin private ClusterSize size = new ClusterSize();

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
