package io.tranche.runtime.onnx;

import static io.tranche.runtime.onnx.OnnxModel.BATCH;

import io.tranche.policy.dqn.Dqn;
import io.tranche.policy.dqn.DqnConfig;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.ppo.Ppo;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.runtime.onnx.OnnxGraph.Attribute;
import io.tranche.runtime.onnx.OnnxGraph.Size;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The head of an algorithm, as nodes: from features to the scores that its policy chooses by.
sealed interface ActionHead {

  /// Returns the head of `algorithm`, or null if it is not a known one.
  static @Nullable ActionHead of(Algorithm<?> algorithm) {
    return switch (algorithm) {
      case Ppo<?> ppo -> new Actor(ppo.model().width(0));
      case Dqn<?> dqn -> new Values(dqn.model().width(0) / dqn.config().quantiles(), dqn.config());
      default -> null;
    };
  }

  /// Requires that `weights` fit `algorithm`, by loading them.
  ///
  /// @throws io.tranche.policy.weights.CheckpointException if they do not
  void check(Algorithm<?> algorithm, String where, StateDict weights);

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
  ///
  /// @param choices the number of actions
  record Actor(int choices) implements ActionHead {

    @Override
    public String prefix() {
      return "actor.";
    }

    @Override
    public void check(Algorithm<?> algorithm, String where, StateDict weights) {
      algorithm.policyWeights().load(where, weights);
    }

    @Override
    public void output(OnnxLayers layers, String features) {
      String logits = layers.linear("layer_out.0", features);
      Size[] shape = {BATCH, Size.of(choices)};
      layers.graph().output("probabilities", softmax(layers, logits), shape);
      layers.graph().output("logits", logits, shape);
    }
  }

  /// DQN's action values; for quantiles their mean, by which actions are compared.
  ///
  /// @param choices the number of actions
  record Values(int choices, DqnConfig config) implements ActionHead {

    @Override
    public String prefix() {
      return "model.";
    }

    /// Only the network that chooses counts; the target network is for training.
    @Override
    public void check(Algorithm<?> algorithm, String where, StateDict weights) {
      var chosen = new LinkedHashMap<>(weights.tensors());
      chosen.keySet().removeIf(key -> key.startsWith("model_old."));
      PolicyWeights.dqn(algorithm.weights()).load(where, new StateDict(chosen));
    }

    @Override
    public void output(OnnxLayers layers, String features) {
      String outputs = layers.linear("layer_out.0", features);
      String values =
          config.softmax()
              ? softmax(layers, outputs)
              : config.quantiles() > 1 ? means(layers, outputs) : outputs;
      layers.graph().output("values", values, BATCH, Size.of(choices));
    }

    private String means(OnnxLayers layers, String quantiles) {
      OnnxGraph graph = layers.graph();
      int count = config.quantiles();
      String apart = graph.node("Reshape", List.of(quantiles, graph.integers(0, choices, count)));
      String shares = graph.constant("shares", config.shares(), count, 1);
      return layers.squeeze(graph.node("MatMul", List.of(apart, shares)), 2);
    }
  }
}
