package io.tranche.policy.network;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.SequenceEncoder;
import io.tranche.tensor.Rnn;
import io.tranche.tensor.Rows;
import java.util.Arrays;
import java.util.List;

/// Caches the state of the recurrent layer over an episode's decisions, so that each decision costs
/// one step.
///
/// A state is keyed by the inputs that led to it, whichever episode they came from. A state that is
/// not cached is recomputed from the first decision, with the same result.
///
/// Hot path: allocates only when an episode is the longest so far.
final class EncodedDecisions {

  private static final int INPUTS = DecisionHead.DECISION_INPUTS;

  /// A power of two. Two histories that hash to one place only cost time.
  private static final int PLACES = 4096;

  private final SequenceEncoder encoder;
  private final int hidden;
  private final int stateSize;
  private final int lastLayer;
  private final Rnn.Stream stream;
  private final Rows input;
  private final Rows encoded;

  /// The state of each current row, and the number of inputs it has consumed.
  private final float[] states;

  private final int[] seen;

  /// The rows that get an input in this round.
  private final int[] waiting;

  /// By place: the number of inputs its state has consumed (0 if empty), the state, the inputs.
  private final int[] remembered = new int[PLACES];

  private final float[] rememberedStates;
  private float[] rememberedInputs = new float[0];
  private float[] inputs = new float[0];
  private int maxSteps;

  EncodedDecisions(SequenceEncoder encoder, int maxRows) {
    this.encoder = encoder;
    this.hidden = encoder.rnn().hidden();
    this.stream = encoder.rnn().newStream(maxRows);
    this.stateSize = stream.stateSize();
    this.lastLayer = stream.lastLayer();
    this.input = Rows.zeros(maxRows, INPUTS);
    this.encoded = Rows.zeros(maxRows, encoder.layer().outputs());
    this.states = new float[Math.multiplyExact(maxRows, stateSize)];
    this.seen = new int[maxRows];
    this.waiting = new int[maxRows];
    this.rememberedStates = new float[Math.multiplyExact(PLACES, stateSize)];
  }

  void forget() {
    Arrays.fill(remembered, 0);
  }

  /// Writes the encoded decisions of each observation to the rows of `target`.
  void read(List<? extends DayObservation> observations, Rows target) {
    int count = observations.size();
    makeRoom(observations);
    for (int row = 0; row < count; row++) {
      seen[row] = recall(observations.get(row), row);
    }
    while (true) {
      int round = 0;
      for (int row = 0; row < count; row++) {
        if (seen[row] <= observations.get(row).step()) {
          waiting[round++] = row;
        }
      }
      if (round == 0) {
        break;
      }
      advance(observations, round);
    }
    for (int row = 0; row < count; row++) {
      remember(observations.get(row), row);
      System.arraycopy(
          states, row * stateSize + lastLayer, target.data(), target.offset(row), hidden);
    }
  }

  private void makeRoom(List<? extends DayObservation> observations) {
    for (int row = 0; row < observations.size(); row++) {
      int steps = observations.get(row).maxSteps();
      if (steps > maxSteps) {
        maxSteps = steps;
        inputs = new float[INPUTS * maxSteps];
        rememberedInputs = new float[Math.multiplyExact(PLACES, INPUTS * maxSteps)];
        forget();
      }
    }
  }

  /// Looks up the state before the newest decision and returns its number of inputs.
  private int recall(DayObservation observation, int row) {
    int count = observation.step();
    int place = place(observation, count);
    int to = row * stateSize;
    if (count > 0 && remembered[place] == count && isRemembered(place, count)) {
      System.arraycopy(rememberedStates, place * stateSize, states, to, stateSize);
      return count;
    }
    Arrays.fill(states, to, to + stateSize, 0);
    return 0;
  }

  private void remember(DayObservation observation, int row) {
    int count = observation.step() + 1;
    int place = place(observation, count);
    remembered[place] = count;
    System.arraycopy(states, row * stateSize, rememberedStates, place * stateSize, stateSize);
    System.arraycopy(inputs, 0, rememberedInputs, place * INPUTS * maxSteps, INPUTS * count);
  }

  /// Writes the first `count` inputs to [#inputs] and returns the place of their state.
  private int place(DayObservation observation, int count) {
    int hash = count;
    for (int step = 0; step < count; step++) {
      DecisionHead.write(observation, step, inputs, INPUTS * step);
      hash = 31 * hash + Float.floatToIntBits(inputs[INPUTS * step]);
    }
    // The upper bits of floats differ little, so all bits are mixed.
    hash *= 0x9E3779B9;
    return hash >>> 20 & (PLACES - 1);
  }

  private boolean isRemembered(int place, int count) {
    int from = place * INPUTS * maxSteps;
    return Arrays.equals(inputs, 0, INPUTS * count, rememberedInputs, from, from + INPUTS * count);
  }

  /// Feeds the next input to each of the first `count` waiting rows.
  private void advance(List<? extends DayObservation> observations, int count) {
    for (int i = 0; i < count; i++) {
      int row = waiting[i];
      stream.restore(i, states, row * stateSize);
      DecisionHead.write(observations.get(row), seen[row], input.data(), input.offset(i));
    }
    encoder.layer().forward(count, input, encoded);
    stream.step(0, count, encoded);
    for (int i = 0; i < count; i++) {
      int row = waiting[i];
      stream.save(i, states, row * stateSize);
      seen[row]++;
    }
  }
}
