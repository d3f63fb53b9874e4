package io.tranche.onnx;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.weights.CheckpointException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The states of a streaming graph between the decisions of orders that are simulated. For one
/// thread.
final class EpisodeStates {

  /// More orders than anybody simulates at once.
  private static final int KEPT = 1 << 14;

  private record Key(Object episode) {

    @Override
    @SuppressWarnings("ReferenceEquality") // two orders may be equal
    public boolean equals(@Nullable Object other) {
      return other instanceof Key(Object that) && that == episode;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(episode);
    }
  }

  /// @param step of the decision that comes next
  private record Kept(int step, GraphState state) {}

  private final PolicyGraph graph;
  private final Map<Key, Kept> kept =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Kept> eldest) {
          return size() > KEPT;
        }
      };

  EpisodeStates(PolicyGraph graph) {
    this.graph = graph;
  }

  /// Returns the state before a decision.
  ///
  /// @throws CheckpointException if the decision before was not asked for here
  GraphState before(DayObservation seen) {
    if (!graph.isStreaming() || seen.step() == 0) {
      return graph.begin();
    }
    Kept last = kept.get(new Key(seen.episode()));
    if (last == null || last.step() != seen.step()) {
      throw new CheckpointException(
          graph.where(),
          "every decision of an order in turn, because the graph keeps a state",
          "step %d of %s first".formatted(seen.step(), seen.where()));
    }
    return last.state();
  }

  void after(DayObservation seen, GraphState state) {
    if (graph.isStreaming()) {
      kept.put(new Key(seen.episode()), new Kept(seen.step() + 1, state));
    }
  }
}
