package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.option.BarShapeOptions;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.synthetic.Book;
import io.tranche.market.synthetic.SyntheticConfig;
import io.tranche.market.synthetic.SyntheticMarket;
import io.tranche.market.table.BarFiles;
import io.tranche.market.table.ColumnMapping;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "generate",
    mixinStandardHelpOptions = true,
    description = {
      "Generate bars of the embedded market (docs/embedded-market.md), one instrument at a time.",
      "Writes .csv, .parquet, or a .bin store where TARGET has no extension."
    })
final class DataGenerateCommand implements Callable<Integer> {

  @Parameters(paramLabel = "TARGET", description = "NAME.csv, NAME.parquet, or a folder.")
  private Path target = Path.of("");

  @Mixin private BarShapeOptions shape = new BarShapeOptions();

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Of all draws (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--instruments",
      paramLabel = "N",
      defaultValue = "60",
      description = "How many (default: ${DEFAULT-VALUE}).")
  private int instruments;

  @Option(
      names = "--days",
      paramLabel = "N",
      defaultValue = "150",
      description = "How many trading days (default: ${DEFAULT-VALUE}).")
  private int days;

  @Option(
      names = "--signal",
      paramLabel = "S",
      defaultValue = "1",
      description =
          "How much there is to learn, from 0 (nothing) to 1.5 (default: ${DEFAULT-VALUE}).")
  private double signal;

  @Option(
      names = "--book",
      defaultValue = "none",
      description = "${COMPLETION-CANDIDATES}: quotes, or depth too (default: ${DEFAULT-VALUE}).")
  private Book book = Book.NONE;

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    ColumnMapping wanted = shape.applyTo(ColumnMapping.DEFAULT);
    SyntheticConfig usual = SyntheticConfig.DEFAULT;
    var market =
        new SyntheticMarket(
            usual
                .withSeed(seed)
                .withSize(instruments, days)
                .withBars(
                    wanted.session() == null ? usual.session() : wanted.session(),
                    wanted.frequency() == null ? usual.frequency() : wanted.frequency())
                .withSignal(signal)
                .withBook(book));
    BarFiles.Conversion done;
    try (BarWriter writer = BarFiles.create(target);
        var progress = new Progress(console.err(), "generating")) {
      done = BarFiles.convert(market, writer, (at, all) -> progress.update(at, all, null));
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    console.out().printf("%s: %d instruments, %d bars%n", target, done.instruments(), done.bars());
    return ExitCode.OK;
  }
}
