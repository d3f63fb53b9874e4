package io.tranche.conformance.deviation;

import io.tranche.conformance.golden.GoldenFile;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// What Qlib would answer without its defects, computed from the golden cases alone.
final class SoundAnswers {

  /// The first draw of `numpy.random.seed(1234)`, `lognormal(-3.28, 1.14)`; a shuffle of one stock
  /// draws nothing.
  private static final double FIRST_RATIO = 0.0644050061692991;

  private static final int BARS_MEASURED = 47;

  private SoundAnswers() {}

  static JsonNode ownColumns(JsonNode testCase) {
    ObjectNode answer = object();
    answer.set("first_columns", testCase.get("input").get("first"));
    answer.set("second_columns", testCase.get("input").get("second"));
    return answer.put("same_object", false);
  }

  /// One stock and one day: the mean close, and the ratio of the mean volume.
  static JsonNode ordersMeant(JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String stock = input.get("stocks_shuffled").get(0).stringValue();
    JsonNode bars = input.get("data").get(stock);
    String date = bars.get("datetime").get(0).stringValue().substring(0, 10);
    ObjectNode files = object();
    for (String tag : List.of("all", "train")) {
      ObjectNode file = files.putObject(tag + "/" + stock + ".pkl.target");
      file.putArray("index_names").add("date").add("instrument");
      ArrayNode columns = file.putArray("columns");
      List.of("date", "instrument", "$close0", "amount", "order_type").forEach(columns::add);
      file.putArray("rows")
          .addArray()
          .add(date + " 00:00:00")
          .add(stock)
          .add(mean(bars.get("$close0")))
          .add(FIRST_RATIO * mean(bars.get("$volume0")))
          .add(0);
    }
    ObjectNode answer = object();
    answer.set("files", files);
    return answer;
  }

  private static double mean(JsonNode values) {
    double sum = 0;
    for (int i = 0; i < BARS_MEASURED; i++) {
      sum += values.get(i).doubleValue();
    }
    return sum / BARS_MEASURED;
  }

  /// The first column as it is where it is asked for alone, the second as recorded.
  static JsonNode ownWindows(Path directory, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String stock = input.get("stocks").get(0).stringValue();
    String first = input.get("fields").get(0).stringValue();
    String alone = "day_cumsum_" + input.get("data").stringValue() + "_0";
    JsonNode answer = testCase.get("expected").deepCopy();
    JsonNode result = answer.get("result").get(stock);
    JsonNode longer = values(named(directory, alone), stock).get(first);
    ArrayNode own = ((ObjectNode) result.get("values")).putArray(first);
    for (int i = 0; i < result.get("n").intValue(); i++) {
      own.add(longer.get(i));
    }
    return answer;
  }

  private static JsonNode values(JsonNode testCase, String stock) {
    return testCase.get("expected").get("result").get(stock).get("values");
  }

  private static JsonNode named(Path directory, String name) {
    return caseIn(directory.resolve("qlib_data.json"), name);
  }

  /// As many episodes as the backtest has orders whose data is used.
  static JsonNode allEpisodes(Path directory) {
    JsonNode input = caseIn(directory.resolve("logger.json"), "backtest_twap_pa_reward");
    return object().put("episodes", input.get("input").get("orders").size());
  }

  static JsonNode equalWeights() {
    return object().put("weights_equal", true);
  }

  static JsonNode caseIn(Path file, String name) {
    for (JsonNode testCase : GoldenFile.read(file).cases()) {
      if (testCase.get("name").stringValue().equals(name)) {
        return testCase;
      }
    }
    throw new DataException(file.toString(), "a case " + name, "none");
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
