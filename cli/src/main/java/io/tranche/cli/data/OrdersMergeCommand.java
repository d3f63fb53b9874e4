package io.tranche.cli.data;

import io.tranche.cli.console.Console;
import io.tranche.cli.console.ExitCode;
import io.tranche.market.DataException;
import io.tranche.market.Table;
import io.tranche.market.order.OrderFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "merge",
    mixinStandardHelpOptions = true,
    description = {
      "Merge all order files of a folder into one, as Qlib's merge_orders.py intends.",
      "Reads pickle, CSV and Parquet; writes .csv or .parquet. Without the column $close0."
    })
final class OrdersMergeCommand implements Callable<Integer> {

  @Parameters(index = "0", paramLabel = "FOLDER", description = "Order files of one split.")
  private Path folder = Path.of("");

  @Parameters(index = "1", paramLabel = "TARGET", description = "NAME.csv or NAME.parquet.")
  private Path target = Path.of("");

  @Mixin private Console console = new Console();

  @Override
  public Integer call() {
    Table merged = OrderFiles.merge(folder);
    try {
      OrderFiles.write(merged, target);
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
    console.out().printf("%s: %d orders%n", target, merged.rows());
    return ExitCode.OK;
  }
}
