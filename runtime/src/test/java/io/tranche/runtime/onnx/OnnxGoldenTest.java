package io.tranche.runtime.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.tranche.env.space.Value;
import io.tranche.env.space.Value.ElementType;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.network.LiveNetwork;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.ModelSpec;
import io.tranche.testkit.Shared;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/// The graphs in ONNX Runtime, and our engine as the day goes, against what Qlib said, with Qlib's
/// weights.
class OnnxGoldenTest {

  private static final String PPO = "{class: PPO, kwargs: {lr: 0.0001}}";

  static Stream<Arguments> cases() throws IOException {
    JsonNode file;
    try (var in =
        new GZIPInputStream(
            Files.newInputStream(Shared.root().resolve("conformance/golden/networks.json.gz")))) {
      file = new ObjectMapper().readTree(in);
    }
    return StreamSupport.stream(file.get("cases").spliterator(), false)
        .filter(each -> each.get("input").has("obs"))
        .map(each -> Arguments.of(each.get("name").asString(), each));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void saysWhatQlibSaid(String name, JsonNode golden) throws OrtException {
    JsonNode input = golden.get("input");
    JsonNode expected = golden.get("expected");
    switch (input.get("module").asString()) {
      case "Recurrent" ->
          compare(withLogits(input), PPO, input, "args", "logits", expected.get("features"));
      case "PPO" ->
          compare(
              tensors(input, ""), PPO, input, "network", "probabilities", expected.get("probs"));
      case "DQN" ->
          compare(
              tensors(input, ""),
              "{class: DQN, kwargs: {lr: 0.0001, target_update_freq: %d}}"
                  .formatted(input.get("target_update_freq").asInt()),
              input,
              "network",
              "values",
              expected.get("q"));
      default -> throw new AssertionError(name);
    }
  }

  private static void compare(
      Map<String, Tensor> weights,
      String policy,
      JsonNode input,
      String args,
      String output,
      JsonNode expected)
      throws OrtException {
    ModelSpec spec =
        TrainedModel.spec(
            "{class: Recurrent, kwargs: %s}".formatted(input.get(args)),
            policy,
            input.get("data_dim").asInt(),
            input.get("max_step").asInt(),
            expected.get(0).size());
    OnnxModel model = OnnxModel.of(spec, new StateDict(weights), TrainedModel.ORIGIN);
    JsonNode seen = input.get("obs");
    try (var session = new OnnxSession(model.full())) {
      var taken = new LinkedHashMap<String, Object>();
      for (String name : session.inputs()) {
        taken.put(name, isInteger(name) ? integers(seen.get(name)) : tensor(seen.get(name)));
      }
      assertThat(session.run(taken).of(output).toArray())
          .containsExactly(tensor(expected).toArray(), within(1e-5f));
    }
    try (var ticks = new OnnxSession(Objects.requireNonNull(model.tick()));
        var decisions = new OnnxSession(model.decision())) {
      for (int row = 0; row < expected.size(); row++) {
        Tensor day = stream(ticks, seen.get("data_processed").get(row), at(seen, "cur_tick", row));
        assertThat(decide(decisions, day, seen, row).of(output).toArray())
            .containsExactly(tensor(expected.get(row)).toArray(), within(1e-5f));
      }
    }
    if (!output.equals("logits")) {
      compareStreamed(spec, new StateDict(weights), seen, expected);
    }
  }

  /// Our engine as the day goes gives what it gives for the whole day, to the last bit.
  private static void compareStreamed(
      ModelSpec spec, StateDict weights, JsonNode seen, JsonNode expected) {
    TrainedModel ours = TrainedModel.of(spec, expected.get(0).size(), weights);
    LivePolicy live = ours.agent().newLivePolicy(1);
    for (int row = 0; row < expected.size(); row++) {
      JsonNode rows = seen.get("data_processed").get(row);
      float[] yesterday = tensor(seen.get("data_processed_prev").get(row)).toArray();
      LiveNetwork.Day day = live.newDay(yesterday, rows.size());
      for (int tick = 0; tick < at(seen, "cur_tick", row); tick++) {
        day.append(tensor(rows.get(tick)).toArray(), 0);
      }
      LiveNetwork.Episode episode = live.newEpisode(at(seen, "acquiring", row));
      float target = (float) seen.get("target").get(row).asDouble();
      float[] said = new float[0];
      for (int step = 0; step <= at(seen, "cur_step", row); step++) {
        float position = (float) seen.get("position_history").get(row).get(step).asDouble();
        live.put(0, day, episode, position / target, (float) step / at(seen, "num_step", row));
        said = live.evaluate(1).clone();
      }
      assertThat(said).containsExactly(tensor(expected.get(row)).toArray(), within(1e-5f));
      assertThat(said).containsExactly(ours.values(List.of(observation(seen, row))));
    }
  }

  private static FullHistoryObservation observation(JsonNode seen, int row) {
    var entries = new LinkedHashMap<String, Value>();
    for (var property : seen.properties()) {
      JsonNode value = property.getValue().get(row);
      if (isInteger(property.getKey())) {
        entries.put(
            property.getKey(), new Value.Integers(ElementType.INT32, List.of(), value.asInt()));
      } else {
        Tensor tensor = tensor(value);
        double[] elements = new double[tensor.size()];
        float[] singles = tensor.toArray();
        Arrays.setAll(elements, i -> singles[i]);
        List<Integer> shape = value.isArray() ? tensor.shape() : List.of();
        entries.put(property.getKey(), new Value.Floats(ElementType.FLOAT32, shape, elements));
      }
    }
    return FullHistoryObservation.fromValue(new Value.Dict(entries));
  }

  private static int at(JsonNode seen, String name, int row) {
    return seen.get(name).get(row).asInt();
  }

  /// Feeds a row of zeros and the first `count` rows.
  private static Tensor stream(OnnxSession ticks, JsonNode rows, int count) throws OrtException {
    int width = rows.get(0).size();
    Map<String, Object> state = ticks.begin(1);
    state.put("row", Tensor.of(List.of(1, width), new float[width]));
    OnnxSession.Given given = ticks.advance(state);
    for (int tick = 0; tick < count; tick++) {
      state.put("row", Tensor.of(List.of(1, width), tensor(rows.get(tick)).toArray()));
      given = ticks.advance(state);
    }
    return given.of("day");
  }

  /// Feeds all decisions so far; only the last depends on the day.
  private static OnnxSession.Given decide(OnnxSession decisions, Tensor day, JsonNode seen, int row)
      throws OrtException {
    Map<String, Object> state = decisions.begin(1);
    state.put("day", day);
    state.put("target", Tensor.of(List.of(1), (float) seen.get("target").get(row).asDouble()));
    state.put("num_step", new int[] {at(seen, "num_step", row)});
    state.put("acquiring", new int[] {at(seen, "acquiring", row)});
    int step = 0;
    while (true) {
      double position = seen.get("position_history").get(row).get(step).asDouble();
      state.put("position", Tensor.of(List.of(1), (float) position));
      state.put("cur_step", new int[] {step});
      OnnxSession.Given given = decisions.advance(state);
      if (step == at(seen, "cur_step", row)) {
        return given;
      }
      step++;
    }
  }

  private static boolean isInteger(String name) {
    return name.startsWith("cur_") || name.equals("num_step") || name.equals("acquiring");
  }

  private static int[] integers(JsonNode leaf) {
    return StreamSupport.stream(leaf.spliterator(), false).mapToInt(JsonNode::asInt).toArray();
  }

  /// Nested lists.
  private static Tensor tensor(JsonNode node) {
    var shape = new ArrayList<Integer>();
    for (JsonNode inner = node; inner.isArray(); inner = inner.get(0)) {
      shape.add(inner.size());
    }
    var numbers = new ArrayList<Float>();
    collect(node, numbers);
    return tensor(shape, numbers);
  }

  private static void collect(JsonNode node, List<Float> numbers) {
    if (node.isArray()) {
      node.forEach(each -> collect(each, numbers));
    } else {
      numbers.add((float) node.asDouble());
    }
  }

  private static Tensor tensor(List<Integer> shape, List<Float> numbers) {
    float[] elements = new float[numbers.size()];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = numbers.get(i);
    }
    return Tensor.of(shape, elements);
  }

