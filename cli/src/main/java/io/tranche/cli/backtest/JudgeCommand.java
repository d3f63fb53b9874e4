package io.tranche.cli.backtest;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.judge.ResultFile;
import io.tranche.analysis.judge.RunReport;
import io.tranche.analysis.record.OrderRecordWriter;
import io.tranche.analysis.record.OrderRecorder;
import io.tranche.analysis.report.Reports;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.JsonOption;
import io.tranche.cli.option.JudgedOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.files.FolderLock;
import io.tranche.market.BarSource;
import io.tranche.market.order.OrderFiles;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.order.TradingDays;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.runtime.LoadedModel;
import io.tranche.runtime.ModelSpec;
import io.tranche.work.decide.RuntimeDecisions;
import io.tranche.work.judge.JudgedBundle;
import io.tranche.work.judge.TrainedRun;
import io.tranche.work.stress.Condition;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "judge",
    description = {
      "Judge a trained run or a bundle on orders that it was not trained on (docs/judging.md).",
      "Compares it with TWAP, VWAP, constant actions and the oracle under the same costs, and writes"
          + " report.html."
    })
public final class JudgeCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "RUN|BUNDLE|RESULTS",
      description =
          "A run directory of tranche train, a bundle of tranche export, or a table of results such"
              + " as result.csv of a backtest.")
  private Path source = Path.of("");

  @Mixin private JudgedOptions judged = new JudgedOptions();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the report (default: judge, in RUN or beside BUNDLE).")
  private @Nullable Path out;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of threads; does not change the result (default: all cores).")
  private @Nullable Integer threads;

  @Option(
      names = "--record",
      paramLabel = "N|all",
      description =
          "Record so many orders decision by decision for tranche dashboard (default: 100), evenly"
              + " spread from the worst to the best; needs time and about 10 kB for each.")
  private String record = "100";

  @Option(
      names = "--no-sensitivity",
      description = "Leave out what other costs, impact and late bars would change.")
  private boolean insensitive;

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private JsonOption json = new JsonOption();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    if (!Files.exists(source)) {
      throw new ConfigException(
          "RUN|BUNDLE", "a run directory of tranche train, or a bundle", "nothing at " + source);
    }
    recorded(); // before the work begins
    if (ResultFile.isTable(source)) {
      return judgeResults();
    }
    try (Plugins.Loaded _ = plugins.load();
        FolderLock _ = new RunFolder(target()).lock()) {
      return Files.isDirectory(source) ? judgeRun() : judgeBundle();
    }
  }

  private Path target() {
    if (out != null) {
      return out;
    }
    return new RunFolder(Files.isDirectory(source) ? source : source.resolveSibling("")).judged();
  }

  private int threads() {
    return threads == null
        ? Runtime.getRuntime().availableProcessors()
        : Arguments.atLeast("--threads", 1, threads);
  }

  private int recorded() {
    if (record.equals("all")) {
      return OrderRecorder.ALL;
    }
    if (!record.matches("[0-9]{1,9}")) {
      throw new ConfigException("--record", "a number of orders, or all", record);
    }
    return Integer.parseInt(record);
  }

  private int judgeRun() {
    if (input.isGiven()) {
      throw new ConfigException(
          "--mapping, --session and the like",
          "a bundle; a run says how its bars are read",
          source);
    }
    var folder = new RunFolder(source);
    if (!Files.isRegularFile(folder.config())) {
      throw new ConfigException("RUN", "a run directory of tranche train, or a bundle", source);
    }
    RunCheckpoints.Chosen weights = RunCheckpoints.chosen(folder, judged.weights());
    PrintWriter print = console.out();
    if (!json.isWanted()) {
      print.printf("weights: %s%n", weights);
    }
    try (TrainedRun<?> run =
        TrainedRun.open(
            folder, judged.input(), target(), threads(), (_, _, _) -> {}, console::warn)) {
      run.skipped().forEach(fault -> console.err().println("skipped: " + fault));
      run.load(weights);
      Estimate.tell("judge", run, console);
      Judgement judgement = run.judgement();
      List<Condition> others = insensitive ? List.of() : run.sensitivity();
      String spread = run.spread();
      if (!spread.isEmpty() && !json.isWanted()) {
        print.println(spread);
      }
      RunReport.of(folder, title(), judgement, run.run().costs(), Version.text())
          .withNote(
              "Weights: %s.%s%s"
                  .formatted(weights, spread.isEmpty() ? "" : " " + spread + ".", note(others)))
          .withWarnings(run.skipped().stream().map(fault -> "skipped: " + fault).toList())
          .write(target());
      run.record(target().resolve(OrderRecordWriter.FILE), judgement, recorded());
      return finish(judgement, others, run.skipped().size());
    }
  }

  /// Nothing is simulated, so there is no report: a verdict on numbers that others made.
  private int judgeResults() {
    if (judged.isGiven() || input.isGiven() || out != null) {
      throw new ConfigException(
          "RESULTS", "no --orders, --bars, --costs, --weights or --out", "some of them");
    }
    Comparison results = ResultFile.compare(source);
    if (json.isWanted()) {
      JsonOption.print(JudgementJson.of(results), console);
    } else {
      console
          .out()
          .printf("%d orders: %s%n", results.together().orders(), Verdict.of(results).sentence());
    }
    return ExitCode.OK;
  }

  private int judgeBundle() {
    Path bars = judged.bars();
    Path orders = judged.orders();
    if (bars == null || orders == null || judged.weights() != null) {
      throw new ConfigException("BUNDLE", "--bars and --orders, and no --weights", "others");
    }
    LoadedModel model = LoadedModel.open(source);
    ModelSpec spec = model.spec();
    try (BarSource opened = input.open(bars, new RuntimeDecisions(model).wants())) {
      ReadOrders named = OrderFiles.readRows(orders, TradingDays.of(opened));
      InputOptions.tellSetAside(opened, named.orders(), console.err());
      try (var bundle =
          new JudgedBundle(model, opened, named, judged.costs(), judged.skipsBad(), threads())) {
        return judgeBundle(bundle, spec);
      }
    }
  }

  private int judgeBundle(JudgedBundle bundle, ModelSpec spec) {
    bundle.skipped().forEach(fault -> console.err().println("skipped: " + fault));
    Judgement judgement = bundle.judgement();
    List<Condition> others = insensitive ? List.of() : bundle.sensitivity();
    new RunReport(
            title(),
            "Executed by the recipe of the bundle." + note(others),
            judgement,
            bundle.costs(),
            List.of(),
            List.of(),
            bundle.skipped().stream().map(fault -> "skipped: " + fault).toList(),
            spec.toYaml(),
            Version.text())
        .write(target());
    bundle.record(target().resolve(OrderRecordWriter.FILE), judgement, recorded());
    return finish(judgement, others, bundle.skipped().size());
  }

  private String title() {
    return "Judgement of " + source.toAbsolutePath().normalize().getFileName();
  }

  /// Says in a sentence what other frictions would change; nothing if there are none.
  private static String note(List<Condition> others) {
    return others.isEmpty()
        ? ""
        : " Over TWAP with other frictions, in basis points: %s."
            .formatted(others.stream().map(Condition::text).collect(Collectors.joining("; ")));
  }

  private int finish(Judgement judgement, List<Condition> others, int skipped) {
    PrintWriter print = console.out();
    if (json.isWanted()) {
      Map<String, Object> result = JudgementJson.of(judgement);
      result.put("sensitivity", others.stream().map(Condition::facts).toList());
      result.put("report", target().resolve(Reports.HTML).toString());
      JsonOption.print(result, console);
    } else {
      int count = judgement.yardsticks().twap().orders().size();
      JudgementTable.print("%d orders".formatted(count), judgement, print);
      if (!others.isEmpty()) {
        print.println(note(others).strip());
      }
      print.printf("report: %s%n", target().resolve(Reports.HTML));
    }
    if (skipped > 0) {
      console.err().printf("%d orders were skipped%n", skipped);
    }
    return skipped > 0 ? ExitCode.FAILED_ORDERS : ExitCode.OK;
  }
}
