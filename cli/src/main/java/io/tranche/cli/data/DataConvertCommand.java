package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Progress;
import io.tranche.cli.option.InputOptions;
import io.tranche.cli.option.PlaceOptions;
import io.tranche.market.BarSource;
import io.tranche.market.BarWriter;
import io.tranche.market.DataException;
import io.tranche.market.table.BarFiles;
import io.tranche.work.JobBackend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    description = {
      "Convert bars from any readable format to any writable one.",
      "Reads Qlib .bin stores, CSV, Parquet and pickles; writes .csv, .parquet, or a .bin store where TARGET has",
      "no extension. TARGET appears when it is complete."
    })
final class DataConvertCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description =
          "A store, a file or a folder of files; with --on a Parquet table that the cluster reads,"
              + " such as hdfs://HOST/bars, iceberg:LOCATION, or table:NAME of its catalog.")
  private String source = "";

  @Parameters(
      index = "1",
      paramLabel = "TARGET",
      description = "NAME.csv, NAME.parquet, or a folder.")
  private Path target = Path.of("");

  @Mixin private InputOptions input = new InputOptions();

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    if (place.isLocal()) {
      return convert(BarFiles.openCounting(Path.of(source), input.mapping()));
    }
    try (JobBackend backend = place.open(1, List.of(), console.err())) {
      return convert(backend.bars(source, input.mapping()));
    }
  }

  private int convert(BarSource opened) {
    var out = console.out();
    BarFiles.Conversion done;
    try (BarSource bars = opened;
        BarWriter writer = BarFiles.create(target);
        var progress = new Progress(console.err(), "converting")) {
      done = BarFiles.convert(bars, writer, (at, all) -> progress.update(at, all, null));
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    out.printf("%s: %d instruments, %d bars%n", target, done.instruments(), done.bars());
    if (done.rounded() > 0) {
      out.printf(
          "%d numbers were rounded to single precision, the precision of frames and stores%n",
          done.rounded());
    }
    return ExitCode.OK;
  }
}
