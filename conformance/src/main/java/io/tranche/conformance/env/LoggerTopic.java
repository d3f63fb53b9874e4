package io.tranche.conformance.env;

import io.tranche.conformance.golden.GoldenLearning;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.conformance.golden.Topic;
import io.tranche.env.LogCollector;
import io.tranche.env.LogCollector.Kind;
import io.tranche.env.LogLevel;
import io.tranche.env.log.EpisodeRecord;
import io.tranche.env.space.Value;
import io.tranche.market.DataException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Log collectors, aggregation, and scripts of events fed to log writers.
public final class LoggerTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private LoggerTopic() {}

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.path("input");
    return switch (kind(testCase)) {
      case "collector" -> collected(input);
      case "collector_no_reset" -> {
        var collector = new LogCollector();
        ObjectNode answer = JSON.objectNode().put("default_min_level", collector.minimum().code());
        try {
          collector.scalar("name", 1);
          yield answer;
        } catch (IllegalStateException e) {
          throw new Topic.Stopped(e, answer);
        }
      }
      case "collector_reset" -> {
        var collector = new LogCollector();
        collector.clear();
        collector.scalar("name", 1);
        collector.clear();
        yield JSON.objectNode().set("logs", GoldenValue.tree(collector.entries()));
      }
      case "aggregation" -> aggregated(input);
      case "script" -> LogScript.play(input);
      case "backtest" -> BacktestCases.answer(input);
      case "backtest_error" -> BacktestCases.currentStep(firstBacktest(file));
      default -> throw new DataException("input.kind", "a known kind", kind(testCase));
    };
  }

  private static JsonNode firstBacktest(JsonNode file) {
    return file.get("cases")
        .valueStream()
        .filter(testCase -> kind(testCase).equals("backtest"))
        .findFirst()
        .orElseThrow(() -> new DataException("cases", "a backtest", "none"))
        .get("input");
  }

  private static String kind(JsonNode testCase) {
    return testCase.path("input").path("kind").asString();
  }

  private static JsonNode collected(JsonNode input) {
    var collector = new LogCollector(level(input.path("min_loglevel")));
    collector.clear();
    var errors = JSON.arrayNode();
    for (JsonNode call : input.path("calls")) {
      errors.add(error(collector, call));
    }
    var names = JSON.arrayNode();
    var logs = JSON.objectNode();
    collector
        .entries()
        .forEach(
            (name, entry) -> {
              names.add(name);
              logs.set(
                  name,
                  JSON.arrayNode()
                      .add(entry.level().code())
                      .add(json(entry.value()))
                      .add(pythonType(entry.value())));
            });
    return JSON.objectNode().set("errors", errors).set("logs_in_order", names).set("logs", logs);
  }

  /// Makes one call and returns the name of its error.
  private static @Nullable String error(LogCollector collector, JsonNode call) {
    Kind kind =
        switch (call.path(0).asString()) {
          case "add_scalar" -> Kind.SCALAR;
          case "add_string" -> Kind.STRING;
          case "add_array" -> Kind.ARRAY;
          case "add_any" -> Kind.ANY;
          default -> throw new DataException("input.calls", "a known call", call);
        };
    Object value = object(call.path(2), call.path(4).asString());
    try {
      collector.add(kind, call.path(1).asString(), value, level(call.path(3)));
      return null;
    } catch (ClassCastException _) {
      return "TypeError";
    } catch (IllegalArgumentException _) {
      return "ValueError";
    }
  }

  private static JsonNode aggregated(JsonNode input) {
    JsonNode values = input.path("values");
    List<@Nullable Object> objects =
        IntStream.range(0, values.size())
            .<@Nullable Object>mapToObj(
                i -> object(values.get(i), input.path("types").path(i).asString()))
            .toList();
    String name = input.path("name").isNull() ? null : input.path("name").asString();
    return JSON.objectNode().set("value", json(EpisodeRecord.aggregate(objects, name)));
  }

  static LogLevel level(JsonNode code) {
    return Arrays.stream(LogLevel.values())
        .filter(level -> level.code() == code.asInt())
        .findFirst()
        .orElseThrow(() -> new DataException("a level", "10, 20, 30 or 40", code));
  }

  /// Returns the value that represents a Python object of a type.
  static @Nullable Object object(JsonNode value, String type) {
    return switch (type) {
      case "NoneType" -> null;
      case "bool" -> value.asBoolean();
      case "int" -> value.asLong();
      case "float", "float64" -> GoldenLearning.number(value);
      case "float32" -> (float) GoldenLearning.number(value);
      case "str" -> value.asString();
      case "Timestamp" -> LocalDateTime.parse(value.asString().replace(' ', 'T'));
      case "ndarray", "Tensor" -> array(value);
      case "list" -> value.valueStream().toList();
      default -> value;
    };
  }

  private static Value array(JsonNode value) {
    return value.isArray()
        ? new Value.Floats(
            Value.ElementType.FLOAT64,
            List.of(value.size()),
            value.valueStream().mapToDouble(GoldenLearning::number).toArray())
        : new Value.Floats(Value.ElementType.FLOAT64, List.of(), GoldenLearning.number(value));
  }

  private static JsonNode json(@Nullable Object object) {
    return switch (object) {
      case Value.Floats floats ->
          GoldenValue.tree(IntStream.range(0, floats.size()).mapToDouble(floats::at).toArray());
      case null, default -> GoldenValue.tree(object);
    };
  }

  private static String pythonType(@Nullable Object object) {
    return switch (object) {
      case Double _ -> "float";
      case String _ -> "str";
      case Long _ -> "int";
      case Value.Floats _ -> "ndarray";
      case null, default -> "dict";
    };
  }
}
