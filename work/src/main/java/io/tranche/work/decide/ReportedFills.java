package io.tranche.work.decide;

import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.run.play.OrderResult;
import java.time.DateTimeException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reported fills: `id`, `datetime`, `volume` and `price`; those of one order sorted by time.
final class ReportedFills implements FillSource {

  private static final List<String> COLUMNS = List.of("id", "datetime", "volume", "price");

  private record Fill(long time, double volume, double price, String place) {}

  private final Records records;
  private final Set<String> ids;
  private final Map<String, Queue<Fill>> waiting = new HashMap<>();
  private final Map<String, Long> latest = new HashMap<>();

  /// @param ids of all orders
  ReportedFills(LineInput lines, Set<String> ids) {
    this.records = new Records(lines);
    this.ids = ids;
  }

  @Override
  public void settle(ReplayOrder order, ReplayDay day) {
    read();
    Queue<Fill> fills = waiting.get(order.named().id());
    while (fills != null && !fills.isEmpty() && fills.element().time < day.nextTime()) {
      Fill fill = fills.remove();
      order.report(fill.place, fill.volume, fill.price);
    }
  }

  /// Reads new lines.
  private void read() {
    List<String> names = records.names();
    if (names == null) {
      return;
    }
    if (!names.containsAll(COLUMNS)) {
      throw new DataException(records.place(), "the columns " + COLUMNS, names);
    }
    for (List<String> cells = records.next(); cells != null; cells = records.next()) {
      String id = cell(names, cells, "id");
      if (!ids.contains(id)) {
        throw new DataException(records.place(), "the id of an order", "'" + id + "'");
      }
      long time = time(cell(names, cells, "datetime"));
      Long before = latest.put(id, time);
      if (before != null && time < before) {
        throw new DataException(
            records.place(), "fills of an order in the order of time", BarTime.format(time));
      }
      double volume = records.number("volume", cell(names, cells, "volume"), false);
      double price = records.number("price", cell(names, cells, "price"), false);
      waiting
          .computeIfAbsent(id, _ -> new ArrayDeque<>())
          .add(new Fill(time, volume, price, records.place()));
    }
  }

  private static String cell(List<String> names, List<String> cells, String name) {
    return cells.get(names.indexOf(name));
  }

  private long time(String text) {
    try {
      return BarTime.parse(text);
    } catch (DateTimeException e) {
      throw new DataException(records.place(), "a date and time", "'" + text + "'", e);
    }
  }

  @Override
  public @Nullable OrderResult result(ReplayOrder order, ReplayDay day) {
    return null;
  }
}
