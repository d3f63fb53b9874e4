package io.tranche.cli.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tranche.cli.model.DecisionWriter;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.work.decide.OrderOutcome;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/// Writes one CSV row per order when it is done.
final class OutcomeWriter implements AutoCloseable {

  private static final String HEADER =
      "id,instrument,date,side,amount,filled,average_price,twap_price,advantage_bps\n";

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
              number(outcome.averagePrice()),
              number(outcome.twapPrice()),
              number(outcome.advantageBps())));
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
