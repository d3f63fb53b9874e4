package io.tranche.conformance.golden;

import io.tranche.env.space.Action;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.network.Network;
import io.tranche.policy.network.Recurrent;
import io.tranche.policy.network.RecurrentConfig;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.RnnType;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.DoubleStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Networks, observations, experience and weights, as the golden files on learning write them.
public final class GoldenLearning {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /// A smaller gradient is noise, and Adam's first step follows its sign.
  private static final double NOISE = 1e-6;

  /// How far a gradient may be off, relative to the largest entry of its tensor. A sum of float32
  /// numbers in another order keeps the error of its largest terms.
  public static final double GRADIENT = 3e-5;

  private GoldenLearning() {}

  /// Returns the network that `args`, Qlib's keyword arguments, ask for.
  public static Network.Factory<FullHistoryObservation> recurrent(JsonNode args, int dataWidth) {
    RecurrentConfig byDefault = RecurrentConfig.DEFAULT;
    RnnType type =
        switch (args.path("rnn_type").asString("gru")) {
          case "rnn" -> RnnType.RNN;
          case "lstm" -> RnnType.LSTM;
          default -> RnnType.GRU;
        };
    return Recurrent.factory(
        new RecurrentConfig(
            args.path("hidden_dim").asInt(byDefault.hidden()),
            args.path("output_dim").asInt(byDefault.output()),
            type,
            args.path("rnn_num_layers").asInt(byDefault.depth())),
        dataWidth);
  }

  /// Loads the weights of a torch state dict.
  public static void load(Weights weights, JsonNode state) {
    for (Parameter each : weights.parameters()) {
      weights.load(each, floats(state.get(each.name()).get("data")));
    }
  }

  /// Returns the observations of a batch: Qlib's dictionary with one more dimension in front.
  public static List<FullHistoryObservation> observations(JsonNode batch) {
    var observations = new ArrayList<FullHistoryObservation>();
    for (int row = 0; row < batch.get("cur_tick").size(); row++) {
      var entries = new LinkedHashMap<String, Value>();
      for (var entry : batch.properties()) {
        entries.put(entry.getKey(), leaf(entry.getKey(), entry.getValue().get(row)));
      }
      observations.add(FullHistoryObservation.fromValue(new Value.Dict(entries)));
    }
    return observations;
  }

  private static Value leaf(String key, JsonNode node) {
    return switch (key) {
      case "acquiring", "cur_tick", "cur_step", "num_step" ->
          new Value.Integers(ElementType.INT32, List.of(), node.asLong());
      default -> {
        double[] numbers = numbers(node).map(each -> (float) each).toArray();
        yield new Value.Floats(ElementType.FLOAT32, shape(node), numbers);
      }
    };
  }

  private static List<Integer> shape(JsonNode node) {
    var shape = new ArrayList<Integer>();
    for (JsonNode at = node; at.isArray(); at = at.get(0)) {
      shape.add(at.size());
    }
    return shape;
  }

  /// Returns the experience of one round: rows in the order of the buffer, whose indices show where
  /// one environment ends and the next begins.
  public static Transitions<FullHistoryObservation> transitions(JsonNode round) {
    List<FullHistoryObservation> observations = observations(round.get("obs"));
    List<FullHistoryObservation> next = observations(round.get("obs_next"));
    var unfinished = round.get("unfinished_index").valueStream().map(JsonNode::asInt).toList();
    var steps = new Transitions<FullHistoryObservation>();
    for (int row = 0; row < observations.size(); row++) {
      steps.add(
          observations.get(row),
          new Action.Discrete(round.get("act").get(row).asInt()),
          number(round.get("rew").get(row)),
          round.get("terminated").get(row).asBoolean(),
          round.get("truncated").get(row).asBoolean(),
          next.get(row),
          row,
          0);
      if (unfinished.contains(round.get("indices").get(row).asInt())) {
        steps.endEnvironment();
      }
    }
    return steps;
  }

  /// Returns the numbers of `source`, laid out as the weights, by name in torch's order.
  ///
  /// @param like the golden answer: its names, and null where torch leaves a gradient out
  public static ObjectNode byName(Weights weights, float[] source, JsonNode like) {
    return byName(weights, "", source, like);
  }

  /// Returns the same where golden names lack the `prefix` of ours.
  public static ObjectNode byName(Weights weights, String prefix, float[] source, JsonNode like) {
    ObjectNode object = JSON.objectNode();
    for (var entry : like.properties()) {
      Parameter parameter = parameter(weights, prefix + entry.getKey());
      if (!parameter.isTrained() && entry.getValue().isNull()) {
        object.putNull(entry.getKey());
      } else {
        object.set(entry.getKey(), array(Weights.rowMajor(parameter, source)));
      }
    }
    return object;
  }

  /// Returns the weights in the same way, except that where the golden gradient is noise it returns
  /// the golden weight: there the gradients are compared instead. A gradient of 0 is not noise: it
  /// belongs to a unit that is off, at least in the first minibatch.
  public static ObjectNode weightsByName(Weights weights, JsonNode like, JsonNode gradients) {
    return weightsByName(weights, "", like, gradients);
  }

  /// Returns the same where golden names lack the `prefix` of ours.
  public static ObjectNode weightsByName(
      Weights weights, String prefix, JsonNode like, JsonNode gradients) {
    ObjectNode object = byName(weights, prefix, weights.values(), like);
    for (var entry : like.properties()) {
      JsonNode gradient = gradients.path(entry.getKey());
      var array = (ArrayNode) object.get(entry.getKey());
      for (int i = 0; i < gradient.size(); i++) {
        double golden = number(gradient.get(i));
        if (golden != 0 && Math.abs(golden) < NOISE) {
          array.set(i, entry.getValue().get(i));
        }
      }
    }
    return object;
  }

  public static JsonNode names(Weights weights) {
    return GoldenValue.tree(weights.parameters().stream().map(Parameter::name).toList());
  }

  private static Parameter parameter(Weights weights, String name) {
    Parameter parameter = weights.parameter(name);
    if (parameter == null) {
      throw new IllegalStateException(
          "weights must have " + name + ", was " + weights.parameters());
    }
    return parameter;
  }

  public static ArrayNode array(float[] numbers) {
    ArrayNode array = JSON.arrayNode();
    for (float number : numbers) {
      array.add((double) number);
    }
    return array;
  }

  /// Returns the first `rows` rows of `width` numbers.
  public static ArrayNode matrix(Rows source, int rows, int width) {
    ArrayNode matrix = JSON.arrayNode();
    for (int row = 0; row < rows; row++) {
      ArrayNode line = matrix.addArray();
      for (int i = 0; i < width; i++) {
        line.add((double) source.data()[source.offset(row) + i]);
      }
    }
    return matrix;
  }

  /// Returns all numbers in `node`, however deep, in their order.
  public static float[] floats(JsonNode node) {
    double[] numbers = numbers(node).toArray();
    float[] floats = new float[numbers.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) numbers[i];
    }
    return floats;
  }

  private static DoubleStream numbers(JsonNode node) {
    return node.isArray()
        ? node.valueStream().flatMapToDouble(GoldenLearning::numbers)
        : DoubleStream.of(number(node));
  }

  /// Returns a number, which is a text where it is not finite.
  public static double number(JsonNode node) {
    return node.isString() ? Double.parseDouble(node.stringValue()) : node.doubleValue();
  }
}
