package io.tranche.onnx;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.agent.Scores;
import io.tranche.policy.network.BuildContext;
import io.tranche.policy.weights.CheckpointException;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.policy.weights.StateDict;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An agent whose decisions a graph takes. Its weights are the graph's bytes.
final class OnnxAgent<O extends Observation> implements Agent<O> {

  private final Path path;
  private final BuildContext context;
  private String where;
  private @Nullable Weights packed;
  private @Nullable PolicyGraph opened;
  private long version;

  /// @param path named in the error if no graph is taken
  OnnxAgent(Path path, BuildContext context) {
    this.path = path;
    this.context = context;
    this.where = path.toString();
  }

  /// Takes a graph.
  ///
  /// @throws CheckpointException if it is refused
  synchronized void take(String from, byte[] graph) {
    GraphCheck.require(from, graph);
    opened = PolicyGraph.open(from, graph, context);
    packed = GraphBytes.packed(graph);
    version = packed.version();
    where = from;
  }

  @Override
  public void load(String from, StateDict others) {
    take(from, GraphBytes.unpacked(from, others));
  }

  @Override
  public synchronized PolicyWeights weights() {
    return GraphBytes.weights(present());
  }

  private Weights present() {
    if (packed == null) {
      throw CheckpointException.unreadable(path, new NoSuchFileException(path.toString()));
    }
    return packed;
  }

  /// Returns the graph of the weights as they are now.
  private synchronized PolicyGraph graph() {
    Weights present = present();
    if (opened == null || version != present.version()) {
      take(where, GraphBytes.unpacked(where, weights().stateDict()));
    }
    return Objects.requireNonNull(opened);
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    PolicyGraph graph = graph();
    var states = new EpisodeStates(graph);
    return (observations, _, _) -> actions(graph, scores(graph, observations, states));
  }

  private Action[] actions(PolicyGraph graph, float[] scores) {
    var actions = new Action[scores.length / graph.width()];
    for (int row = 0; row < actions.length; row++) {
      actions[row] = graph.action(scores, row);
    }
    return actions;
  }

  private float[] scores(PolicyGraph graph, List<O> observations, EpisodeStates states) {
    var decisions = new ArrayList<GraphDecision>(observations.size());
    for (O each : observations) {
      if (!(each instanceof DayObservation seen)) {
        throw new DataException(
            graph.where(),
            "observations of a FullHistoryInterpreter",
            each.getClass().getSimpleName());
      }
      decisions.add(GraphDecision.of(seen, states.before(seen)));
    }
    float[] scores = graph.evaluate(decisions);
    for (int row = 0; row < observations.size(); row++) {
      states.after((DayObservation) observations.get(row), decisions.get(row).state());
    }
    return scores;
  }

  @Override
  public Scores<O> newScores(int maxRows) {
    PolicyGraph graph = graph();
    var states = new EpisodeStates(graph);
    return new Scores<>(
        observations -> Rows.of(scores(graph, observations, states), graph.width()),
        graph.width(),
        maxRows,
        OnnxAgent::copy);
  }

  private static void copy(int count, Rows outputs, float[] scores) {
    System.arraycopy(outputs.data(), 0, scores, 0, count * outputs.stride());
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    PolicyGraph graph = graph();
    var live = new GraphDays(graph, maxRows);
    return new LivePolicy(live, live::features, graph.width(), maxRows, OnnxAgent::copy);
  }
}
