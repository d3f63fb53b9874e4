package io.tranche.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.console.StopSignal;
import io.tranche.cli.model.DecisionWriter;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.cache.CachedBars;
import io.tranche.market.order.NamedOrder;
import io.tranche.run.play.CheckedOrders;
import io.tranche.run.play.OrderResult;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.DecisionMaker.Wants;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderOutcome;
import io.tranche.work.decide.OrderReplayListener;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

@Command(
    name = "replay",
    description = {
      "Drive a model or a running service from bars, recorded or generated (docs/replay.md).",
      "Shows orders, fills, advantage over TWAP and latency while it runs. Child orders are assumed to be filled at the"
          + " bars of their step, as in the simulator that the model was trained in. Ctrl-C ends the replay with its summary."
    })
public final class ReplayCommand implements Callable<Integer> {

  private static final int SERIES_KEPT = 256;
  private static final Duration FOR_EVER = Duration.ofDays(36_500);

  @Mixin private TargetOptions target = new TargetOptions();

  @Mixin private ReplayOptions played = new ReplayOptions();

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "max",
      description =
          "1 for market time, 60 for one hour per minute, max for as fast as possible (default:"
              + " ${DEFAULT-VALUE}). Breaks and nights take as long as one bar.")
  private String speed = "max";

  @Option(names = "--loop", description = "Start again when the bars end, until Ctrl-C.")
  private boolean loops;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      description = "Start again when the bars end, until this time is over: 90s, 10m, 8h.")
  private @Nullable String length;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "File of the result: .json for the figures, .csv for one row per order.")
  private @Nullable Path out;

  @Option(
      names = "--decisions",
      paramLabel = "FILE",
      description = "File of the child orders, as tranche decide writes them: .csv or .jsonl.")
  private @Nullable Path decisions;

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    played.check();
    double times = times();
    Duration longest = length == null ? FOR_EVER : duration("--for", length);
    boolean isTable = out != null && out.toString().endsWith(".csv");
    if (out != null && !isTable && !out.toString().endsWith(".json")) {
      throw new ConfigException("--out", "a file .json or .csv", out);
    }
    var tally = new ReplayTally();
    var stop = new StopRequest();
    PrintWriter err = console.err();
    List<String> skipped = List.of();
    try (Plugins.Loaded _ = plugins.load();
        ReplayTarget to = target.open(stop, tally);
        var signal = new StopSignal(stop::request)) {
      var table = new ReplayTally.Table(to.name(), tally);
      Wants wants = to.maker(0, 0).wants();
      try (BarSource opened = played.open(wants);
          BarSource bars = new CachedBars(opened, SERIES_KEPT);
          var screen = new ReplayScreen(err, table, mode(), System::nanoTime);
          DecisionWriter written = decisions == null ? null : writer(decisions, err);
          OutcomeWriter outcomes = out == null || !isTable ? null : new OutcomeWriter(out)) {
        CheckedOrders checked = played.orders(bars);
        skipped = checked.faults();
        skipped.forEach(fault -> err.println("skipped: " + fault));
        List<NamedOrder> orders = checked.named();
        InputOptions.tellSetAside(opened, orders, err);
        var pace = new MarketPace(times, wants.frequency(), longest, stop, screen::update);
        new Replay(
                to,
                orders,
                tally,
                new Recorder(tally, screen, written, outcomes, err),
                pace,
                () -> (loops || length != null) && !pace.isOver())
            .over(played.where(), bars);
      } finally {
        if (tally.hasBegun()) { // also if it failed later: what it did is done
          table.summary().forEach(console.out()::println);
          console.out().flush();
          if (out != null && !isTable) {
            write(out, table);
          }
        }
      }
      if (signal.hasArrived()) {
        return ExitCode.INTERRUPTED;
      }
      return skipped.isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    }
  }

  private static DecisionWriter writer(Path file, PrintWriter err) {
    return new DecisionWriter(err, file, DecisionWriter.Format.of(file), err);
  }

  private ReplayScreen.Mode mode() {
    if (console.isQuiet()) {
      return ReplayScreen.Mode.NOT_AT_ALL;
    }
    return Progress.isTerminal() ? ReplayScreen.Mode.REDRAWN : ReplayScreen.Mode.LINES;
  }

  private double times() {
    if (speed.toLowerCase(Locale.ROOT).equals("max")) {
      return Double.POSITIVE_INFINITY;
    }
    try {
      double times = Double.parseDouble(speed);
      if (times > 0 && times < Double.POSITIVE_INFINITY) {
        return times;
      }
    } catch (NumberFormatException _) {
      // named below
    }
    throw new ConfigException("--speed", "a number above 0, or max", speed);
  }

  /// Reads a time such as 90s, 10m or 1h30m.
  static Duration duration(String option, String text) {
    try {
      Duration duration = Duration.parse("PT" + text);
      if (duration.isPositive() && duration.compareTo(FOR_EVER) <= 0) {
        return duration;
      }
    } catch (DateTimeParseException _) {
      // named below
    }
    throw new ConfigException(option, "a time such as 90s, 10m or 8h", text);
  }

  private static void write(Path file, ReplayTally.Table table) {
    try {
      Files.writeString(
          file,
          new JsonMapper().writerWithDefaultPrettyPrinter().writeValueAsString(table.figures())
              + "\n");
    } catch (IOException e) {
      throw DataException.unwritable(file, e);
    }
  }

  /// Passes the events of a replay on to its displays and files.
  ///
  /// @param decisions null for no file
  /// @param outcomes null for no file
  private record Recorder(
      ReplayTally tally,
      ReplayScreen screen,
      @Nullable DecisionWriter decisions,
      @Nullable OutcomeWriter outcomes,
      PrintWriter err)
      implements OrderReplayListener {

    @Override
    public void opened(NamedOrder order) {
      tally.opened(order);
    }

    @Override
    public void took(int bars) {
      tally.took(bars);
    }

    @Override
    public void decided(OrderDecision decision) {
      tally.decided(decision);
      if (decisions != null) {
        decisions.decided(decision);
      }
    }

    @Override
    public void filled(DecisionMaker.Fill fill) {
      tally.filled(fill);
    }

    @Override
    public void concluded(OrderOutcome outcome) {
      tally.concluded(outcome);
      if (outcomes != null) {
        outcomes.write(outcome);
      }
    }

    @Override
    public void warned(String warning) {
      screen.clear();
      err.println("warning: " + warning);
    }
  }

  /// Writes one CSV row per order when it is done.
  private static final class OutcomeWriter implements AutoCloseable {

    private static final String HEADER =
        "id,instrument,date,side,amount,filled,completion,average_price,benchmark_price,"
            + "advantage_bps,cost_bps,net_bps\n";

    private final Path file;
    private final Writer out;

    /// @throws DataException if it cannot be written
    OutcomeWriter(Path file) {
      this.file = file;
      try {
        out = Files.newBufferedWriter(file, UTF_8);
        out.write(HEADER);
      } catch (IOException e) {
        throw DataException.unwritable(file, e);
      }
    }

    /// @throws DataException if the file can no longer be written
    void write(OrderOutcome outcome) {
      Order order = outcome.named().order();
      OrderResult result = outcome.result();
      try {
        out.write(
            String.join(
                ",",
                DecisionWriter.cell(outcome.named().id()),
                DecisionWriter.cell(order.instrument()),
                outcome.date().toString(),
                order.side().name().toLowerCase(Locale.ROOT),
                Double.toString(order.amount()),
                Double.toString(outcome.filled()),
                Double.toString(outcome.completion()),
                number(outcome.averagePrice()),
                number(result == null ? Double.NaN : result.benchmarkPrice()),
                number(result == null ? Double.NaN : result.advantageBps()),
                number(result == null ? Double.NaN : result.costBps()),
                number(result == null ? Double.NaN : result.netAdvantageBps())));
        out.write('\n');
      } catch (IOException e) {
        throw DataException.unwritable(file, e);
      }
    }

    private static String number(double value) {
      return Double.isNaN(value) ? "" : Double.toString(value);
    }

    @Override
    public void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw DataException.unwritable(file, e);
      }
    }
  }
}
