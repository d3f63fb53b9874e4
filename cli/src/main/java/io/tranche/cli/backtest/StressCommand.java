package io.tranche.cli.backtest;

import io.tranche.analysis.Verdict;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.JudgedOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.work.judge.Seeds;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.stress.Certificate;
import io.tranche.work.stress.Condition;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "stress",
    description = {
      "Judge a trained run under many conditions: costs, spread, impact, late bars, volatility, volume, trend, halts,"
          + " missing bars, months, other instruments and other seeds (docs/judging.md).",
      "Writes certificate.md: where the agent is better than TWAP, no different and worse, corrected for the number of conditions."
    })
public final class StressCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "RUN", description = "A run directory of tranche train.")
  private Path run = Path.of("");

  @Parameters(
      index = "1..*",
      paramLabel = "OTHER",
      description =
          "Runs of the same configuration with other seeds: their agents are judged too, as those of"
              + " the seeds in RUN are.")
  private List<Path> others = new ArrayList<>();

  @Mixin private JudgedOptions judged = new JudgedOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the certificate (default: stress in RUN).")
  private @Nullable Path out;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private @Nullable Integer threads;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    var folder = new RunFolder(run);
    if (!Files.isRegularFile(folder.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train", run);
    }
    Map<String, RunCheckpoints.Chosen> seeds = seeds(folder);
    Path target = out == null ? run.resolve("stress") : out;
    try (Plugins.Loaded _ = plugins.load();
        FolderLock _ = new RunFolder(target).lock();
        TrainedRun<?> trained =
            TrainedRun.open(
                folder, judged.input(), target, threads(), (_, _, _) -> {}, console::warn)) {
      RunCheckpoints.Chosen weights = RunCheckpoints.chosen(folder, judged.weights());
      PrintWriter print = console.out();
      print.println("weights: " + weights);
      trained.skipped().forEach(fault -> console.err().println("skipped: " + fault));
      trained.load(weights);
      Estimate.tell("stress, for each level of frictions", trained, console);
      var certificate =
          new Certificate(
              weights.toString(),
              trained.stress(seeds, name -> console.err().println("orders with " + name)));
      certificate.write(target);
      print(certificate, print);
      print.printf("certificate: %s%n", target.resolve("certificate.md"));
      return trained.skipped().isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    }
  }

  /// Returns the weights of the run's other seeds, and of the other runs, by the names of their
  /// conditions.
  private Map<String, RunCheckpoints.Chosen> seeds(RunFolder own) {
    var folders = new ArrayList<RunFolder>(Seeds.others(own));
    for (Path other : others) {
      var folder = new RunFolder(other);
      if (!Files.isRegularFile(folder.config())) {
        throw new ConfigException("OTHER", "a run directory of tranche train", other);
      }
      folders.add(folder);
    }
    String wanted = judged.weights();
    // A checkpoint is one of RUN, so the others take what was chosen of them.
    String which = "best".equals(wanted) || "last".equals(wanted) ? wanted : null;
    var seeds = new LinkedHashMap<String, RunCheckpoints.Chosen>();
    for (RunFolder each : folders) {
      seeds.put("trained as " + each.folder(), RunCheckpoints.chosen(each, which));
    }
    return seeds;
  }

  private int threads() {
    return threads == null
        ? Runtime.getRuntime().availableProcessors()
        : Arguments.atLeast("--threads", 1, threads);
  }

  /// All orders under each level of frictions, and every condition that differs from TWAP.
  private static void print(Certificate certificate, PrintWriter print) {
    print.printf("%-52s %6s %5s %22s  %s%n", "", "orders", "days", "bps over TWAP", "outcome");
    for (Condition each : certificate.conditions()) {
      Verdict.Kind outcome = each.outcome();
      boolean isPlain = each.regime().equals("all orders");
      if (isPlain || outcome == Verdict.Kind.BETTER || outcome == Verdict.Kind.WORSE) {
        var gain = each.difference();
        print.printf(
            "%-52s %6d %5d %22s  %s%n",
            each.frictions() + ", " + each.regime(),
            gain.orders(),
            gain.days(),
            Text.of("%+.2f ± %.2f", gain.meanBps(), gain.margin()),
            outcome.words());
      }
    }
    print.println();
    print.println(certificate.summary());
  }
}
