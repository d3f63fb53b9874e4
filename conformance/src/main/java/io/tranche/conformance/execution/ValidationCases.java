package io.tranche.conformance.execution;

import io.tranche.backtest.ChildOrder;
import io.tranche.backtest.DayTicks;
import io.tranche.backtest.Frictions;
import io.tranche.env.ActionInterpreter;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.env.space.SpaceException;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.Dialect;
import io.tranche.execution.ExecutionState;
import io.tranche.execution.SimpleSimulatorConfig;
import io.tranche.market.BarTime;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The cases of `interpreters.json` that only name their samples; the Python values behind the
/// names are listed here.
final class ValidationCases {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// Actions of a policy, well-formed or not.
  private static final Map<String, Value> ACTIONS =
      Map.ofEntries(
          Map.entry("int_-1", plain(-1L)),
          Map.entry("int_0", plain(0L)),
          Map.entry("int_4", plain(4L)),
          Map.entry("int_5", plain(5L)),
          Map.entry("float_1.0", plain(1.0)),
          Map.entry("float_0.5", plain(0.5)),
          Map.entry("bool_true", plain(true)),
          Map.entry("np_int64_2", plain(2L)),
          Map.entry("np_int32_0d_array_2", ints(ElementType.INT32, List.of(), 2)),
          Map.entry("np_float32_1", plain(1.0)),
          Map.entry("np_float64_1", plain(1.0)),
          Map.entry("np_float64_0d_array_1", floats(ElementType.FLOAT64, List.of(), 1)),
          Map.entry("np_float32_0d_array_1", floats(ElementType.FLOAT32, List.of(), 1)),
          Map.entry("np_1d_array_1", ints(ElementType.INT64, List.of(1), 1)),
          Map.entry("nan", plain(Double.NaN)),
          Map.entry("inf", plain(Double.POSITIVE_INFINITY)),
          Map.entry("float_-0.1", plain(-0.1)),
          Map.entry("none", plain(null)),
          Map.entry("str_1", plain("1")),
          Map.entry("float_-1e-9", plain(-1e-9)));

  private static final Value PAIR = floats(ElementType.FLOAT32, List.of(2), 0.5, 0.5);

  /// Samples of a dict of a choice `a` out of three and two numbers `b` in [0, 1].
  private static final Map<String, Value> DICTS =
      Map.ofEntries(
          Map.entry("ok", dict(1, PAIR)),
          Map.entry("missing_key", new Value.Dict(Map.of("a", plain(1L), "c", PAIR))),
          Map.entry("extra_key", new Value.Dict(Map.of("a", plain(1L), "b", PAIR, "c", PAIR))),
          Map.entry("out_of_range", dict(3, PAIR)),
          Map.entry("above_high", dict(1, floats(ElementType.FLOAT32, List.of(2), 0.5, 1.5))),
          Map.entry("float64_array", dict(1, floats(ElementType.FLOAT64, List.of(2), 0.5, 0.5))),
          Map.entry("python_list", dict(1, new Value.Tuple(List.of(plain(0.5), plain(0.5))))),
          Map.entry("wrong_shape", dict(1, floats(ElementType.FLOAT32, List.of(3), 0.5, 0.5, 0.5))),
          Map.entry("not_dict", plain(1L)),
          Map.entry("nan", dict(1, floats(ElementType.FLOAT32, List.of(2), Double.NaN, 0.5))));

  /// Samples of a tuple of a choice out of two and one out of three.
  private static final Map<String, Value> TUPLES =
      Map.ofEntries(
          Map.entry("tuple_ok", new Value.Tuple(List.of(plain(1L), plain(2L)))),
          Map.entry("list_ok", new Value.Tuple(List.of(plain(1L), plain(2L)))),
          Map.entry("ndarray_ok", ints(ElementType.INT64, List.of(2), 1, 2)),
          Map.entry("bad_index_1", new Value.Tuple(List.of(plain(1L), plain(3L)))),
          Map.entry("short", new Value.Tuple(List.of(plain(1L)))),
          Map.entry("int", plain(1L)));

  private ValidationCases() {}

