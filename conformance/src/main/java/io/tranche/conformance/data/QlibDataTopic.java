package io.tranche.conformance.data;

import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.store.FeatureRows;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.Span;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `qlib_data.json`: calendars, instruments, stored values and expressions of the `.bin` store.
public final class QlibDataTopic {

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> RAW_FIELDS = List.of("close", "volume", "factor");
  private static final int LONG = 200; // of a calendar longer than this the golden file keeps
  private static final int END = 60; // so much at each end

  private QlibDataTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String data = input.get("data").asString();
    JsonNode dataset = file.get("dataset").get(data);
    Path root = directory.resolve("dataset").resolve(dataset.get("dir").asString());
    try (QlibStore store = QlibStore.open(root, Frequency.parse(data))) {
      String kind = input.get("kind").asString();
      return switch (kind) {
        case "calendar" -> calendar(store, input);
        case "calendar_slice" -> calendarSlice(store, input);
        case "instruments" -> instruments(store, input);
        case "raw_bin" -> rawBin(store, dataset.get("stocks"));
        case "features" -> features(store, input);
        default -> throw new IllegalArgumentException("kind must be known, was " + kind);
      };
    }
  }

  private static JsonNode calendar(QlibStore store, JsonNode input) {
    Calendar calendar = store.calendar(Frequency.parse(input.get("freq").asString()), false);
    boolean truncated = calendar.size() > LONG;
    ArrayNode values = NODES.arrayNode();
    for (int i = 0; i < calendar.size(); i++) {
      if (!truncated || i < END || i >= calendar.size() - END) {
        values.add(BarTime.format(calendar.time(i)));
      }
    }
    ObjectNode answer = NODES.objectNode();
    answer.putNull("error");
    answer.put("length", calendar.size());
    answer.set("values", values);
    answer.put("truncated_to_60_head_60_tail", truncated);
    return answer;
  }

  private static JsonNode calendarSlice(QlibStore store, JsonNode input) {
    Calendar calendar = store.calendar(Frequency.parse(input.get("freq").asString()), false);
    ArrayNode values = NODES.arrayNode();
    int end = calendar.floor(BarTime.parse(input.get("end_time").asString()));
    for (int i = calendar.ceiling(BarTime.parse(input.get("start_time").asString()));
        i <= end;
        i++) {
      values.add(BarTime.format(calendar.time(i)));
    }
    return NODES.objectNode().set("values", values);
  }

  private static JsonNode instruments(QlibStore store, JsonNode input) {
    Calendar calendar = store.calendar();
    ObjectNode codes = NODES.objectNode();
    store
        .instruments(
            input.get("market").asString(), calendar.time(0), calendar.time(calendar.size() - 1))
        .forEach((code, spans) -> codes.set(code, spans(spans)));
    return NODES.objectNode().set("instruments", codes);
  }

  private static ArrayNode spans(List<Span> spans) {
    ArrayNode list = NODES.arrayNode();
    for (Span span : spans) {
      list.add(NODES.arrayNode().add(BarTime.format(span.start())).add(BarTime.format(span.end())));
    }
    return list;
  }

  private static JsonNode rawBin(QlibStore store, JsonNode stocks) {
    ObjectNode files = NODES.objectNode();
    for (String code : stocks.propertyNames()) {
      ObjectNode fields = NODES.objectNode();
      RAW_FIELDS.forEach(field -> fields.set(field, rawField(store, code, field)));
      files.set(code, fields);
    }
    return NODES.objectNode().set("files", files);
  }

  private static JsonNode rawField(QlibStore store, String code, String field) {
    FeatureRows rows = store.query(List.of("$" + field), Long.MIN_VALUE, Long.MAX_VALUE).rows(code);
    int size = rows.size();
    if (size == 0) {
      return NODES.nullNode();
    }
    ArrayNode first = NODES.arrayNode();
    ArrayNode last = NODES.arrayNode();
    for (int row = 0; row < Math.min(size, 5); row++) {
      first.add(number(rows.value(0, row)));
    }
    for (int row = Math.max(0, size - 3); row < size; row++) {
      last.add(number(rows.value(0, row)));
    }
    ObjectNode answer = NODES.objectNode();
    answer.put("start_index", rows.index(0));
    answer.put("n", size);
    answer.set("first5", first);
    answer.set("last3", last);
    return answer;
  }

  private static JsonNode features(QlibStore store, JsonNode input) {
    List<String> stocks = texts(input.get("stocks"));
    List<FeatureRows> found =
        store.features(
            stocks,
            texts(input.get("fields")),
            BarTime.parse(input.get("start_time").asString()),
            BarTime.parse(input.get("end_time").asString()));
    ObjectNode result = NODES.objectNode();
    stocks.forEach(result::putNull); // stays null where there are no rows
    found.forEach(rows -> result.set(rows.instrument(), rows(rows)));
    ObjectNode answer = NODES.objectNode();
    answer.putNull("error");
    answer.set("result", result);
    return answer;
  }

  private static JsonNode rows(FeatureRows rows) {
    ObjectNode values = NODES.objectNode();
    for (int column = 0; column < rows.expressions().size(); column++) {
      ArrayNode list = NODES.arrayNode();
      for (int row = 0; row < rows.size(); row++) {
        list.add(number(rows.value(column, row)));
      }
      values.set(rows.expressions().get(column), list);
    }
    ObjectNode answer = NODES.objectNode();
    answer.put("datetime_first", BarTime.format(rows.time(0)));
    answer.put("datetime_last", BarTime.format(rows.time(rows.size() - 1)));
    answer.put("n", rows.size());
    answer.set("values", values);
    return answer;
  }

  /// The golden files write numbers that JSON lacks as texts.
  private static JsonNode number(float value) {
    return Float.isFinite(value)
        ? NODES.numberNode(value)
        : NODES.stringNode(Float.toString(value));
  }

  private static List<String> texts(JsonNode list) {
    var texts = new ArrayList<String>();
    list.forEach(text -> texts.add(text.asString()));
    return texts;
  }
}
