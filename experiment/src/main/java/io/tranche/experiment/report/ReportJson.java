package io.tranche.experiment.report;

import io.tranche.experiment.evaluation.Comparison;
import io.tranche.experiment.evaluation.Difference;
import io.tranche.experiment.evaluation.Verdict;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Report data as JSON: every number with all its digits, null where it is not known.
final class ReportJson {

  private static final int FORMAT = 1;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ReportJson() {}

  // ---- out ----

  static String write(ReportData data) {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT);
    json.put("title", data.title());
    json.put("description", data.description());
    if (data.verdict() == null) {
      json.putNull("verdict");
    } else {
      ObjectNode verdict = json.putObject("verdict");
      verdict.put("kind", word(data.verdict().kind()));
      verdict.put("sentence", data.verdict().sentence());
    }
    list(json, "comparisons", data.comparisons(), ReportJson::write);
    list(json, "orders", data.orders(), ReportJson::write);
    list(
        json,
        "costs",
        data.costs(),
        (node, cost) -> node.put("name", cost.name()).put("bps", cost.bps()));
    list(json, "training", data.training(), ReportJson::write);
    list(
        json,
        "checkpoints",
        data.checkpoints(),
        (node, checkpoint) -> {
          node.put("name", checkpoint.name());
          write(node.putObject("over_twap"), checkpoint.overTwap());
        });
    list(json, "examples", data.examples(), ReportJson::write);
    ArrayNode warnings = json.putArray("warnings");
    data.warnings().forEach(warnings::add);
    json.put("config", data.config());
    json.put("commit", data.commit());
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
  }

  private static <T> void list(
      ObjectNode json, String name, List<T> all, BiConsumer<ObjectNode, T> writer) {
    ArrayNode array = json.putArray(name);
    all.forEach(each -> writer.accept(array.addObject(), each));
  }

  private static void write(ObjectNode json, Comparison comparison) {
    json.put("policy", comparison.policy());
    json.put("reference", comparison.reference());
    write(json.putObject("together"), comparison.together());
    ObjectNode sides = json.putObject("sides");
    for (Side side : Side.values()) {
      Difference difference = comparison.sides().get(side);
      if (difference != null) {
        write(sides.putObject(word(side)), difference);
      }
    }
  }

  private static void write(ObjectNode json, Difference difference) {
    json.put("orders", difference.orders());
    json.put("days", difference.days());
    number(json, "mean_bps", difference.meanBps());
    number(json, "low", difference.low());
    number(json, "high", difference.high());
  }

  private static void write(ObjectNode json, Order order) {
    json.put("instrument", order.instrument());
    json.put("side", word(order.side()));
    json.put("amount", order.amount());
    json.put("start", order.start().toString());
    json.put("end", order.end().toString());
  }

  private static void write(ObjectNode json, OrderRow row) {
    write(json, row.order());
    number(json, "advantage_bps", row.advantageBps());
    number(json, "fill_rate", row.fillRate());
    number(json, "value", row.value());
    number(json, "cost_bps", row.costBps());
    number(json, "participation", row.participation());
    number(json, "turnover", row.turnover());
  }

  private static void write(ObjectNode json, TrainingPoint point) {
    json.put("iteration", point.iteration());
    number(json, "reward", point.reward());
    number(json, "training_bps", point.trainingBps());
    number(json, "validation_bps", point.validationBps());
  }

  private static void write(ObjectNode json, ExampleOrder example) {
    write(json, example.order());
    json.put("caption", example.caption());
    json.put("advantage_bps", example.advantageBps());
    list(
        json,
        "ticks",
        example.ticks(),
        (node, tick) -> {
          node.put("time", tick.time().toString());
          number(node, "price", tick.price());
          number(node, "volume", tick.volume());
        });
    list(
        json,
        "fills",
        example.fills(),
        (node, fill) -> {
          node.put("time", fill.time().toString());
          node.put("price", fill.price());
          node.put("amount", fill.amount());
        });
  }

  private static void number(ObjectNode json, String name, double value) {
    if (Double.isNaN(value)) {
      json.putNull(name);
    } else {
      json.put(name, value);
    }
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  // ---- in ----

  /// @throws io.tranche.market.DataException if this is no report; names the place
  static ReportData read(JsonPlace json) {
    if (json.in("format").integer() != FORMAT) {
      throw json.in("format").wrong("" + FORMAT);
    }
    JsonPlace verdict = json.in("verdict");
    return json.checked(
        () ->
            new ReportData(
                json.in("title").text(),
                json.in("description").text(),
                verdict.isNull() ? null : verdict(verdict),
                json.in("comparisons").each(ReportJson::comparison),
                json.in("orders").each(ReportJson::orderRow),
                json.in("costs")
                    .each(cost -> new CostItem(cost.in("name").text(), cost.in("bps").number())),
                json.in("training").each(ReportJson::trainingPoint),
                json.in("checkpoints")
                    .each(
                        checkpoint ->
                            new CheckpointScore(
                                checkpoint.in("name").text(),
                                difference(checkpoint.in("over_twap")))),
                json.in("examples").each(ReportJson::example),
                json.in("warnings").each(JsonPlace::text),
                json.in("config").text(),
                json.in("commit").text()));
  }

  private static Verdict verdict(JsonPlace json) {
    return new Verdict(json.in("kind").constant(Verdict.Kind.values()), json.in("sentence").text());
  }

  private static Comparison comparison(JsonPlace json) {
    var sides = new EnumMap<Side, Difference>(Side.class);
    for (Side side : Side.values()) {
      if (json.in("sides").has(word(side))) {
        sides.put(side, difference(json.in("sides").in(word(side))));
      }
    }
    return new Comparison(
        json.in("policy").text(),
        json.in("reference").text(),
        difference(json.in("together")),
        sides);
  }

  private static Difference difference(JsonPlace json) {
    return new Difference(
        json.in("orders").integer(),
        json.in("days").integer(),
        json.in("mean_bps").numberOrNull(),
        json.in("low").numberOrNull(),
        json.in("high").numberOrNull());
  }

  private static Order order(JsonPlace json) {
    return new Order(
        json.in("instrument").text(),
        json.in("side").constant(Side.values()),
        json.in("amount").number(),
        json.in("start").time(),
        json.in("end").time());
  }

  private static OrderRow orderRow(JsonPlace json) {
    return new OrderRow(
        order(json),
        json.in("advantage_bps").number(),
        json.in("fill_rate").number(),
        json.in("value").numberOrNull(),
        json.in("cost_bps").numberOrNull(),
        json.in("participation").numberOrNull(),
        json.in("turnover").numberOrNull());
  }

  private static TrainingPoint trainingPoint(JsonPlace json) {
    return new TrainingPoint(
        json.in("iteration").integer(),
        json.in("reward").numberOrNull(),
        json.in("training_bps").numberOrNull(),
        json.in("validation_bps").numberOrNull());
  }

  private static ExampleOrder example(JsonPlace json) {
    return new ExampleOrder(
        order(json),
        json.in("caption").text(),
        json.in("advantage_bps").number(),
        json.in("ticks")
            .each(
                tick ->
                    new ExampleOrder.Tick(
                        tick.in("time").time(),
                        tick.in("price").numberOrNull(),
                        tick.in("volume").numberOrNull())),
        json.in("fills")
            .each(
                fill ->
                    new ExampleOrder.Fill(
                        fill.in("time").time(),
                        fill.in("price").number(),
                        fill.in("amount").number())));
  }
}