  /// Answers how an interpreter reads each odd action.
  static ObjectNode actions(
      JsonNode input, ActionInterpreter<ExecutionState, ChildOrder> interpreter) {
    ExecutionState state = state(input);
    ObjectNode results = JSON.objectNode();
    ACTIONS.forEach(
        (name, sample) -> {
          ObjectNode result = results.putObject(name);
          try {
            interpreter.actionSpace().validate(sample);
            result.putNull("error").put("value", interpreter.act(state, action(sample)).volume());
          } catch (SpaceException e) {
            result.put("error", "GymSpaceValidationError").putNull("value");
          } catch (IllegalArgumentException e) {
            result.put("error", "TypeError").putNull("value");
          }
        });
    return JSON.objectNode().set("results", results);
  }

  /// A text that NumPy reads as a number passes the space, but cannot be used in calculations.
  private static Action action(Value sample) {
    return switch (sample) {
      case Value.Plain(Long number) -> new Action.Discrete(Math.toIntExact(number));
      case Value.Plain(Boolean truth) -> new Action.Discrete(truth ? 1 : 0);
      case Value.Plain(Double number) -> new Action.Continuous(number);
      case Value.Integers array -> new Action.Discrete(Math.toIntExact(array.at(0)));
      case Value.Floats array -> new Action.Continuous(array.at(0));
      case Value.Plain _, Value.Dict _, Value.Tuple _ ->
          throw new IllegalArgumentException("sample must be a number, was " + sample);
    };
  }

  /// Returns the first state of an order that takes as many steps as the case says.
  private static ExecutionState state(JsonNode input) {
    LocalDateTime start = LocalDate.EPOCH.atTime(9, 30);
    int steps = input.get("estimated_total_steps").intValue();
    long[] times = new long[steps];
    Arrays.setAll(times, tick -> BarTime.of(start) + 60L * tick);
    double[] ones = new double[steps];
    Arrays.fill(ones, 1);
    var ticks = DayTicks.of("", times, ones, ones.clone(), false);
    var order =
        new Order(
            "", Side.BUY, input.get("order_amount").doubleValue(), start, start.plusMinutes(steps));
    return new SimpleSimulatorConfig(1, 1, Frictions.NONE, Dialect.QLIB)
        .over(_ -> ticks)
        .create(order)
        .state();
  }

  /// Answers whether a space contains each sample.
  static ObjectNode spaces(JsonNode input) {
    String type = input.get("space").get("type").asString();
    boolean isDict = type.equals("Dict");
    Space space =
        isDict
            ? new Space.Dict(
                Map.of(
                    "a",
                    new Space.Discrete(3),
                    "b",
                    new Space.Box(ElementType.FLOAT32, List.of(2), 0, 1)))
            : new Space.Tuple(List.of(new Space.Discrete(2), new Space.Discrete(3)));
    Map<String, Value> samples = isDict ? DICTS : TUPLES;
    ObjectNode results = JSON.objectNode();
    for (JsonNode name : input.get("samples")) {
      Value sample = samples.get(name.asString());
      if (sample == null) {
        throw new DataException("input.samples", "one of " + samples.keySet(), name);
      }
      results.set(name.asString(), complaint(space, sample));
    }
    return JSON.objectNode().set("results", results);
  }

  private static JsonNode complaint(Space space, Value sample) {
    try {
      space.validate(sample);
      return JSON.nullNode();
    } catch (SpaceException e) {
      return JSON.objectNode()
          .put("message", e.summary())
          .put(
              "cause_message",
              e.getCause() instanceof SpaceException cause ? cause.summary() : null);
    }
  }

  private static Value plain(@Nullable Object value) {
    return new Value.Plain(value);
  }

  private static Value floats(ElementType type, List<Integer> shape, double... data) {
    return new Value.Floats(type, shape, data);
  }

  private static Value ints(ElementType type, List<Integer> shape, long... data) {
    return new Value.Integers(type, shape, data);
  }

  private static Value dict(long a, Value b) {
    return new Value.Dict(Map.of("a", plain(a), "b", b));
  }
}
