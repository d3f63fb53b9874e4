package io.tranche.conformance.deviation;

import io.tranche.conformance.golden.GoldenFile;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The answers that Qlib would give without its defects, computed from the golden cases alone.
final class SoundAnswers {

  /// The first draw of `numpy.random.seed(1234)`, `lognormal(-3.28, 1.14)`; a shuffle of one stock
  /// draws nothing.
  private static final double FIRST_RATIO = 0.0644050061692991;

  private static final int BARS_MEASURED = 47;

  private static final List<String> TORCH_OPTIONS =
      List.of(
          "amsgrad",
          "maximize",
          "foreach",
          "capturable",
          "differentiable",
          "fused",
          "decoupled_weight_decay");

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

  /// The first column as in the case that asks for it alone, the second as recorded.
  static JsonNode ownWindows(Path directory, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    String stock = input.get("stocks").get(0).stringValue();
    String first = input.get("fields").get(0).stringValue();
    String alone = "day_cumsum_" + input.get("data").stringValue() + "_0";
    JsonNode answer = testCase.get("expected").deepCopy();
    JsonNode result = answer.get("result").get(stock);
    JsonNode source = GoldenFile.read(directory.resolve("qlib_data.json")).named(alone);
    JsonNode longer = source.at("/expected/result").get(stock).get("values").get(first);
    ArrayNode own = ((ObjectNode) result.get("values")).putArray(first);
    for (int i = 0; i < result.get("n").intValue(); i++) {
      own.add(longer.get(i));
    }
    return answer;
  }

  /// As many episodes as the backtest has orders whose data is used.
  static JsonNode allEpisodes(Path directory) {
    GoldenFile file = GoldenFile.read(directory.resolve("logger.json"));
    JsonNode orders = file.named("backtest_twap_pa_reward").get("input").get("orders");
    return object().put("episodes", orders.size());
  }

  /// The optimiser without the options of torch's that are off, and for numbers that were drawn the
  /// bounds that they were drawn within.
  static JsonNode plainAdamAndBounds(JsonNode testCase) {
    ObjectNode answer = (ObjectNode) testCase.get("expected").deepCopy();
    var options = (ObjectNode) answer.get("optimizer_defaults");
    for (String name : TORCH_OPTIONS) {
      JsonNode option = options.remove(name);
      if (!option.isNull() && option.booleanValue()) {
        throw new DataException("optimizer_defaults." + name, "an option that is off", option);
      }
    }
    ObjectNode bounds = object();
    answer
        .get("init_abs_max_per_param")
        .forEachEntry(
            (name, largest) ->
                bounds.put(name, bound(name, largest.doubleValue(), answer.get("state_dict"))));
    return answer.set("init_abs_max_per_param", bounds);
  }

  /// Returns the bound of torch's uniform first weights: one over the root of the inputs of a
  /// linear layer, or of the width of a recurrent one. Of `n` such numbers the largest, which was
  /// recorded, is hardly ever below (1 - 10 / n) times the bound.
  private static double bound(String name, double recorded, JsonNode shapes) {
    String weight =
        name.contains("_rnn.")
            ? name.replaceAll("(weight|bias)_[ih]h", "weight_hh")
            : name.replace(".bias", ".weight");
    double bound = 1 / Math.sqrt(shapes.get(weight).get(1).intValue());
    int count = 1;
    for (JsonNode length : shapes.get(name)) {
      count *= length.intValue();
    }
    if (!(recorded <= bound && recorded >= Math.max(0, 1 - 10.0 / count) * bound)) {
      throw new DataException(name, "a number that is drawn within " + bound, recorded);
    }
    return bound;
  }

  static JsonNode mergedChunks(JsonNode testCase) {
    return ((ObjectNode) testCase.get("expected").deepCopy()).without("chunks_without_merge");
  }

  static JsonNode equalWeights() {
    return object().put("weights_equal", true);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
