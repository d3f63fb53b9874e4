package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.tensor.Rows;
import java.util.List;

/// [Recurrent] for decisions as they come: a day is encoded when it is first seen, and each
/// decision adds one step to its episode's part.
final class RecurrentInference implements Network.Inference<FullHistoryObservation> {

  private final Recurrent network;
  private final int hidden;
  private final EncodedDays days;
  private final EncodedDecisions decisions;
  private final DirectionPass direction;
  private final Rows joined;
  private final Rows neck;
  private final Rows features;
  private long version = -1;

  RecurrentInference(Recurrent network, int maxRows) {
    this.network = network;
    this.hidden = network.config.hidden();
    days = new EncodedDays(network.data, network.dataWidth, maxRows);
    decisions = new EncodedDecisions(network.decisions, maxRows);
    direction = new DirectionPass(network);
    joined = Rows.zeros(maxRows, 3 * hidden);
    neck = Rows.zeros(maxRows, hidden);
    features = Rows.zeros(maxRows, network.width());
  }

  @Override
  public Rows features(List<FullHistoryObservation> observations) {
    if (version != network.weightsVersion()) {
      version = network.weightsVersion();
      days.forget();
      decisions.forget();
      direction.forward();
    }
    int count = observations.size();
    days.read(observations, joined);
    decisions.read(observations, joined.fromColumn(hidden));
    for (int i = 0; i < count; i++) {
      int side = observations.get(i).side().code();
      System.arraycopy(
          direction.output().data(),
          direction.output().offset(side),
          joined.data(),
          joined.offset(i) + 2 * hidden,
          hidden);
    }
    network.headFirst.forward(count, joined, neck);
    network.headSecond.forward(count, neck, features);
    return features;
  }
}
