package io.tranche.conformance.golden;

import io.tranche.market.BarTime;
import io.tranche.market.Frequency;
import io.tranche.market.Session;
import io.tranche.market.Table;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The frames of golden files as tables, and back: numbers that JSON lacks are texts, times are
/// texts with a time of day.
public final class GoldenFrames {

  private GoldenFrames() {}

  public static ObjectNode withoutError() {
    return JsonNodeFactory.instance.objectNode().putNull("error");
  }

  /// Reads `{columns, rows}`.
  public static Table table(JsonNode frame) {
    var columns = new LinkedHashMap<String, Table.Column>();
    List<String> names = texts(frame.get("columns"));
    for (int i = 0; i < names.size(); i++) {
      columns.put(names.get(i), column(frame.get("rows"), i));
    }
    return Table.of(columns);
  }

  /// Reads the cells at `index` of all rows.
  public static Table.Column column(JsonNode rows, int index) {
    ArrayNode cells = JsonNodeFactory.instance.arrayNode();
    rows.forEach(row -> cells.add(row.get(index)));
    return column(cells);
  }

  /// Reads a column whose first cell tells its kind.
  public static Table.Column column(JsonNode cells) {
    if (cells.isEmpty() || isNumber(cells.get(0))) {
      return numbers(cells);
    }
    if (!cells.get(0).asString().matches("\\d{4}-\\d\\d-\\d\\d \\d\\d:.*")) {
      return texts(cells.size(), row -> cells.get(row).asString());
    }
    return new Table.Times(
        cells.valueStream().mapToLong(cell -> BarTime.parse(cell.asString())).toArray());
  }

  private static boolean isNumber(JsonNode cell) {
    return cell.isNumber()
        || switch (cell.asString()) {
          case "NaN", "Infinity", "-Infinity" -> true;
          default -> false;
        };
  }

  public static Table.Numbers numbers(JsonNode cells) {
    return new Table.Numbers(cells.valueStream().mapToDouble(GoldenLearning::number).toArray());
  }

  public static List<String> texts(JsonNode cells) {
    return cells.valueStream().map(JsonNode::asString).toList();
  }

  public static Table.Texts texts(int rows, IntFunction<String> values) {
    var texts = new @Nullable String[rows];
    for (int row = 0; row < rows; row++) {
      texts[row] = values.apply(row);
    }
    return Table.Texts.of(texts);
  }

  /// Returns the first five-minute bars of an A-share day.
  public static Table.Times fiveMinutes(LocalDate day, int bars) {
    int[] starts = Session.CHINA_STOCKS.barStarts(Frequency.ofMinutes(5));
    long[] times = new long[bars];
    for (int i = 0; i < bars; i++) {
      // Legacy frames have more rows than a day has bars; their times are not used.
      times[i] = BarTime.of(day) + starts[i % starts.length];
    }
    return new Table.Times(times);
  }

  /// Adds `columns` and `rows`.
  public static void addFrame(ObjectNode target, Table table) {
    ArrayNode columns = target.putArray("columns");
    table.names().forEach(columns::add);
    ArrayNode rows = target.putArray("rows");
    for (int row = 0; row < table.rows(); row++) {
      ArrayNode cells = rows.addArray();
      for (String name : table.names()) {
        switch (table.column(name)) {
          case Table.Numbers numbers -> cells.add(GoldenDeals.number(numbers.value(row)));
          case Table.Singles singles -> cells.add(GoldenDeals.number(singles.value(row)));
          case Table.Texts texts -> cells.add(texts.value(row));
          case Table.Times times -> cells.add(BarTime.format(times.value(row)));
          case null -> throw new IllegalStateException("table must have the column " + name);
        }
      }
    }
  }

  public static void addNumbers(ArrayNode target, int count, IntToDoubleFunction values) {
    for (int i = 0; i < count; i++) {
      target.add(GoldenDeals.number(values.applyAsDouble(i)));
    }
  }
}
