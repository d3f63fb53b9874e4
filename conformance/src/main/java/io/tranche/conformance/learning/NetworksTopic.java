package io.tranche.conformance.learning;

import io.tranche.conformance.golden.GoldenLearning;
import io.tranche.conformance.golden.GoldenValue;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.experience.Slice;
import io.tranche.policy.network.DayNetwork;
import io.tranche.policy.network.Model;
import io.tranche.policy.network.Network;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.tensor.AdamConfig;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Parameter;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import io.tranche.tensor.Weights;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// `networks.json.gz`: features, probabilities, values and gradients of networks with given
/// weights.
public final class NetworksTopic {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final int SEEDS = 2_000;

  /// How far the largest of that many draws may be below their bound.
  private static final double BELOW_THE_BOUND = 2e-4;

  private NetworksTopic() {}

  /// The gradient of the keys' bias is exactly zero, because a softmax does not change when all
  /// scores rise alike: torch and we have only rounding errors there.
  public static double slack(String path, double largest) {
    if (path.startsWith("$.gradients.k_net.bias[")) {
      return 1e-6;
    }
    if (path.startsWith("$.init_abs_max_per_param.")) {
      return BELOW_THE_BOUND;
    }
    return path.startsWith("$.gradients") ? GoldenLearning.GRADIENT * largest : 1e-5;
  }

  public static JsonNode answer(Path directory, JsonNode file, JsonNode testCase) {
    JsonNode input = testCase.get("input");
    JsonNode expected = testCase.get("expected");
    return switch (input.get("module").asString()) {
      case "Recurrent" -> recurrent(input, expected);
      case "Attention" -> attention(input, expected);
      case "DQN" -> values(input);
      default -> input.has("obs") ? actorCritic(input) : inventory(input);
    };
  }

  private static ObjectNode recurrent(JsonNode input, JsonNode expected) {
    var weights = new Weights();
    Network.Factory<FullHistoryObservation> factory = factory(input, "args");
    var network = (DayNetwork<FullHistoryObservation>) factory.create(weights, "");
    GoldenLearning.load(weights, input.get("state_dict"));
    List<FullHistoryObservation> observations = GoldenLearning.observations(input.get("obs"));
    int count = observations.size();
    var pass = network.newPass(count, count);
    pass.forward(slice(observations));
    int hidden = input.get("args").get("hidden_dim").asInt();
    ObjectNode answer = JSON.objectNode();
    answer.set("features", GoldenLearning.matrix(pass.features(), count, network.width()));
    Rows parts = pass.parts();
    answer.set("source_data", GoldenLearning.matrix(parts, count, hidden));
    answer.set("source_private", GoldenLearning.matrix(parts.fromColumn(hidden), count, hidden));
    answer.set(
        "source_direction", GoldenLearning.matrix(parts.fromColumn(2 * hidden), count, hidden));
    if (expected.get("gradients").isNull()) {
      // The largest case has no gradients.
      return answer.putNull("gradients");
    }
    float[] projection = GoldenLearning.floats(input.get("projection"));
    System.arraycopy(projection, 0, pass.featureGradients().data(), 0, projection.length);
    float[] gradients = new float[weights.size()];
    pass.backward(gradients);
    answer.set("gradients", GoldenLearning.byName(weights, gradients, expected.get("gradients")));
    return answer;
  }

  private static Network.Factory<FullHistoryObservation> factory(JsonNode input, String args) {
    return GoldenLearning.recurrent(input.get(args), input.get("data_dim").asInt());
  }

  private static Slice<FullHistoryObservation> slice(List<FullHistoryObservation> observations) {
    var slice = new Slice<FullHistoryObservation>(observations.size());
    for (int i = 0; i < observations.size(); i++) {
      slice.add(observations.get(i), i, i, true);
    }
    return slice;
  }

  private static ObjectNode attention(JsonNode input, JsonNode expected) {
    int inputs = input.get("args").get("in_dim").asInt();
    int width = input.get("args").get("out_dim").asInt();
    var weights = new Weights();
    var attention = new Attention(weights, "", inputs, width);
    GoldenLearning.load(weights, input.get("state_dict"));
    int lanes = input.get("Q").size();
    int queries = input.get("Q").get(0).size();
    int keys = input.get("K").get(0).size();
    Rows q = Rows.of(GoldenLearning.floats(input.get("Q")), inputs);
    Rows k = Rows.of(GoldenLearning.floats(input.get("K")), inputs);
    Rows v = Rows.of(GoldenLearning.floats(input.get("V")), inputs);
    var pass = attention.newPass(lanes, queries, keys);
    pass.forward(lanes, queries, keys, q, k, v, null);
    float[] gradients = new float[weights.size()];
    Rows projection = Rows.of(GoldenLearning.floats(input.get("projection")), width);
    pass.backward(q, k, v, projection, null, null, null, gradients);
    ObjectNode answer = JSON.objectNode();
    ArrayNode output = answer.putArray("output");
    for (int lane = 0; lane < lanes; lane++) {
      output.add(GoldenLearning.matrix(pass.output().fromRow(lane * queries), queries, width));
    }
    answer.set("gradients", GoldenLearning.byName(weights, gradients, expected.get("gradients")));
    return answer;
  }

