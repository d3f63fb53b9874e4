package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.market.check.CheckOptions;
import io.tranche.market.check.CheckReport;
import io.tranche.market.check.DataCheck;
import io.tranche.market.check.Finding;
import io.tranche.market.check.Rule;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Report what is wrong with an input: file, place, instrument, time, rule, value.",
      "Reads Qlib .bin stores, CSV, Parquet and pickles of bars or orders. Writes nothing.",
      "Exit code 3 if there are errors; warnings alone give 0."
    })
final class DataCheckCommand implements Callable<Integer> {

  @Parameters(paramLabel = "PATH", description = "A store, a file or a folder of files.")
  private Path path = Path.of("");

  @Mixin private InputOptions input = new InputOptions();

  @Option(
      names = "--most",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of findings listed per rule (default: ${DEFAULT-VALUE}).")
  private int most;

  @Option(
      names = "--long-run",
      paramLabel = "N",
      defaultValue = "5",
      description = "Report runs of at least N missing bars (default: ${DEFAULT-VALUE}).")
  private int longRun;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    PrintWriter out = console.out();
    CheckReport report =
        DataCheck.check(
            path,
            new CheckOptions(
                input.mapping(),
                Arguments.atLeast("--most", 1, most),
                Arguments.atLeast("--long-run", 1, longRun)));
    for (Finding finding : report.findings()) {
      out.println(finding.rule().severity().name().toLowerCase(Locale.ROOT) + ": " + finding);
    }
    long errors = 0;
    long warnings = 0;
    for (Rule rule : Rule.values()) {
      if (report.omitted(rule) > 0) {
        out.printf("%d more: expected %s%n", report.omitted(rule), rule.text());
      }
      if (rule.severity() == Rule.Severity.ERROR) {
        errors += report.count(rule);
      } else {
        warnings += report.count(rule);
      }
    }
    out.printf("%s: %d errors, %d warnings%n", path, errors, warnings);
    return report.hasErrors() ? ExitCode.DATA : ExitCode.OK;
  }
}
