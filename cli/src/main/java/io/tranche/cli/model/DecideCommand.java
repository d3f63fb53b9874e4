package io.tranche.cli.model;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.Plugins;
import io.tranche.config.ConfigException;
import io.tranche.market.BarSource;
import io.tranche.market.DataException;
import io.tranche.market.order.ReadOrders;
import io.tranche.market.order.TradingDays;
import io.tranche.market.table.ColumnMapping;
import io.tranche.run.play.CheckedOrders;
import io.tranche.runtime.LoadedModel;
import io.tranche.work.decide.DecideRun;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.DecisionMaker.Wants;
import io.tranche.work.decide.LineInput;
import io.tranche.work.decide.Pace;
import io.tranche.work.decide.ReplaySummary;
import io.tranche.work.decide.RuntimeDecisions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
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
    name = "decide",
    description = {
      "Print a model's decisions for orders, from bars of a file or as they arrive (docs/runtime.md).",
      "Without --fills each child order is assumed to be filled at the bars of its step, as in the"
          + " simulator that the model was trained in.",
      "Ends when the bars end or all orders are done."
    })
public final class DecideCommand implements Callable<Integer> {

  private static final String STANDARD_INPUT = "-";

  @Parameters(
      index = "0",
      paramLabel = "BUNDLE",
      description = "A model file, as tranche export writes it.")
  private Path bundle = Path.of("");

  @Option(
      names = "--bars",
      required = true,
      paramLabel = "FILE",
      description = {
        "Bars: a store, a file or a folder of files. Features may need the days before the orders.",
        "Or - for standard input: CSV with a header, or JSON lines, ordered by time."
      })
  private String bars = "";

  @Option(names = "--follow", description = "FILE grows: read its lines as they are written.")
  private boolean follows;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description = "Bars of earlier days, if --bars are read line by line.")
  private @Nullable Path history;

  @Option(
      names = "--orders",
      required = true,
      paramLabel = "FILE",
      description =
          "Orders: instrument, side, amount, start and end, or date for the whole day; id if they"
              + " have one.")
  private Path orders = Path.of("");

  @Option(
      names = "--fills",
      paramLabel = "FILE",
      description = "Fills as CSV or JSON lines: id, datetime, volume, price.")
  private @Nullable Path fills;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "csv or jsonl (default: by the suffix of --out, else csv).")
  private DecisionWriter.@Nullable Format format;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "File of the decisions (default: standard output).")
  private @Nullable Path out;

  @Option(
      names = "--skip-bad",
      description = "Leave out orders that cannot be executed, and go on with the others.")
  private boolean skipsBad;

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private Plugins plugins = new Plugins();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    boolean isPiped = bars.equals(STANDARD_INPUT);
    if (history != null && !isPiped && !follows) {
      throw new ConfigException("--history", "bars that come line by line", "bars of a file");
    }
    if (isPiped && follows) {
      throw new ConfigException("--follow", "a file", "standard input, which is followed anyway");
    }
    try (Plugins.Loaded _ = plugins.load()) {
      var maker = new RuntimeDecisions(LoadedModel.open(bundle));
      var skipped = new ArrayList<String>();
      ReplaySummary summary = decide(maker, isPiped, skipped, console.err());
      console.note(text(summary));
      return skipped.isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
    } catch (DecisionWriter.Closed _) {
      return ExitCode.OK; // whoever read them has seen enough
    }
  }

  /// @param skipped receives the orders that are left out
  private ReplaySummary decide(
      DecisionMaker maker, boolean isPiped, List<String> skipped, PrintWriter err) {
    try (InputStream filled = fills == null ? null : opened(fills);
        var writer =
            new DecisionWriter(
                console.out(), out, format == null ? DecisionWriter.Format.of(out) : format, err)) {
      LineInput reported = filled == null || fills == null ? null : fills(fills, filled);
      Wants wants = maker.wants();
      if (isPiped || follows) {
        ReadOrders read = InputOptions.orders(orders, wants.days());
        CheckedOrders checked = CheckedOrders.of(read, _ -> {}, skipsBad);
        tellSkipped(checked, skipped, err);
        var run = new DecideRun(maker, checked.named(), reported, writer);
        if (isPiped) {
          return overLines(run, "standard input", System.in, null, wants);
        }
        Path file = Path.of(bars);
        try (InputStream in = opened(file)) {
          return overLines(run, bars, in, new GrowingFile(file, true), wants);
        }
      }
      try (BarSource source = input.open(Path.of(bars), wants)) {
        ReadOrders read = InputOptions.orders(orders, TradingDays.of(source));
        CheckedOrders checked = DecideRun.checked(read, bars, source, skipsBad);
        tellSkipped(checked, skipped, err);
        InputOptions.tellSetAside(source, checked.named(), err);
        return new DecideRun(maker, checked.named(), reported, writer)
            .over(bars, source, Pace.UNLIMITED);
      }
    } catch (IOException e) {
      throw new DataException(bars, "files that can be read", e.getMessage(), e);
    }
  }

  private static void tellSkipped(CheckedOrders checked, List<String> skipped, PrintWriter err) {
    checked.faults().forEach(fault -> err.println("skipped: " + fault));
    skipped.addAll(checked.faults());
  }

  private LineInput fills(Path file, InputStream in) {
    return new LineInput(file.toString(), in, follows ? new GrowingFile(file, false) : null);
  }

  private ReplaySummary overLines(
      DecideRun run, String name, InputStream in, LineInput.@Nullable Growth growth, Wants wants) {
    ColumnMapping mapping = input.mapping();
    var lines = new LineInput(name, in, growth);
    if (history == null) {
      return run.over(lines, mapping, null);
    }
    try (BarSource earlier = input.open(history, wants)) {
      return run.over(lines, mapping, earlier);
    }
  }

  private static InputStream opened(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new DataException(file.toString(), "a file", "none");
    }
    return Files.newInputStream(file);
  }

  private static String text(ReplaySummary summary) {
    var text = new StringBuilder();
    text.append(
        Text.of(
            "%d orders, %d decisions, filled %.4f",
            summary.orders(), summary.decisions(), summary.completion()));
    if (!Double.isNaN(summary.advantageBps())) {
      text.append(Text.of(", advantage %.2f bps against TWAP", summary.advantageBps()));
      if (summary.costBps() > 0) {
        text.append(
            Text.of(
                ", costs %.2f, net %.2f",
                summary.costBps(), summary.advantageBps() - summary.costBps()));
      }
      text.append(" (fills assumed)");
    }
    if (summary.unfinished() > 0) {
      text.append("; %d were not done when the bars ended".formatted(summary.unfinished()));
    }
    if (summary.setAside() > 0) {
      text.append("; %d bars left out".formatted(summary.setAside()));
    }
    return text.toString();
  }

  /// A file that another process appends to.
  private static final class GrowingFile implements LineInput.Growth {

    private static final long POLL_MILLIS = 50;

    private final Path file;
    private final boolean waits;
    private long largest;

    /// @param waits whether to wait for more
    GrowingFile(Path file, boolean waits) {
      this.file = file;
      this.waits = waits;
    }

    @Override
    public boolean isAwaited() throws IOException {
      long size = Files.size(file);
      if (size < largest) {
        throw new DataException(
            file.toString(), "a file that grows", "%d bytes after %d".formatted(size, largest));
      }
      largest = size;
      if (waits) {
        try {
          Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException _) {
          Thread.currentThread().interrupt();
          return false;
        }
      }
      return waits;
    }
  }
}
