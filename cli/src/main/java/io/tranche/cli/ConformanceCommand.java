package io.tranche.cli;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.conformance.GoldenRunner;
import io.tranche.conformance.Report;
import io.tranche.conformance.Topics;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "conformance",
    mixinStandardHelpOptions = true,
    description = {
      "Replay what the real Qlib answered and compare.",
      "Prints a line a topic, the first mismatch of each in full, the deviations on purpose, and closes with",
      "'N passed, N failed'. Exit code 1 if anything failed."
    })
final class ConformanceCommand implements Callable<Integer> {

  @Parameters(
      paramLabel = "DIR",
      description = "A directory of golden files, such as conformance/golden.")
  private Path directory = Path.of("");

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Report report = new GoldenRunner(Topics.all()).run(directory);
    report.lines().forEach(console.out()::println);
    return report.failed() == 0 ? ExitCode.OK : ExitCode.INTERNAL;
  }
}
