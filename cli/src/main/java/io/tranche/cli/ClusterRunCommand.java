package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.config.ConfigException;
import io.tranche.work.ClusterStarter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Start a Spark master and workers on this machine, run a verb there, and stop them.",
      "The verb gets --on automatically: tranche cluster run --workers 2 -- backtest CONFIG."
    })
final class ClusterRunCommand implements Callable<Integer> {

  @Mixin private ClusterSize size = new ClusterSize();

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
