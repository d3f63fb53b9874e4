package io.tranche.cli;

import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.work.ClusterStarter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = {
      "Start a Spark master and workers on this machine and print the address for --on.",
      "Ctrl-C stops all of it."
    })
final class ClusterUpCommand implements Callable<Integer> {

  @Mixin private ClusterSize size = new ClusterSize();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    var stopped = new CountDownLatch(1);
    try (var _ = new StopSignal(stopped::countDown);
        ClusterStarter.Cluster cluster = size.start(err)) {
      out.println(cluster.address());
      cluster.options().forEach((key, value) -> out.printf("--spark-conf %s=%s%n", key, value));
      stopped.await();
      return ExitCode.INTERRUPTED;
    }
  }
}
