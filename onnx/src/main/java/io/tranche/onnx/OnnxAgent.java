package io.tranche.onnx;

import io.tranche.env.Observation;
import io.tranche.env.Policy;
import io.tranche.env.space.Action;
import io.tranche.market.DataException;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.agent.Agent;
import io.tranche.policy.agent.LivePolicy;
import io.tranche.policy.agent.Scores;
import io.tranche.policy.weights.PolicyWeights;
import io.tranche.tensor.Rows;
import java.util.ArrayList;
import java.util.List;

/// An agent whose decisions a graph takes. Its weights are the graph's bytes.
record OnnxAgent<O extends Observation>(PolicyGraph graph, byte[] bytes) implements Agent<O> {

  @Override
  public PolicyWeights weights() {
    return GraphBytes.packed(bytes);
  }

  @Override
  public Policy<O> newPolicy(int maxRows) {
    var states = new EpisodeStates(graph);
    return (observations, _, _) -> actions(scores(observations, states), observations.size());
  }

  private Action[] actions(float[] scores, int count) {
    var actions = new Action[count];
    for (int row = 0; row < count; row++) {
      actions[row] = graph.action(scores, row);
    }
    return actions;
  }

  private float[] scores(List<O> observations, EpisodeStates states) {
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
    var states = new EpisodeStates(graph);
    return new Scores<>(
        observations -> Rows.of(scores(observations, states), graph.width()),
        graph.width(),
        maxRows,
        this::copy);
  }

  private void copy(int count, Rows outputs, float[] scores) {
    System.arraycopy(outputs.data(), 0, scores, 0, count * graph.width());
  }

  @Override
  public LivePolicy newLivePolicy(int maxRows) {
    var live = new GraphDays(graph, maxRows);
    return new LivePolicy(live, live::features, graph.width(), maxRows, this::copy);
  }
}
