package io.tranche.conformance.data;

import io.tranche.conformance.golden.GoldenFrames;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.market.BarTime;
import io.tranche.market.Calendar;
import io.tranche.market.Frequency;
import io.tranche.market.store.FeatureRows;
import io.tranche.market.store.QlibStore;
import io.tranche.market.store.Span;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `qlib_data.json`: calendars, instruments, stored values and expressions of the `.bin` store.
public final class QlibDataTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final List<String> RAW_FIELDS = List.of("close", "volume", "factor");
  private static final int LONG = 200; // of a longer calendar, the golden file keeps only
  private static final int END = 60; // this many entries at each end

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
    IntPredicate kept = i -> !truncated || i < END || i >= calendar.size() - END;
    return GoldenFrames.withoutError()
        .put("length", calendar.size())
        .set("values", times(calendar, IntStream.range(0, calendar.size()).filter(kept)))
        .put("truncated_to_60_head_60_tail", truncated);
  }

  private static JsonNode calendarSlice(QlibStore store, JsonNode input) {
    Calendar calendar = store.calendar(Frequency.parse(input.get("freq").asString()), false);
    int start = calendar.ceiling(BarTime.parse(input.get("start_time").asString()));
    int end = calendar.floor(BarTime.parse(input.get("end_time").asString()));
    return JSON.objectNode().set("values", times(calendar, IntStream.rangeClosed(start, end)));
  }

  private static JsonNode times(Calendar calendar, IntStream bars) {
    return GoldenValue.tree(bars.mapToObj(i -> BarTime.format(calendar.time(i))).toList());
  }

  private static JsonNode instruments(QlibStore store, JsonNode input) {
    Calendar calendar = store.calendar();
    ObjectNode codes = JSON.objectNode();
    store
        .instruments(
            input.get("market").asString(), calendar.time(0), calendar.time(calendar.size() - 1))
        .forEach((code, spans) -> codes.set(code, spans(spans)));
    return JSON.objectNode().set("instruments", codes);
  }

  private static ArrayNode spans(List<Span> spans) {
    ArrayNode list = JSON.arrayNode();
    for (Span span : spans) {
      list.add(JSON.arrayNode().add(BarTime.format(span.start())).add(BarTime.format(span.end())));
    }
    return list;
  }

  private static JsonNode rawBin(QlibStore store, JsonNode stocks) {
    ObjectNode files = JSON.objectNode();
    for (String code : stocks.propertyNames()) {
      ObjectNode fields = files.putObject(code);
      RAW_FIELDS.forEach(field -> fields.set(field, rawField(store, code, field)));
    }
    return JSON.objectNode().set("files", files);
  }

  private static JsonNode rawField(QlibStore store, String code, String field) {
    FeatureRows rows = store.query(List.of("$" + field), Long.MIN_VALUE, Long.MAX_VALUE).rows(code);
    int size = rows.size();
    if (size == 0) {
      return JSON.nullNode();
    }
    return JSON.objectNode()
        .put("start_index", rows.index(0))
        .put("n", size)
        .set("first5", numbers(rows, 0, 0, Math.min(size, 5)))
        .set("last3", numbers(rows, 0, Math.max(0, size - 3), size));
  }

  /// The golden files write numbers that JSON lacks as texts.
  private static ArrayNode numbers(FeatureRows rows, int column, int from, int to) {
    ArrayNode numbers = JSON.arrayNode();
    for (int row = from; row < to; row++) {
      float value = rows.value(column, row);
      numbers.add(
          Float.isFinite(value) ? JSON.numberNode(value) : JSON.stringNode(Float.toString(value)));
    }
    return numbers;
  }

  private static JsonNode features(QlibStore store, JsonNode input) {
    List<String> stocks = GoldenFrames.texts(input.get("stocks"));
    List<FeatureRows> found =
        store.features(
            stocks,
            GoldenFrames.texts(input.get("fields")),
            BarTime.parse(input.get("start_time").asString()),
            BarTime.parse(input.get("end_time").asString()));
    ObjectNode result = JSON.objectNode();
    stocks.forEach(result::putNull); // stays null where there are no rows
    found.forEach(rows -> result.set(rows.instrument(), rows(rows)));
    return GoldenFrames.withoutError().set("result", result);
  }

  private static JsonNode rows(FeatureRows rows) {
    ObjectNode values = JSON.objectNode();
    for (int column = 0; column < rows.expressions().size(); column++) {
      values.set(rows.expressions().get(column), numbers(rows, column, 0, rows.size()));
    }
    return JSON.objectNode()
        .put("datetime_first", BarTime.format(rows.time(0)))
        .put("datetime_last", BarTime.format(rows.time(rows.size() - 1)))
        .put("n", rows.size())
        .set("values", values);
  }
}
