package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;

/// A recurrent network over the ticks of the day, another over the decisions taken, and the side of
/// the order. Qlib: `qlib.rl.order_execution.network.Recurrent`.
///
/// Qlib runs the first over the whole day for every step of every order, with zeros for what is
/// still to come, and reads what it gives at the current tick. It looks only back, so one run over
/// the day gives every step of every order on it; see [DayLane]. The second runs once an episode.
public final class Recurrent implements Network<FullHistoryObservation> {

  final RecurrentConfig config;
  final int dataWidth;

  /// Over the ticks of the day, and over the decisions taken.
  final SequenceEncoder data;

  final SequenceEncoder decisions;
  final Linear directionFirst;
  final Linear directionSecond;
  final Linear headFirst;
  final Linear headSecond;

  /// For interchange only: Qlib has it in its files and never runs it.
  private final Rnn yesterdayRnn;

  private final Weights weights;

  /// @param dataWidth how many features a tick has
  public Recurrent(Weights weights, String prefix, RecurrentConfig config, int dataWidth) {
    this.weights = weights;
    this.config = config;
    this.dataWidth = dataWidth;
    int hidden = config.hidden();
    Rnn dataRnn = rnn(prefix + "raw_rnn");
    yesterdayRnn = rnn(prefix + "prev_rnn");
    yesterdayRnn.exclude();
    Rnn decisionRnn = rnn(prefix + "pri_rnn");
    data =
        new SequenceEncoder(
            Linear.withRelu(weights, prefix + "raw_fc.0", dataWidth, hidden), dataRnn);
    decisions =
        new SequenceEncoder(Linear.withRelu(weights, prefix + "pri_fc.0", 2, hidden), decisionRnn);
    directionFirst = Linear.withRelu(weights, prefix + "dire_fc.0", 2, hidden);
    directionSecond = Linear.withRelu(weights, prefix + "dire_fc.2", hidden, hidden);
    headFirst = Linear.withRelu(weights, prefix + "fc.0", 3 * hidden, hidden);
    headSecond = Linear.withRelu(weights, prefix + "fc.2", hidden, config.output());
  }

  private Rnn rnn(String name) {
    int hidden = config.hidden();
    return new Rnn(weights, name, config.type(), hidden, hidden, config.depth());
  }

  /// Returns how to make such networks.
  public static Factory<FullHistoryObservation> factory(RecurrentConfig config, int dataWidth) {
    return (weights, prefix) -> new Recurrent(weights, prefix, config, dataWidth);
  }

  long weightsVersion() {
    return weights.version();
  }

  @Override
  public int width() {
    return config.output();
  }

  @Override
  public void initialise(RandomGenerator random) {
    data.initialise(random);
    yesterdayRnn.initialise(random);
    decisions.initialise(random);
    directionFirst.initialise(random);
    directionSecond.initialise(random);
    headFirst.initialise(random);
    headSecond.initialise(random);
  }

  @Override
  public Object lane(FullHistoryObservation observation) {
    return DayLane.of(observation);
  }

  @Override
  public RecurrentPass newPass(int maxRows, int maxLanes) {
    return new RecurrentPass(this, maxRows, maxLanes);
  }

  @Override
  public Inference<FullHistoryObservation> newInference(int maxRows) {
    return new RecurrentInference(this, maxRows);
  }
}
