package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.DayEncoder;
import io.tranche.tensor.Rows;
import java.util.List;

/// A [DayNetwork] for single decisions: a day is encoded when it is first seen, and each decision
/// costs one step of its episode's recurrent network.
final class DayInference<O extends Observation & DayObservation> implements Network.Inference<O> {

  private final DayNetwork<O> network;
  private final DecisionHead head;
  private final DayEncoder.Reader days;
  private final EncodedDecisions decisions;
  private final DirectionPass direction;
  private final Rows joined;
  private final Rows decisionPart;
  private final Rows directionPart;
  private final Rows neck;
  private final Rows features;
  private long version = -1;

  DayInference(DayNetwork<O> network, int maxRows) {
    this.network = network;
    this.head = network.head;
    int hidden = head.hidden();
    days = network.day.newReader(maxRows);
    decisions = new EncodedDecisions(head.decisions, maxRows);
    direction = new DirectionPass(head);
    joined = Rows.zeros(maxRows, network.joinedWidth());
    decisionPart = joined.fromColumn(network.day.width());
    directionPart = decisionPart.fromColumn(hidden);
    neck = Rows.zeros(maxRows, hidden);
    features = Rows.zeros(maxRows, network.width());
  }

  private void forgetOldWeights() {
    if (version != network.weightsVersion()) {
      version = network.weightsVersion();
      days.forget();
      decisions.forget();
      direction.forward();
    }
  }

  @Override
  public void expect(List<O> observations) {
    forgetOldWeights();
    days.expect(observations);
  }

  @Override
  public Rows features(List<O> observations) {
    forgetOldWeights();
    int count = observations.size();
    days.read(observations, joined);
    decisions.read(observations, decisionPart);
    for (int i = 0; i < count; i++) {
      int side = observations.get(i).sideCode();
      directionPart.copyRow(i, head.hidden(), direction.output(), side);
    }
    head.first.forward(count, joined, neck);
    head.second.forward(count, neck, features);
    return features;
  }
}
