package io.tranche.dashboard.orders;

import io.tranche.analysis.record.OrderRecordWriter;
import io.tranche.analysis.record.RecordHeader;
import io.tranche.analysis.record.RecordedOrder;
import io.tranche.analysis.record.RecordedOrders;
import io.tranche.dashboard.http.WebException;
import io.tranche.dashboard.http.WebRequest;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Side;
import io.tranche.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The explorer of judged orders. The record that was looked at last stays open.
public final class OrderPages implements AutoCloseable {

  private static final int MOST_ROWS = 500;

  private @Nullable String stamp;
  private @Nullable OrderTable open;

  /// Returns a page of the orders of a run.
  ///
  /// @throws DataException if the record is damaged
  public synchronized Map<String, Object> list(Path folder, WebRequest request) {
    OrderTable table = table(folder);
    if (table == null) {
      return Map.of("missing", true);
    }
    String sort = request.optional("sort");
    if (sort != null && !OrderTable.SORTED.contains(sort)) {
      throw WebException.malformed(
          "sort: expected one of %s, was %s".formatted(OrderTable.SORTED, sort));
    }
    var wish =
        new OrderTable.Wish(
            sort == null ? "net" : sort,
            "1".equals(request.optional("down")),
            request.optional("instrument"),
            day(request.optional("day")),
            side(request.optional("side")),
            request.decimal("least", Double.NaN, 0, 1e9),
            request.decimal("most", Double.NaN, 0, 1e9),
            "1".equals(request.optional("recorded")));
    return table.page(
        wish,
        request.number("offset", 0, 0, Integer.MAX_VALUE),
        request.number("limit", 50, 1, MOST_ROWS));
  }

  private static @Nullable LocalDate day(@Nullable String text) {
    try {
      return text == null ? null : LocalDate.parse(text);
    } catch (DateTimeParseException _) {
      throw WebException.malformed("day: expected a day such as 2024-03-01, was " + text);
    }
  }

  private static @Nullable Side side(@Nullable String text) {
    return switch (text) {
      case null -> null;
      case "BUY" -> Side.BUY;
      case "SELL" -> Side.SELL;
      default -> throw WebException.malformed("side: expected BUY or SELL, was " + text);
    };
  }

  /// Returns one order with its decisions.
  ///
  /// @throws DataException if the record is damaged
  public synchronized Map<String, @Nullable Object> order(Path folder, int index) {
    OrderTable table = table(folder);
    if (table == null) {
      throw WebException.missing("%s: expected a record of orders, was none".formatted(folder));
    }
    RecordHeader header = table.orders().header();
    if (index >= header.orders()) {
      throw WebException.missing(
          "index: expected an order below %d, was %d".formatted(header.orders(), index));
    }
    var page = new LinkedHashMap<String, @Nullable Object>();
    page.put("order", table.row(index));
    page.put("scores", header.scores().name());
    page.put("features", header.features());
    RecordedOrder steps = table.steps(index);
    page.put("steps", steps);
    page.put(
        "times",
        steps == null
            ? null
            : steps.ticks().stream()
                .map(tick -> BarTime.dateTime(tick.time()).toLocalTime().toString())
                .toList());
    return page;
  }

  /// Returns the table of a run's newest record; null if there is none.
  private @Nullable OrderTable table(Path folder) {
    Path judged = new RunFolder(folder).judged().resolve(OrderRecordWriter.FILE);
    Path file = Files.exists(judged) ? judged : folder.resolve(OrderRecordWriter.FILE);
    if (!Files.exists(file)) {
      return null;
    }
    String now;
    try {
      now = "%s %s %d".formatted(file, Files.getLastModifiedTime(file), Files.size(file));
    } catch (IOException _) {
      return null; // deleted at this moment
    }
    OrderTable known = open;
    if (known != null && now.equals(stamp)) {
      return known;
    }
    close();
    var table = new OrderTable(RecordedOrders.open(file));
    open = table;
    stamp = now;
    return table;
  }

  @Override
  public synchronized void close() {
    if (open != null) {
      open.close();
    }
    open = null;
    stamp = null;
  }
}
