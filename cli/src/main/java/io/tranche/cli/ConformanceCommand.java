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
    description = {
      "Compare our answers with those of the real Qlib.",
      "Prints one line per topic, its first mismatch in full, the intended deviations, and ends with",
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
