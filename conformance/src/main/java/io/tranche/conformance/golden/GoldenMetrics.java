package io.tranche.conformance.golden;

import io.tranche.execution.ExecutionMetrics;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Metrics of orders, steps and ticks as golden files write them.
public final class GoldenMetrics {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private GoldenMetrics() {}

  public static void addRows(ObjectNode frame, List<ExecutionMetrics> rows) {
    ArrayNode columns = frame.putArray("columns");
    columns.add("datetime");
    Map<String, Object> first = fields(rows.getFirst());
    first.keySet().stream().filter(name -> !name.equals("datetime")).forEach(columns::add);
    ArrayNode target = frame.putArray("rows");
    for (ExecutionMetrics row : rows) {
      Map<String, Object> cells = fields(row);
      ArrayNode line = target.addArray();
      columns.forEach(name -> line.add(cell(cells.get(name.asString()))));
    }
  }

  /// Returns whole metrics by their names, null for none.
  public static JsonNode json(@Nullable ExecutionMetrics metrics) {
    if (metrics == null) {
      return JSON.nullNode();
    }
    ObjectNode values = JSON.objectNode();
    fields(metrics).forEach((name, value) -> values.set(name, cell(value)));
    return values;
  }

  public static Map<String, Object> fields(ExecutionMetrics row) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("stock_id", row.instrument());
    fields.put("datetime", row.time());
    fields.put("direction", row.side());
    fields.put("market_volume", row.marketVolume());
    fields.put("market_price", row.marketPrice());
    fields.put("amount", row.amount());
    fields.put("inner_amount", row.innerAmount());
    fields.put("deal_amount", row.filledAmount());
    fields.put("trade_price", row.tradePrice());
    fields.put("trade_value", row.tradeValue());
    fields.put("position", row.remaining());
    fields.put("ffr", row.fillRate());
    fields.put("pa", row.advantageBps());
    return fields;
  }

  public static JsonNode cell(@Nullable Object value) {
    return switch (value) {
      case LocalDateTime time -> JSON.stringNode(BarTime.format(BarTime.of(time)));
      case Side side -> JSON.numberNode(side.code());
      case Double number when Double.isFinite(number) -> JSON.numberNode(number);
      // The file has the shortest decimal of the float32, which is no exact double.
      case Float number -> JSON.numberNode(Double.parseDouble(number.toString()));
      case null -> JSON.nullNode();
      default -> JSON.stringNode(value.toString());
    };
  }
}