  private static Map<String, Tensor> tensors(JsonNode input, String prefix) {
    var tensors = new LinkedHashMap<String, Tensor>();
    for (var entry : input.get("state_dict").properties()) {
      var shape = new ArrayList<Integer>();
      entry.getValue().get("shape").forEach(each -> shape.add(each.asInt()));
      var numbers = new ArrayList<Float>();
      collect(entry.getValue().get("data"), numbers);
      tensors.put(prefix + entry.getKey(), tensor(shape, numbers));
    }
    return tensors;
  }

  /// A network alone gets a head that passes its features on.
  private static Map<String, Tensor> withLogits(JsonNode input) {
    Map<String, Tensor> tensors = tensors(input, "actor.extractor.");
    int width = input.get("args").get("output_dim").asInt();
    float[] identity = new float[width * width];
    for (int i = 0; i < width; i++) {
      identity[i * (width + 1)] = 1;
    }
    tensors.put("actor.layer_out.0.weight", Tensor.of(List.of(width, width), identity));
    tensors.put("actor.layer_out.0.bias", Tensor.of(List.of(width), new float[width]));
    tensors.put("critic.value_out.weight", Tensor.of(List.of(1, width), new float[width]));
    tensors.put("critic.value_out.bias", Tensor.of(List.of(1), 0));
    return tensors;
  }
}
