package io.tranche.conformance.learning;

import io.tranche.config.ConfigException;
import io.tranche.config.ConfigFiles;
import io.tranche.conformance.golden.GoldenLearning;
import io.tranche.conformance.golden.Topic;
import io.tranche.env.ParallelFor;
import io.tranche.env.space.Space;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.catalog.PolicyCatalog;
import io.tranche.policy.dqn.Dqn;
import io.tranche.policy.experience.Batching;
import io.tranche.policy.experience.Transitions;
import io.tranche.policy.learn.UpdateSettings;
import io.tranche.policy.network.Model;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `dqn.json`: successive updates of one policy, from transitions to weights, and exploration.
public final class DqnTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String PREFIX = "model.";
  private static final String TARGET_PREFIX = "model_old.";

  /// Qlib's DQN ignores them.
  private static final UpdateSettings IGNORED = new UpdateSettings(2, 3, Batching.TRANSITIONS);

  private DqnTopic() {}

  public static double slack(String path, double largest) {
    return path.contains(".gradients") ? GoldenLearning.GRADIENT * largest : 1e-5;
  }

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    return input.has("eps") ? explore(input) : learn(input, testCase.get("expected"));
  }

  private static ObjectNode explore(JsonNode input) {
    ObjectNode answer = JSON.objectNode();
    ArrayNode actions = answer.putArray("act");
    for (int row = 0; row < input.get("act").size(); row++) {
      JsonNode mask = input.get("uniform_mask_draw").get(row);
      Stream<JsonNode> uniforms = input.get("uniform_q_draw").get(row).valueStream();
      double[] draws =
          Stream.concat(Stream.of(mask), uniforms).mapToDouble(JsonNode::doubleValue).toArray();
      int greedy = input.get("act").get(row).intValue();
      actions.add(Exploration.choose(greedy, input.get("eps").doubleValue(), draws));
    }
    return answer;
  }

  private static ObjectNode learn(JsonNode input, JsonNode expected) {
    try (var parallel = new ParallelFor(1)) {
      ObjectNode answer = JSON.objectNode();
      ArrayNode rounds = answer.putArray("rounds");
      Dqn<FullHistoryObservation> dqn;
      try {
        dqn = dqn(input, parallel);
      } catch (ConfigException e) {
        throw new Topic.Stopped(e, answer);
      }
      for (int i = 0; i < input.get("rounds").size(); i++) {
        rounds.add(round(dqn, input.get("rounds").get(i), expected.get("rounds").get(i)));
      }
      return answer;
    }
  }

  private static StateDict stateDict(JsonNode state) {
    var tensors = new LinkedHashMap<String, Tensor>();
    for (var entry : state.properties()) {
      List<Integer> shape =
          entry.getValue().get("shape").valueStream().map(JsonNode::intValue).toList();
      tensors.put(
          entry.getKey(), Tensor.of(shape, GoldenLearning.floats(entry.getValue().get("data"))));
    }
    return new StateDict(tensors);
  }

  private static Dqn<FullHistoryObservation> dqn(JsonNode input, ParallelFor parallel) {
    ObjectNode component = JSON.objectNode();
    component.put("class", "DQN").put("module_path", "qlib.rl.order_execution.policy");
    component.set("kwargs", input.get("hyper"));
    var spec =
        PolicyCatalog.agent(
            ConfigFiles.parse("input", component.toString()),
            GoldenLearning.recurrent(input.get("network"), input.get("data_dim").intValue()),
            LearningContext.of(new Space.Discrete(input.get("action_n").intValue())));
    var agent = spec.load("state_dict", stateDict(input.get("state_dict")));
    if (spec.algorithm(agent, null, parallel) instanceof Dqn<FullHistoryObservation> dqn) {
      return dqn;
    }
    throw new IllegalStateException("DQN must be one, was " + spec);
  }

  private static ObjectNode round(
      Dqn<FullHistoryObservation> dqn, JsonNode round, JsonNode expected) {
    ObjectNode answer = JSON.objectNode();
    Transitions<FullHistoryObservation> steps = GoldenLearning.transitions(round);
    float[] taken = values(dqn.agent().model(), steps, answer);
    Weights online = dqn.agent().model().weights();
    JsonNode gradients = expected.get("gradients");
    dqn.observe(
        (_, all) -> answer.set("gradients", GoldenLearning.byName(online, PREFIX, all, gradients)));
    Model<FullHistoryObservation> second = dqn.agent().target();
    Weights target = second == null ? null : second.weights();
    float[] targetBefore = target == null ? new float[0] : target.values().clone();
    float[] weightsBefore = online.values().clone();

    answer.put("loss", dqn.update(steps, IGNORED, 0).mean("loss"));

    ArrayNode returns = answer.putArray("returns");
    ArrayNode errors = answer.putArray("td_error");
    for (int row = 0; row < steps.size(); row++) {
      float wanted = dqn.targets().target(row, 0);
      returns.addArray().add((double) wanted);
      errors.add((double) (wanted - taken[row]));
    }
    answer.set(
        "parameters_after",
        GoldenLearning.weightsByName(online, PREFIX, expected.get("parameters_after"), gradients));
    if (target == null) {
      answer.putNull("target_parameters_after").putNull("target_changed_in_this_update");
    } else {
      ObjectNode after = answer.putObject("target_parameters_after");
      for (var named : dqn.agent().weights().stateDict().tensors().entrySet()) {
        if (named.getKey().startsWith(TARGET_PREFIX)) {
          after.set(named.getKey(), GoldenLearning.array(named.getValue().toArray()));
        }
      }
      answer.put(
          "target_changed_in_this_update",
          !Arrays.equals(target.values(), targetBefore)
              && Arrays.equals(target.values(), weightsBefore));
    }
    return answer.put("iter_counter", dqn.agent().steps());
  }

  /// Puts the values of all actions into `answer` and returns those of the actions taken.
  private static float[] values(
      Model<FullHistoryObservation> model,
      Transitions<FullHistoryObservation> steps,
      ObjectNode answer) {
    var evaluation = model.newEvaluation(1);
    ArrayNode matrix = answer.putArray("q");
    float[] taken = new float[steps.size()];
    for (int row = 0; row < steps.size(); row++) {
      evaluation.evaluate(List.of(steps.observation(row)));
      Rows values = evaluation.output(0);
      Softmax.forward(1, model.width(0), values);
      matrix.addAll(GoldenLearning.matrix(values, 1, model.width(0)));
      taken[row] = values.data()[values.offset(0) + steps.choice(row)];
    }
    return taken;
  }
}
