package io.tranche.policy.network;

import io.tranche.policy.encoder.DayEncoder;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;

/// A [DayNetwork] on live days and orders: a tick costs one step of the day encoder, a decision one
/// step of the order's recurrent network plus the last layers. The features equal those of
/// [Network.Inference] for the same day and tick, to the last bit, alone or in a batch.
///
/// For one thread, and for weights that no longer change; any number of instances may share a
/// network. Hot path: allocates only when days and episodes begin.
public final class LiveNetwork {

  /// A live day, shared by all its orders.
  public static final class Day {
    private final DayEncoder.LiveDay encoded;

    private Day(DayEncoder.LiveDay encoded) {
      this.encoded = encoded;
    }

    /// Appends the features of the next tick, which begin at `at` in `data`.
    public void append(float[] data, int at) {
      encoded.append(data, at);
    }
  }

  /// The decisions of one order.
  public static final class Episode {
    private final float[] state;
    private final int side;

    private Episode(int stateSize, int side) {
      this.state = new float[stateSize];
      this.side = side;
    }
  }

  private final DecisionHead head;
  private final DayEncoder.LiveDays days;
  private final DirectionPass direction;
  private final Rnn.Stream decisions;
  private final Episode[] episodes;
  private final Rows input;
  private final Rows encoded;
  private final Rows joined;
  private final Rows decisionPart;
  private final Rows directionPart;
  private final Rows neck;
  private final Rows features;

  LiveNetwork(DayNetwork<?> network, int maxRows) {
    head = network.head;
    days = network.day.newLiveDays();
    direction = new DirectionPass(head);
    direction.forward();
    decisions = head.decisions.rnn().newStream(maxRows);
    episodes = new Episode[maxRows];
    input = Rows.zeros(maxRows, DecisionHead.DECISION_INPUTS);
    encoded = Rows.zeros(maxRows, head.hidden());
    joined = Rows.zeros(maxRows, network.joinedWidth());
    decisionPart = joined.fromColumn(network.day.width());
    directionPart = decisionPart.fromColumn(head.hidden());
    neck = Rows.zeros(maxRows, head.hidden());
    features = Rows.zeros(maxRows, network.width());
  }

  /// Begins a day before its first tick.
  ///
  /// @param yesterday yesterday's features, row by row; ignored by networks that do not read them
  /// @throws io.tranche.market.DataException if the day is too long for the network, or yesterday
  ///   has another shape
  public Day newDay(float[] yesterday, int ticks) {
    return new Day(days.begin(yesterday, ticks));
  }

  /// Begins an order with the given side: 1 for a buy, 0 for a sell.
  public Episode newEpisode(int side) {
    return new Episode(decisions.stateSize(), side);
  }

  /// Puts the next decision of `episode`, at the current end of `day`, into row `row`.
  ///
  /// @param remaining the remaining fraction of the order
  /// @param progress the fraction of decisions already taken
  public void put(int row, Day day, Episode episode, float remaining, float progress) {
    episodes[row] = episode;
    int at = input.offset(row);
    input.data()[at] = remaining;
    input.data()[at + 1] = progress;
    decisions.restore(row, episode.state, 0);
    day.encoded.read(joined.data(), joined.offset(row));
    directionPart.copyRow(row, head.hidden(), direction.output(), episode.side);
  }

  /// Returns the features of the first `count` rows, filled by [#put]; valid until the next call.
  /// Advances each episode by one decision.
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
