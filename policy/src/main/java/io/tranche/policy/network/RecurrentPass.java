package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.tensor.Rows;
import java.util.Arrays;

/// [Recurrent] over a slice, forward and back: a run over each lane's day, one over each episode's
/// decisions, and for every observation what they gave when it was made.
///
/// Hot path: allocates only when a day or an episode is longer than any before.
public final class RecurrentPass implements Network.Pass<FullHistoryObservation> {

  private final Recurrent network;
  private final int hidden;
  private final SequenceEncoder.Pass data;
  private final SequenceEncoder.Pass decisions;
  private final DirectionPass direction;

  /// Which output of each part an observation reads.
  private final int[] dataRow;

  private final int[] decisionRow;
  private final int[] directionRow;

  private final Rows joined;
  private final Rows joinedGradients;
  private final Rows neck;
  private final Rows neckGradients;
  private final Rows features;
  private final Rows featureGradients;
  private int count;

  RecurrentPass(Recurrent network, int maxRows, int maxLanes) {
    this.network = network;
    this.hidden = network.config.hidden();
    data = network.data.newPass(maxLanes);
    decisions = network.decisions.newPass(maxRows);
    direction = new DirectionPass(network);
    dataRow = new int[maxRows];
    decisionRow = new int[maxRows];
    directionRow = new int[maxRows];
    joined = Rows.zeros(maxRows, 3 * hidden);
    joinedGradients = Rows.zeros(maxRows, 3 * hidden);
    neck = Rows.zeros(maxRows, hidden);
    neckGradients = Rows.zeros(maxRows, hidden);
    features = Rows.zeros(maxRows, network.width());
    featureGradients = Rows.zeros(maxRows, network.width());
  }

  @Override
  public Rows features() {
    return features;
  }

  /// Returns what the last layers see of each observation: the day, the decisions and the side,
  /// side by side, each as wide as the hidden layers.
  public Rows parts() {
    return joined;
  }

  @Override
  public Rows featureGradients() {
    return featureGradients;
  }

  @Override
  public void forward(Slice<FullHistoryObservation> slice) {
    count = slice.size();
    encodeDays(slice);
    encodeDecisions(slice);
    direction.forward();
    for (int i = 0; i < count; i++) {
      directionRow[i] = slice.observation(i).side().code();
      copy(data.output(), dataRow[i], joined.offset(i));
      copy(decisions.output(), decisionRow[i], joined.offset(i) + hidden);
      copy(direction.output(), directionRow[i], joined.offset(i) + 2 * hidden);
    }
    network.headFirst.forward(count, joined, neck);
    network.headSecond.forward(count, neck, features);
  }

  private void copy(Rows source, int row, int to) {
    System.arraycopy(source.data(), source.offset(row), joined.data(), to, hidden);
  }

  private void encodeDays(Slice<FullHistoryObservation> slice) {
    int lanes = slice.lanes();
    int steps = 0;
    for (int i = 0; i < count; i++) {
      // What comes after the last tick that is read changes nothing.
      steps = Math.max(steps, slice.observation(i).tick() + 1);
    }
    data.begin(steps, lanes);
    for (int i = 0; i < count; i++) {
      int lane = slice.lane(i);
      FullHistoryObservation observation = slice.observation(i);
      if (i == 0 || lane != slice.lane(i - 1)) {
        DayInput.day(observation, lane, lanes, steps, network.dataWidth, data.input());
      }
      dataRow[i] = observation.tick() * lanes + lane;
    }
    data.forward();
  }

  private void encodeDecisions(Slice<FullHistoryObservation> slice) {
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
      decisionRow[i] = slice.observation(i).step() * episodes + episode;
      if (i + 1 == count || slice.startsEpisode(i + 1)) {
        // The last observation of an episode has seen all of its decisions.
        writeDecisions(slice.observation(i), episode, episodes, steps);
      }
    }
    decisions.forward();
  }

  private void writeDecisions(FullHistoryObservation last, int episode, int episodes, int steps) {
    Rows input = decisions.input();
    for (int step = 0; step < steps; step++) {
      int at = input.offset(step * episodes + episode);
      if (step <= last.step()) {
        DayInput.decision(last, step, input.data(), at);
      } else {
        Arrays.fill(input.data(), at, at + 2, 0);
      }
    }
  }

  @Override
  public void backward(float[] gradients) {
    network.headSecond.backward(count, neck, features, featureGradients, neckGradients, gradients);
    network.headFirst.backward(count, joined, neck, neckGradients, joinedGradients, gradients);
    for (int i = 0; i < count; i++) {
      int from = joinedGradients.offset(i);
      add(from, data.outputGradient(), dataRow[i]);
      add(from + hidden, decisions.outputGradient(), decisionRow[i]);
      add(from + 2 * hidden, direction.outputGradient(), directionRow[i]);
    }
    direction.backward(gradients);
    decisions.backward(gradients);
    data.backward(gradients);
  }

  private void add(int from, Rows target, int row) {
    float[] source = joinedGradients.data();
    float[] sum = target.data();
    int to = target.offset(row);
    for (int i = 0; i < hidden; i++) {
      sum[to + i] += source[from + i];
    }
  }
}