  private static ObjectNode actorCritic(JsonNode input) {
    int choices = input.get("action_n").asInt();
    Model<FullHistoryObservation> model =
        ActorCritic.create(factory(input, "network"), choices, new SplittableRandom(0)).model();
    var evaluation = evaluated(model, input);
    int count = input.get("obs").get("cur_tick").size();
    Rows p = evaluation.output(0);
    Softmax.forward(count, choices, p);
    ObjectNode answer = JSON.objectNode();
    answer.set("state_dict_keys", keys(PolicyWeights.ppo(model.weights())));
    answer.set("named_parameters_dedup", GoldenLearning.names(model.weights()));
    answer.set("probs", GoldenLearning.matrix(p, count, choices));
    ArrayNode best = answer.putArray("act_eval_argmax");
    answer.set("dist_probs", GoldenLearning.matrix(p, count, choices));
    ArrayNode logarithms = answer.putArray("dist_logits");
    ArrayNode chosen = answer.putArray("log_prob_of_actions");
    ArrayNode entropy = answer.putArray("entropy");
    ArrayNode value = answer.putArray("value");
    for (int row = 0; row < count; row++) {
      int at = p.offset(row);
      best.add(Categorical.likeliest(p.data(), at, choices));
      entropy.add((double) Categorical.entropy(p.data(), at, choices));
      ArrayNode line = logarithms.addArray();
      for (int i = 0; i < choices; i++) {
        line.add((double) Categorical.logarithm(p.data()[at + i]));
      }
      chosen.add(line.get(input.get("actions").get(row).asInt()));
      value.add((double) evaluation.output(1).data()[evaluation.output(1).offset(row)]);
    }
    return answer;
  }

  private static Model<FullHistoryObservation>.Evaluation evaluated(
      Model<FullHistoryObservation> model, JsonNode input) {
    GoldenLearning.load(model.weights(), input.get("state_dict"));
    List<FullHistoryObservation> observations = GoldenLearning.observations(input.get("obs"));
    var evaluation = model.newEvaluation(observations.size());
    evaluation.evaluate(observations);
    return evaluation;
  }

  /// Qlib's DQN uses the actor's outputs as values.
  private static ObjectNode values(JsonNode input) {
    int choices = input.get("action_n").asInt();
    Model<FullHistoryObservation> model =
        new Model<>(
            factory(input, "network"),
            "model.extractor.",
            List.of(new Model.Head("model.layer_out.0", choices)));
    int count = input.get("obs").get("cur_tick").size();
    Rows q = evaluated(model, input).output(0);
    Softmax.forward(count, choices, q);
    ObjectNode answer = JSON.objectNode();
    PolicyWeights all =
        input.get("target_update_freq").asInt() > 0
            ? PolicyWeights.dqn(model.weights(), model.weights())
            : PolicyWeights.dqn(model.weights());
    answer.set("state_dict_keys", keys(all));
    answer.set("q", GoldenLearning.matrix(q, count, choices));
    ArrayNode best = answer.putArray("act_greedy");
    for (int row = 0; row < count; row++) {
      best.add(Categorical.likeliest(q.data(), q.offset(row), choices));
    }
    return answer;
  }

  private static JsonNode keys(PolicyWeights weights) {
    return GoldenValue.tree(weights.stateDict().tensors().keySet());
  }

  private static ObjectNode inventory(JsonNode input) {
    int choices = input.get("action_n").asInt();
    Network.Factory<FullHistoryObservation> factory = factory(input, "network");
    Weights weights =
        ActorCritic.create(factory, choices, new SplittableRandom(1)).model().weights();
    ObjectNode answer = JSON.objectNode();
    ObjectNode state = answer.putObject("state_dict");
    PolicyWeights.ppo(weights)
        .stateDict()
        .tensors()
        .forEach((key, tensor) -> tensor.shape().forEach(state.withArray(key)::add));
    ArrayNode shapes = answer.putArray("optimizer_param_shapes_in_order");
    for (Parameter each : weights.parameters()) {
      ArrayNode shape = shapes.addArray().add(each.rows());
      if (!each.isVector()) {
        shape.add(each.columns());
      }
    }
    AdamConfig optimiser = AdamConfig.of(1e-4);
    ObjectNode defaults = answer.putObject("optimizer_defaults");
    defaults.put("lr", optimiser.learningRate());
    defaults.putArray("betas").add(optimiser.beta1()).add(optimiser.beta2());
    defaults.put("eps", optimiser.epsilon());
    defaults.put("weight_decay", optimiser.weightDecay());
    answer.set("init_abs_max_per_param", largestDrawn(factory, choices));
    return answer;
  }

  /// Returns the largest first weight of each parameter over many seeds, which is the bound of the
  /// law that weights are drawn by.
  private static ObjectNode largestDrawn(Network.Factory<FullHistoryObservation> f, int choices) {
    var largest = new TreeMap<String, Float>();
    for (int seed = 0; seed < SEEDS; seed++) {
      Weights drawn = ActorCritic.create(f, choices, new SplittableRandom(seed)).model().weights();
      for (Parameter each : drawn.parameters()) {
        float most = 0;
        for (float value : Weights.rowMajor(each, drawn.values())) {
          most = Math.max(most, Math.abs(value));
        }
        largest.merge(each.name(), most, Math::max);
      }
    }
    ObjectNode answer = JSON.objectNode();
    largest.forEach((name, most) -> answer.put(name, (double) most));
    return answer;
  }
}
