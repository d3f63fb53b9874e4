package io.tranche.run.play;

import io.tranche.files.PendingFile;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/// `result.csv`: how each order ended. Qlib's dialect has its own file of this name.
public final class ResultFile {

  public static final String NAME = "result.csv";

  private static final String HEADER =
      "instrument,side,date,start,end,amount,filled,completion,average_price,benchmark_price,"
          + "advantage_bps,cost_bps,net_advantage_bps";

  private ResultFile() {}

  /// Writes one row per order, with every digit; what is not known is empty.
  ///
  /// @return the file
  /// @throws DataException if it cannot be written
  public static Path write(List<OrderResult> results, Path folder) {
    Path target = folder.resolve(NAME);
    try {
      Files.createDirectories(folder.toAbsolutePath());
      PendingFile.write(
          target,
          HEADER
              + "\n"
              + results.stream().map(ResultFile::row).collect(Collectors.joining())
              );
      return target;
    } catch (IOException e) {
      throw DataException.unwritable(target, e);
    }
  }

  private static String row(OrderResult result) {
    var order = result.order();
    String numbers =
        DoubleStream.of(
                order.amount(),
                result.filled(),
                result.completion(),
                result.averagePrice(),
                result.benchmarkPrice(),
                result.advantageBps(),
                result.costBps(),
                result.netAdvantageBps())
            .mapToObj(number -> Double.isNaN(number) ? "" : Double.toString(number))
            .collect(Collectors.joining(","));
    return "%s,%s,%s,%s,%s,%s%n"
        .formatted(
            order.instrument(),
            order.side() == Side.BUY ? "buy" : "sell",
            order.date(),
            order.start(),
            order.end(),
            numbers)
        .replace(System.lineSeparator(), "\n");
  }
}
