package io.tranche.cli.backtest;

import io.tranche.analysis.report.ReportComparison;
import io.tranche.analysis.report.ReportData;
import io.tranche.analysis.report.Reports;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.config.ConfigException;
import io.tranche.market.DataException;
import io.tranche.run.RunFolder;
import java.awt.Desktop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "report",
    description = {
      "Draw the report of a run again from its report.json, which tranche judge or select wrote.",
      "Several runs are compared on one page."
    })
public final class ReportCommand implements Callable<Integer> {

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "A run directory, or a report.json.")
  private List<Path> runs = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the page (default: RUN; for a comparison, the current folder).")
  private @Nullable Path out;

  @Option(names = "--open", description = "Show the page in a browser.")
  private boolean opens;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    List<Path> places = runs.stream().map(ReportCommand::place).toList();
    List<ReportData> reports = places.stream().map(Reports::read).toList();
    boolean isOne = reports.size() == 1;
    Path usual = isOne ? folder(places.getFirst()) : Path.of("");
    Path folder = out == null ? usual : out;
    if (isOne) {
      Reports.write(reports.getFirst(), folder);
    } else {
      Reports.write(new ReportComparison(reports), folder);
    }
    Path page = folder.resolve(isOne ? Reports.HTML : Reports.COMPARISON_HTML);
    console.out().println(page);
    if (opens) {
      show(page);
    }
    return ExitCode.OK;
  }

  /// Returns where the report of a run is: in its folder, else where `tranche judge` puts it.
  private static Path place(Path run) {
    Path judged = new RunFolder(run).judged();
    if (Files.isRegularFile(run) || Files.isRegularFile(run.resolve(Reports.JSON))) {
      return run;
    } else if (Files.isRegularFile(judged.resolve(Reports.JSON))) {
      return judged;
    }
    throw new DataException(
        run.toString(),
        "a folder with a report.json, which demo, start, judge, select and tune write",
        Files.exists(run) ? "one without" : "nothing");
  }

  private static Path folder(Path run) {
    return run.endsWith(Reports.JSON) ? run.resolveSibling("") : run;
  }

  private static void show(Path page) {
    try {
      if (Desktop.isDesktopSupported() && Desktop.getDesktop().isSupported(Desktop.Action.BROWSE)) {
        Desktop.getDesktop().browse(page.toUri());
        return;
      }
    } catch (IOException e) {
      throw new ConfigException("--open", "a browser that opens " + page, e.getMessage());
    }
    throw new ConfigException("--open", "a desktop with a browser", "none");
  }
}
