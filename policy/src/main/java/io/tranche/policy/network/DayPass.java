package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.CausalEncoder;
import io.tranche.policy.encoder.DayEncoder;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// A [DayNetwork] over a slice, forward and backward: encodes each lane's day and each episode's
/// decisions once, and reads both at every observation.
///
/// Hot path: allocates only when a day or an episode is the longest so far.
public final class DayPass<O extends Observation & DayObservation> implements Network.Pass<O> {

  private final DecisionHead head;
  private final int hidden;
  private final DayEncoder.Pass day;
  private final CausalEncoder.Pass decisions;
  private final DirectionPass direction;

  /// The row of the encoded decisions that each observation reads.
  private final int[] decisionRow;

  private final int[] directionRow;

  private final Rows joined;
  private final Rows decisionPart;
  private final Rows directionPart;
  private final Rows joinedGradients;
  private final Rows decisionGradients;
  private final Rows directionGradients;
  private final Rows neck;
  private final Rows neckGradients;
  private final Rows features;
  private final Rows featureGradients;
  private int count;

  DayPass(DayNetwork<O> network, int maxRows, int maxLanes) {
    this.head = network.head;
    this.hidden = head.hidden();
    joined = Rows.zeros(maxRows, network.joinedWidth());
    decisionPart = joined.fromColumn(network.day.width());
    directionPart = decisionPart.fromColumn(hidden);
    joinedGradients = Rows.zeros(maxRows, network.joinedWidth());
    decisionGradients = joinedGradients.fromColumn(network.day.width());
    directionGradients = decisionGradients.fromColumn(hidden);
    day = network.day.newPass(maxRows, maxLanes, joined, joinedGradients);
    decisions = head.decisions.newPass(maxRows);
    direction = new DirectionPass(head);
    decisionRow = new int[maxRows];
    directionRow = new int[maxRows];
    neck = Rows.zeros(maxRows, hidden);
    neckGradients = Rows.zeros(maxRows, hidden);
    features = Rows.zeros(maxRows, network.width());
    featureGradients = Rows.zeros(maxRows, network.width());
  }

  /// Returns the input of the last layers for each observation: the encoded day, decisions and side
  /// in one row.
  public Rows parts() {
    return joined;
  }

  @Override
  public Rows features() {
    return features;
  }

  @Override
  public Rows featureGradients() {
    return featureGradients;
  }

  @Override
  public void training(boolean on) {
    day.training(on);
  }

  @Override
  public void forward(Slice<O> slice) {
    count = slice.size();
    day.forward(slice);
    encodeDecisions(slice);
    direction.forward();
    for (int i = 0; i < count; i++) {
      directionRow[i] = slice.observation(i).sideCode();
      decisionPart.copyRow(i, hidden, decisions.output(), decisionRow[i]);
      directionPart.copyRow(i, hidden, direction.output(), directionRow[i]);
    }
    head.first.forward(count, joined, neck);
    head.second.forward(count, neck, features);
  }

  private void encodeDecisions(Slice<O> slice) {
    int episodes = 0;
    int steps = 0;
    for (int i = 0; i < count; i++) {
      steps = Math.max(steps, slice.observation(i).step() + 1);
      episodes += slice.startsEpisode(i) ? 1 : 0;
    }
    decisions.begin(steps, episodes);
    int episode = -1;
    for (int i = 0; i < count; i++) {
      episode += slice.startsEpisode(i) ? 1 : 0;
      decisionRow[i] = decisions.row(slice.observation(i).step(), episode);
      if (i + 1 == count || slice.startsEpisode(i + 1)) {
        // The last observation of an episode contains all its decisions.
        writeDecisions(slice.observation(i), episode, steps);
      }
    }
    decisions.forward();
  }

  private void writeDecisions(DayObservation last, int episode, int steps) {
    Rows input = decisions.input();
    for (int step = 0; step < steps; step++) {
      int at = input.offset(decisions.row(step, episode));
      if (step <= last.step()) {
        DecisionHead.write(last, step, input.data(), at);
      } else {
        Arrays.fill(input.data(), at, at + DecisionHead.DECISION_INPUTS, 0);
      }
    }
  }

  @Override
  public void backward(float[] gradients) {
    head.second.backward(count, neck, features, featureGradients, neckGradients, gradients);
    head.first.backward(count, joined, neck, neckGradients, joinedGradients, gradients);
    for (int i = 0; i < count; i++) {
      decisions.outputGradient().addRow(decisionRow[i], hidden, decisionGradients, i);
      direction.outputGradient().addRow(directionRow[i], hidden, directionGradients, i);
    }
    direction.backward(gradients);
    decisions.backward(gradients);
    day.backward(gradients);
  }
}
