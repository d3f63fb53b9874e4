package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.CausalEncoder;
import io.tranche.policy.encoder.SequenceEncoder;
import io.tranche.policy.encoder.TickReading;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;

/// A recurrent network over the ticks of the day, another over the decisions taken, and the side of
/// the order. Qlib: `qlib.rl.order_execution.network.Recurrent`.
///
/// Qlib runs the first over the whole day for every step of every order, with zeros for future
/// ticks, and reads its output at the current tick. Because it looks only backward, one run over
/// the day serves every step of all its orders; see `DayLane`. The second runs once per episode.
public final class Recurrent {

  private Recurrent() {}

  /// Returns a factory for such networks.
  ///
  /// @param dataWidth the number of features per tick
  public static <O extends Observation & DayObservation> Network.Factory<O> factory(
      RecurrentConfig config, int dataWidth) {
    return new DayNetworkFactory<>(config, dataWidth);
  }

  /// Adds the parameters in Qlib's order.
  static <O extends Observation & DayObservation> DayNetwork<O> create(
      Weights weights, String prefix, RecurrentConfig config, int dataWidth) {
    Rnn dataRnn = config.rnn(weights, prefix + "raw_rnn");
    Rnn unused = config.rnn(weights, prefix + "prev_rnn");
    unused.exclude();
    Rnn decisionRnn = config.rnn(weights, prefix + "pri_rnn");
    Linear layer = Linear.withRelu(weights, prefix + "raw_fc.0", dataWidth, config.hidden());
    var ticks = new Ticks(new SequenceEncoder(layer, dataRnn), unused);
    return new DayNetwork<>(
        weights,
        new TickReading(ticks),
        new DecisionHead(weights, prefix, decisionRnn, config.hidden(), config.output()));
  }

  /// @param unused kept only for file compatibility: Qlib stores it and never runs it
  private record Ticks(SequenceEncoder encoder, Rnn unused) implements CausalEncoder {

    @Override
    public int inputs() {
      return encoder.inputs();
    }

    @Override
    public int outputs() {
      return encoder.outputs();
    }

    @Override
    public void initialise(RandomGenerator random) {
      encoder.initialise(random);
      unused.initialise(random);
    }

    @Override
    public Pass newPass(int maxLanes) {
      return encoder.newPass(maxLanes);
    }

    @Override
    public Pass newForwardPass(int maxLanes) {
      return encoder.newForwardPass(maxLanes);
    }

    @Override
    public Streams newStreams() {
      return encoder.newStreams();
    }
  }
}
