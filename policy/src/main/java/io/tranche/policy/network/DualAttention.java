package io.tranche.policy.network;

import io.tranche.env.DayObservation;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Linear;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;

/// A recurrent network over the ticks of today and one over those of yesterday, and for each
/// decision two attentions: over what the first gave up to the current tick, and over all that the
/// second gave. What the first gives at the current tick asks. Decisions and side as in
/// [Recurrent].
///
/// Both networks look only back and no query sees a later tick than its own, so one run over a day
/// serves every step of every order on it; only the queries are worked out for each.
public final class DualAttention {

  private DualAttention() {}

  /// Returns how to make such networks.
  ///
  /// @param dataWidth how many features a tick has, today and yesterday
  /// @param <O> the observation
  public static <O extends DayObservation> Network.Factory<O> factory(
      DualAttentionConfig config, int dataWidth) {
    return new DayNetworkFactory<>(config, dataWidth);
  }

  static <O extends DayObservation> DayNetwork<O> create(
      Weights weights, String prefix, DualAttentionConfig config, int dataWidth) {
    int hidden = config.hidden();
    var day =
        new Encoder(
            sequence(weights, prefix + "raw_", config, dataWidth),
            sequence(weights, prefix + "prev_", config, dataWidth),
            Attention.scaled(weights, prefix + "raw_attention.", hidden, hidden, 1),
            Attention.scaled(weights, prefix + "prev_attention.", hidden, hidden, 1));
    Rnn decisions = rnn(weights, prefix + "pri_", config);
    return new DayNetwork<>(
        weights, day, new DecisionHead(weights, prefix, decisions, day.width(), config.output()));
  }

  private static SequenceEncoder sequence(
      Weights weights, String prefix, DualAttentionConfig config, int dataWidth) {
    return new SequenceEncoder(
        Linear.withRelu(weights, prefix + "fc.0", dataWidth, config.hidden()),
        rnn(weights, prefix, config));
  }

  private static Rnn rnn(Weights weights, String prefix, DualAttentionConfig config) {
    int hidden = config.hidden();
    return new Rnn(weights, prefix + "rnn", config.type(), hidden, hidden, config.depth());
  }

  /// @param today over the ticks of today
  /// @param yesterday over the ticks of yesterday
  /// @param overToday over what `today` gave
  /// @param overYesterday over what `yesterday` gave
  record Encoder(
      CausalEncoder today, CausalEncoder yesterday, Attention overToday, Attention overYesterday)
      implements DayEncoder {

    /// Returns how wide each of the three parts of a row is: the query and what it found in both.
    int hidden() {
      return today.outputs();
    }

    @Override
    public int width() {
      return 3 * hidden();
    }

    @Override
    public void initialise(RandomGenerator random) {
      today.initialise(random);
      yesterday.initialise(random);
      overToday.initialise(random);
      overYesterday.initialise(random);
    }

    @Override
    public Pass newPass(int maxRows, int maxLanes, Rows target, Rows targetGradients) {
      return new DualAttentionPass(this, maxRows, maxLanes, target, targetGradients);
    }

    @Override
    public Reader newReader(int maxRows) {
      return new DualAttentionReader(this, maxRows);
    }

    @Override
    public LiveDays newLiveDays() {
      return new DualAttentionDays(this);
    }
  }
}
