package io.tranche.runtime.onnx;

import io.tranche.config.ConfigFiles;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.env.space.Space;
import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.market.feature.FeatureColumns;
import io.tranche.market.feature.GivenFeatures;
import io.tranche.policy.agent.ActorCritic;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.network.Model;
import io.tranche.policy.weights.StateDict;
import io.tranche.policy.weights.Tensor;
import io.tranche.runtime.ModelSpec;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Softmax;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// A model in our own engine, with weights large enough that what it says differs.
record TrainedModel(ModelSpec spec, Agent<FullHistoryObservation> agent) {

  static final int CHOICES = 5;
  static final int TICKS = 240;
  static final OnnxOrigin ORIGIN = new OnnxOrigin("0.1.0", "latest.pth");

  private static final float LARGER = 2;

  /// @param network as a configuration has it
  /// @param policy as a configuration has it
  /// @param width how many features a tick has
  static TrainedModel of(String network, String policy, int width, int maxSteps, long seed) {
    ModelSpec spec = spec(network, policy, width, maxSteps);
    AgentSpec<FullHistoryObservation> made = made(spec, CHOICES);
    var larger = new LinkedHashMap<String, Tensor>();
    var known = new IdentityHashMap<Tensor, Tensor>();
    made.create(new SplittableRandom(seed))
        .weights()
        .stateDict()
        .tensors()
        .forEach(
            (key, tensor) -> larger.put(key, known.computeIfAbsent(tensor, _ -> grow(tensor))));
    return new TrainedModel(spec, made.load("larger", new StateDict(larger)));
  }

  static TrainedModel of(ModelSpec spec, int choices, StateDict weights) {
    return new TrainedModel(spec, made(spec, choices).load("weights", weights));
  }

  private static AgentSpec<FullHistoryObservation> made(ModelSpec spec, int choices) {
    return spec.agent(new Space.Discrete(choices));
  }

  private static Tensor grow(Tensor tensor) {
    float[] elements = tensor.toArray();
    for (int i = 0; i < elements.length; i++) {
      elements[i] *= LARGER;
    }
    return Tensor.of(tensor.shape(), elements);
  }

  static ModelSpec spec(String network, String policy, int width, int maxSteps) {
    return spec(network, policy, width, maxSteps, CHOICES);
  }

  static ModelSpec spec(String network, String policy, int width, int maxSteps, int choices) {
    List<String> columns = IntStream.range(0, width).mapToObj(i -> "$f" + i).toList();
    List<String> yesterday = columns.stream().map(each -> each + "_1").toList();
    return ModelSpec.of(
            ConfigFiles.parse("network.yml", network),
            ConfigFiles.parse("policy.yml", policy),
            ConfigFiles.parse(
                "actions.yml",
                "{class: CategoricalActionInterpreter, kwargs: {values: %d}}"
                    .formatted(choices - 1)),
            new GivenFeatures(new FeatureColumns(columns, yesterday)))
        .withQlib(true)
        .withSteps(maxSteps, 30);
  }

  StateDict weights() {
    return agent.weights().stateDict();
  }

  OnnxModel onnx() {
    return OnnxModel.of(spec, weights(), ORIGIN);
  }

  /// Returns which output of a graph the policy chooses by.
  String output() {
    return agent instanceof ActorCritic ? "probabilities" : "values";
  }

  /// Returns what the policy chooses by, a row an observation.
  float[] values(List<FullHistoryObservation> observations) {
    return switch (agent) {
      case ActorCritic<FullHistoryObservation> actor ->
          evaluate(actor.model(), observations, true, 1f);
      case ValueAgent<FullHistoryObservation> values ->
          evaluate(
              values.model(), observations, values.values().softmax(), values.values().shares());
      default -> throw new AssertionError(agent);
    };
  }

  private static float[] evaluate(
      Model<FullHistoryObservation> model,
      List<FullHistoryObservation> observations,
      boolean softmax,
      float... shares) {
    int count = observations.size();
    var evaluation = model.newEvaluation(count);
    evaluation.evaluate(observations);
    Rows output = evaluation.output(0);
    int width = model.width(0);
    if (softmax) {
      Softmax.forward(count, width, output);
    }
    float[] values = new float[count * width / shares.length];
    for (int i = 0; i < values.length; i++) {
      int at = i * shares.length;
      double sum = 0;
      for (int j = 0; j < shares.length; j++) {
        sum += (double) shares[j] * output.data()[output.offset(at / width) + at % width + j];
      }
      values[i] = (float) sum;
    }
    return values;
  }

  /// Returns what the policy does.
  int[] choices(List<FullHistoryObservation> observations) {
    Action[] actions =
        agent
            .newPolicy(observations.size())
            .act(observations, new long[observations.size()], Policy.Mode.EVALUATE);
    return Arrays.stream(actions).mapToInt(each -> ((Action.Discrete) each).index()).toArray();
  }
}
