package io.tranche.policy.network;

import io.tranche.policy.encoder.DayEncoder;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;

/// A [DayNetwork] on live days and orders: a tick costs one step of the day encoder, a decision one
/// step of the order's recurrent network plus the last layers. The features equal those of
/// [Network.Inference] for the same day and tick, to the last bit, alone or in a batch.
///
/// Hot path: allocates only when days and episodes begin.
final class LiveDayNetwork implements LiveNetwork {

  private record EncodedDay(DayEncoder.LiveDay encoded) implements Day {

    @Override
    public void append(float[] data, int at) {
      encoded.append(data, at);
    }
  }

  /// The decisions of one order.
  private static final class Decisions implements Episode {
    private final float[] state;
    private final int side;

    private Decisions(int stateSize, int side) {
      this.state = new float[stateSize];
      this.side = side;
    }
  }

  private final DecisionHead head;
  private final DayEncoder.LiveDays days;
  private final DirectionPass direction;
  private final Rnn.Stream decisions;
  private final Decisions[] episodes;
  private final Rows input;
  private final Rows encoded;
  private final Rows joined;
  private final Rows decisionPart;
  private final Rows directionPart;
  private final Rows neck;
  private final Rows features;

  LiveDayNetwork(DayNetwork<?> network, int maxRows) {
    head = network.head;
    days = network.day.newLiveDays();
    direction = new DirectionPass(head);
    direction.forward();
    decisions = head.decisions.rnn().newStream(maxRows);
    episodes = new Decisions[maxRows];
    input = Rows.zeros(maxRows, DecisionHead.DECISION_INPUTS);
    encoded = Rows.zeros(maxRows, head.hidden());
    joined = Rows.zeros(maxRows, network.joinedWidth());
    decisionPart = joined.fromColumn(network.day.width());
    directionPart = decisionPart.fromColumn(head.hidden());
    neck = Rows.zeros(maxRows, head.hidden());
    features = Rows.zeros(maxRows, network.width());
  }

  @Override
  public Day newDay(float[] yesterday, int ticks) {
    return new EncodedDay(days.begin(yesterday, ticks));
  }

  @Override
  public Episode newEpisode(int side) {
    return new Decisions(decisions.stateSize(), side);
  }

  @Override
  public void put(int row, Day day, Episode episode, float remaining, float progress) {
    var order = (Decisions) episode;
    episodes[row] = order;
    int at = input.offset(row);
    input.data()[at] = remaining;
    input.data()[at + 1] = progress;
    decisions.restore(row, order.state, 0);
    ((EncodedDay) day).encoded.read(joined.data(), joined.offset(row));
    directionPart.copyRow(row, head.hidden(), direction.output(), order.side);
  }

  @Override
  public Rows features(int count) {
    head.decisions.layer().forward(count, input, encoded);
    decisions.step(0, count, encoded);
    for (int row = 0; row < count; row++) {
      decisions.save(row, episodes[row].state, 0);
      decisionPart.copyRow(row, head.hidden(), decisions.output(), row);
    }
    head.first.forward(count, joined, neck);
    head.second.forward(count, neck, features);
    return features;
  }
}
