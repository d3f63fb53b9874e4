package io.tranche.onnx;

import io.tranche.env.Observation;
import io.tranche.env.ParallelFor;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.learn.AgentSpec;
import io.tranche.policy.learn.Algorithm;
import io.tranche.policy.learn.Distillation;
import io.tranche.policy.learn.Untrained;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.weights.StateDict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Makes agents of a graph. Only a new one reads the file: checkpoints and bundles hold the graph
/// itself.
record OnnxSpec<O extends Observation>(Path path, BuildContext context) implements AgentSpec<O> {

  /// A file that is gone is an error only if nothing else brings a graph.
  @Override
  public Agent<O> create(RandomGenerator random) {
    var agent = new OnnxAgent<O>(path, context);
    if (Files.exists(path)) {
      agent.take(path.toString(), GraphBytes.read(path));
    }
    return agent;
  }

  @Override
  public Agent<O> load(String where, StateDict weights) {
    var agent = new OnnxAgent<O>(path, context);
    agent.load(where, weights);
    return agent;
  }

  @Override
  public boolean hasNetwork() {
    return false;
  }

  @Override
  public Algorithm<O> algorithm(
      Agent<O> agent, @Nullable Distillation<O> teacher, ParallelFor parallel) {
    return new Untrained<>(agent);
  }
}
