package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.agent.ActionDistribution;
import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.BoundedBeta;
import io.tranche.policy.agent.Bounds;
import io.tranche.policy.agent.Categorical;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.agent.SquashedGaussian;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.ppo.PpoSpec;
import io.tranche.policy.sac.SacSpec;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.onnx.OnnxGraph.Attribute;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of an agent, as nodes: from features to the scores that it chooses by.
sealed interface ActionHead {

  /// Returns the head of the agents that `agent` makes, or null if it is unknown.
  static @Nullable ActionHead of(AgentSpec<?> agent) {
    return switch (agent) {
      case PpoSpec<?> ppo -> new Actor(ppo, ppo.actions());
      case SacSpec<?> sac -> new Actor(sac, sac.actions());
      case DqnSpec<?> dqn -> new Values(dqn, dqn.config().values(dqn.choices()));
      default -> null;
    };
  }

  /// Requires that `weights` fit the agent, by loading them.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if they do not
  void check(String where, StateDict weights);

  /// Returns the prefix of the names of the weights.
  String prefix();

  /// Adds the outputs.
  ///
  /// @param features [B, n]
  void output(OnnxLayers layers, String features);

  private static String softmax(OnnxLayers layers, String x) {
    return layers.graph().node("Softmax", List.of(x), Attribute.of("axis", -1));
  }

  /// An actor: logits and probabilities of choices, or the parameters and the numbers of continuous
  /// actions.
  record Actor(AgentSpec<?> spec, ActionDistribution actions) implements ActionHead {

    @Override
    public String prefix() {
      return "actor.";
    }

    @Override
    public void check(String where, StateDict weights) {
      spec.load(where, weights);
    }

    @Override
    public void output(OnnxLayers layers, String features) {
      String outputs = layers.linear("layer_out.0", features);
      Size[] shape = {BATCH, Size.of(actions.outputs())};
      Size[] numbers = {BATCH, Size.of(actions.scores())};
      OnnxGraph graph = layers.graph();
      switch (actions) {
        case Categorical _ -> {
          graph.output("probabilities", softmax(layers, outputs), shape);
          graph.output("logits", outputs, shape);
        }
        case SquashedGaussian(Bounds bounds) -> {
          // Of each pair of outputs, twice the mean.
          String logits = pick(graph, "means", outputs, bounds.count(), 2, 0);
          String fractions = graph.node("Sigmoid", List.of(logits));
          graph.output("actions", between(graph, fractions, bounds), numbers);
          graph.output("parameters", outputs, shape);
        }
        case BoundedBeta(Bounds bounds) -> {
          String shapes = graph.node("Softplus", List.of(outputs));
          String fractions =
              graph.node(
                  "Div",
                  List.of(
                      pick(graph, "first_shapes", shapes, bounds.count(), 1, 0),
                      pick(graph, "both_shapes", shapes, bounds.count(), 1, 1)));
          graph.output("actions", between(graph, fractions, bounds), numbers);
          graph.output("parameters", outputs, shape);
        }
      }
    }

    /// Weighs each pair of columns: [B, 2n] to [B, n].
    private static String pick(
        OnnxGraph graph, String name, String pairs, int count, float first, float second) {
      float[] matrix = new float[2 * count * count];
      for (int i = 0; i < count; i++) {
        matrix[2 * i * count + i] = first;
        matrix[(2 * i + 1) * count + i] = second;
      }
      return graph.node("MatMul", List.of(pairs, graph.constant(name, matrix, 2 * count, count)));
    }

    private static String between(OnnxGraph graph, String fractions, Bounds bounds) {
      String range =
          graph.constant("range", new float[] {(float) (bounds.high() - bounds.low())}, 1);
      String low = graph.constant("low", new float[] {(float) bounds.low()}, 1);
      return graph.node("Add", List.of(graph.node("Mul", List.of(fractions, range)), low));
    }
  }

  /// DQN's action values; for quantiles, their mean, which decides between actions.
  record Values(DqnSpec<?> spec, ActionValues values) implements ActionHead {

    @Override
    public String prefix() {
      return "model.";
    }

    /// Only the network that chooses counts; the target network is for training.
    @Override
    public void check(String where, StateDict weights) {
      var chosen = new LinkedHashMap<>(weights.tensors());
      chosen.keySet().removeIf(key -> key.startsWith("model_old."));
      ValueAgent.load(
          spec.network(), values, false, Exploration.NONE, where, new StateDict(chosen));
    }

    @Override
    public void output(OnnxLayers layers, String features) {
      String outputs = layers.linear("layer_out.0", features);
      String read =
          values.softmax()
              ? softmax(layers, outputs)
              : values.quantiles() > 1 ? means(layers, outputs) : outputs;
      layers.graph().output("values", read, BATCH, Size.of(values.choices()));
    }

    private String means(OnnxLayers layers, String quantiles) {
      OnnxGraph graph = layers.graph();
      int count = values.quantiles();
      String apart =
          graph.node("Reshape", List.of(quantiles, graph.integers(0, values.choices(), count)));
      String shares = graph.constant("shares", values.shares(), count, 1);
      return layers.squeeze(graph.node("MatMul", List.of(apart, shares)), 2);
    }
  }
}
