package io.tranche.cli.training;

import io.tranche.analysis.Prospect;
import io.tranche.analysis.judge.Judge;
import io.tranche.analysis.judge.Judgement;
import io.tranche.analysis.judge.RunReport;
import io.tranche.analysis.judge.ValidationVerdicts;
import io.tranche.cli.backtest.JudgementTable;
import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.console.Version;
import io.tranche.cli.option.Arguments;
import io.tranche.config.ConfigException;
import io.tranche.execution.baseline.LinearBaseline;
import io.tranche.files.StagedFolder;
import io.tranche.market.DataException;
import io.tranche.market.order.OrderGenerator;
import io.tranche.market.synthetic.Benchmarks;
import io.tranche.market.synthetic.Law;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.run.DataSettings.BarData;
import io.tranche.run.DataSettings.Orders;
import io.tranche.run.ExecutionRun;
import io.tranche.run.RunCheckpoints;
import io.tranche.run.RunFolder;
import io.tranche.run.TrainingOptions;
import io.tranche.run.TrainingRun;
import io.tranche.run.play.Difference;
import io.tranche.run.play.Summary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description = {
      "Generate the embedded market, train an agent on it, and report whether it beats TWAP.",
      "Needs no download, no account and no file. Writes a run directory with its data,"
          + " checkpoints, metrics",
      "and report.html (docs/configuration.md)."
    })
public final class DemoCommand implements Callable<Integer> {

  /// What marks a folder as a demo's, so that the next one may replace it.
  private static final String MARK = "demo.yml";

  private static final int STEP_SECONDS = 30 * 60;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the market, the orders and the agent (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--out",
      paramLabel = "OUT",
      defaultValue = "runs/demo",
      description =
          "A new or empty folder; an earlier demo is replaced (default: ${DEFAULT-VALUE}).")
  private Path out = Path.of("runs/demo");

  @Option(
      names = "--signal",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "How much there is to learn, from 0 (nothing) to 1.5 (default: ${DEFAULT-VALUE}).")
  private double signal;

  @Option(
      names = "--law",
      paramLabel = "NAME",
      defaultValue = "pulse",
      description =
          "What there is to learn: ${COMPLETION-CANDIDATES} (docs/embedded-market.md; default:"
              + " ${DEFAULT-VALUE}).")
  private Law law = Law.PULSE;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      defaultValue = "80",
      description =
          "Iterations of training; with a few the agent learns little (default: ${DEFAULT-VALUE}).")
  private int iterations;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Arguments.atLeast("--iterations", 1, iterations);
    requireFree();
    new RunFolder(out).lock().close(); // an earlier demo may be at work in it
    PrintWriter print = console.out();
    var market =
        new SyntheticMarket(SyntheticConfig.DEFAULT.withSeed(seed).withLaw(law).withSignal(signal));
    var benchmarks = new Benchmarks(market, market.wholeDay(STEP_SECONDS));
    begin(DemoPicture.of(market, benchmarks));
    prospects(market, Prospect.of(benchmarks), benchmarks.optimum().savedImpact(), print);
    var run = new RunFolder(out);
    try (var display = new TrainingDisplay(console);
        TrainingRun<?> training =
            TrainingRun.open(
                demo(market.config()),
                TrainingOptions.in(out),
                display::making,
                display,
                Clock.systemUTC())) {
      if (!train(training)) {
        return ExitCode.INTERRUPTED;
      }
      RunCheckpoints.Chosen weights = RunCheckpoints.chosen(run, null);
      training.load(weights.file());
      Judge<?> judge = Judge.of(training);
      LinearBaseline linear = judge.linear();
      Judgement judgement =
          judge.judge(
              (test, yardsticks) ->
                  yardsticks
                      .withVwap(test, market)
                      .withLinear(test, linear)
                      .withOptimum(test, market, benchmarks.optimum()));
      RunReport.of(
              run,
              "The embedded market, seed " + seed,
              judgement,
              training.parts().run().costs(),
              Version.text())
          .write(out);
      display.result("");
      report(judgement, weights, print);
    }
    return ExitCode.OK;
  }

  /// Returns whether training went through.
  private static boolean train(TrainingRun<?> training) {
    try (var signal = new StopSignal(training::requestStop)) {
      training.train(null, new ValidationVerdicts<>(training));
      return !signal.hasArrived();
    }
  }

  /// All the rest is as the recipe has it.
  private ExecutionRun demo(SyntheticConfig market) {
    ExecutionRun recipe = ExecutionRun.DEFAULT;
    return recipe
        .withData(
            BarData.DEFAULT.withOrders(new Orders.Generated(OrderGenerator.DEFAULT.withSeed(seed))))
        .withMarket(market)
        .withTrainer(recipe.trainer().withSeed(seed).withMaxIterations(iterations));
  }

  private void requireFree() {
    String[] entries = out.toFile().list((_, name) -> !name.equals("lock"));
    if (Files.exists(out)
        && !Files.exists(out.resolve(MARK))
        && (entries == null || entries.length > 0)) {
      throw new ConfigException("--out", "a new or empty folder, or an earlier demo", out);
    }
  }

  /// Puts an empty run in the place of an earlier demo.
  private void begin(String picture) {
    try (StagedFolder staged = StagedFolder.create(out)) {
      Files.writeString(staged.folder().resolve("market.svg"), picture);
      Files.writeString(
          staged.folder().resolve(MARK),
          "seed: %d%nlaw: %s%nsignal: %s%n".formatted(seed, law.word(), signal));
      staged.commit();
    } catch (IOException e) {
      throw DataException.unwritable(out, e);
    }
  }

  /// @param saved the part of TWAP's impact that the best schedule saves
  private void prospects(
      SyntheticMarket market, List<Prospect> prospects, double saved, PrintWriter print) {
    print.printf(
        "embedded market, law %s, seed %d: %d instruments, %d days of %d bars (%s, %s)%n",
        law.word(),
        seed,
        market.instruments().size(),
        market.calendar().days(),
        market.calendar().dayEnd(0),
        market.calendar().frequency(),
        market.config().session().name());
    if (law == Law.IMPACT && signal > 0) {
      print.printf(
          "Prices cannot be predicted. Our own trading moves them: the best fixed schedule saves"
              + " %.0f %% of what TWAP pays for that.%n",
          100 * saved);
      print.flush();
      return;
    }
    Summary test = null;
    for (Prospect prospect : prospects) {
      test = prospect.side() == null ? prospect.optimum() : test;
    }
    if (test != null) {
      print.println(prospect(test));
    }
    print.flush();
  }

  private static String prospect(Summary test) {
    Difference optimum = Difference.of(test);
    return optimum.isAboveZero()
        ? "An agent can gain up to %.1f ± %.1f bps per order over TWAP on the test days."
            .formatted(optimum.meanBps(), optimum.margin())
        : "There is nothing to learn in this market: no policy beats TWAP on the test days.";
  }

  private void report(Judgement judgement, RunCheckpoints.Chosen weights, PrintWriter print) {
    String orders =
        "On the test days, %d orders".formatted(judgement.yardsticks().twap().orders().size());
    JudgementTable.print(orders, judgement, print);
    print.printf(
        "%s: report.html, config.yml, metrics.jsonl, market.svg, data, checkpoints (judged: %s, %s)%n",
        out, weights.file().getFileName(), weights.reason());
  }
}
