package io.tranche.cli.journal;

import io.tranche.market.Table;
import io.tranche.serving.journal.EventRow;
import io.tranche.serving.journal.JournalHistory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Events as rows. What an event does not have is missing; `detail` has all of it.
final class EventTable {

  private EventTable() {}

  static Table of(List<JournalHistory.Entry> entries) {
    List<EventRow> rows = entries.stream().map(EventRow::of).toList();
    Map<String, Table.Column> columns = new LinkedHashMap<>();
    columns.put("number", Table.Numbers.of(rows, EventRow::sequence));
    columns.put("time", texts(rows, EventRow::time));
    columns.put("caller", texts(rows, EventRow::caller));
    columns.put("event", texts(entries, each -> each.event().getClass().getSimpleName()));
    columns.put("instrument", texts(rows, EventRow::instrument));
    columns.put("date", texts(rows, EventRow::date));
    columns.put("order", texts(rows, EventRow::order));
    columns.put("model", texts(rows, EventRow::model));
    columns.put("step", Table.Numbers.of(rows, EventRow::step));
    columns.put("volume", Table.Numbers.of(rows, EventRow::volume));
    columns.put("price", Table.Numbers.of(rows, EventRow::price));
    columns.put("detail", texts(rows, EventRow::detail));
    return Table.of(columns);
  }

  private static <T> Table.Texts texts(List<T> rows, Function<T, @Nullable Object> value) {
    return Table.Texts.of(
        rows.stream()
            .map(value)
            .map(each -> each == null ? null : each.toString())
            .toArray(String[]::new));
  }
}
