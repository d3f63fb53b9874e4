package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Difference;
import io.tranche.analysis.Verdict;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/// Report data as JSON: every number with all its digits, null where it is not known.
final class ReportJson {

  private static final int FORMAT = 1;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ReportJson() {}

  // ---- out ----

  /// Streams: a report of many orders is never in memory twice.
  static void write(ReportData data, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = JSON.writerWithDefaultPrettyPrinter().createGenerator(out)) {
      write(json, data);
    } catch (JacksonException e) { // unchecked, even for a full disk
      throw new IOException(e.getOriginalMessage(), e);
    }
  }

  private static void write(JsonGenerator json, ReportData data) {
    json.writeStartObject();
    json.writeNumberProperty("format", FORMAT);
    json.writeStringProperty("title", data.title());
    json.writeStringProperty("description", data.description());
    Verdict verdict = data.verdict();
    if (verdict == null) {
      json.writeNullProperty("verdict");
    } else {
      json.writeObjectPropertyStart("verdict");
      json.writeStringProperty("kind", word(verdict.kind()));
      json.writeStringProperty("sentence", verdict.sentence());
      json.writeEndObject();
    }
    list(json, "comparisons", data.comparisons(), comparison -> write(json, comparison));
    list(json, "orders", data.orders(), row -> write(json, row));
    list(
        json,
        "costs",
        data.costs(),
        cost -> {
          json.writeStringProperty("name", cost.name());
          number(json, "bps", cost.bps());
        });
    list(json, "training", data.training(), point -> write(json, point));
    list(
        json,
        "checkpoints",
        data.checkpoints(),
        checkpoint -> {
          json.writeStringProperty("name", checkpoint.name());
          write(json, "over_twap", checkpoint.overTwap());
        });
    list(json, "examples", data.examples(), example -> write(json, example));
    json.writeArrayPropertyStart("warnings");
    data.warnings().forEach(json::writeString);
    json.writeEndArray();
    json.writeStringProperty("config", data.config());
    json.writeStringProperty("commit", data.commit());
    json.writeEndObject();
  }

  private static <T> void list(
      JsonGenerator json, String name, List<T> all, Consumer<T> properties) {
    json.writeArrayPropertyStart(name);
    for (T each : all) {
      json.writeStartObject();
      properties.accept(each);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Comparison comparison) {
    json.writeStringProperty("policy", comparison.policy());
    json.writeStringProperty("reference", comparison.reference());
    write(json, "together", comparison.together());
    json.writeObjectPropertyStart("sides");
    for (Side side : Side.values()) {
      Difference difference = comparison.sides().get(side);
      if (difference != null) {
        write(json, word(side), difference);
      }
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Difference difference) {
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("orders", difference.orders());
    json.writeNumberProperty("days", difference.days());
    number(json, "mean_bps", difference.meanBps());
    number(json, "low", difference.low());
    number(json, "high", difference.high());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Order order) {
    json.writeStringProperty("instrument", order.instrument());
    json.writeStringProperty("side", word(order.side()));
    number(json, "amount", order.amount());
    json.writeStringProperty("start", order.start().toString());
    json.writeStringProperty("end", order.end().toString());
  }

  private static void write(JsonGenerator json, OrderRow row) {
    write(json, row.order());
    number(json, "advantage_bps", row.advantageBps());
    number(json, "fill_rate", row.fillRate());
    number(json, "value", row.value());
    number(json, "cost_bps", row.costBps());
    number(json, "participation", row.participation());
    number(json, "turnover", row.turnover());
  }

  private static void write(JsonGenerator json, TrainingPoint point) {
    json.writeNumberProperty("iteration", point.iteration());
    number(json, "reward", point.reward());
    number(json, "training_bps", point.trainingBps());
    number(json, "validation_bps", point.validationBps());
  }

  private static void write(JsonGenerator json, ExampleOrder example) {
    write(json, example.order());
    json.writeStringProperty("caption", example.caption());
    number(json, "advantage_bps", example.advantageBps());
    list(
        json,
        "ticks",
        example.ticks(),
        tick -> {
          json.writeStringProperty("time", tick.time().toString());
          number(json, "price", tick.price());
          number(json, "volume", tick.volume());
        });
    list(
        json,
        "fills",
        example.fills(),
        fill -> {
          json.writeStringProperty("time", fill.time().toString());
          number(json, "price", fill.price());
          number(json, "amount", fill.amount());
        });
  }

  private static void number(JsonGenerator json, String name, double value) {
    if (Double.isNaN(value)) {
      json.writeNullProperty(name);
    } else {
      json.writeNumberProperty(name, value);
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
