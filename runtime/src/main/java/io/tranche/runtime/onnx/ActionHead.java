package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.agent.ActionValues;
import io.tranche.policy.agent.Exploration;
import io.tranche.policy.agent.ValueAgent;
import io.tranche.policy.dqn.DqnSpec;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.ppo.PpoSpec;
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
      case PpoSpec<?> ppo -> new Actor(ppo);
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

  /// PPO's actor: logits and probabilities.
  record Actor(PpoSpec<?> spec) implements ActionHead {

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
      String logits = layers.linear("layer_out.0", features);
      Size[] shape = {BATCH, Size.of(spec.choices())};
      layers.graph().output("probabilities", softmax(layers, logits), shape);
      layers.graph().output("logits", logits, shape);
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
