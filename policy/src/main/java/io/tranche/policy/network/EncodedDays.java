package io.tranche.policy.network;

import io.tranche.execution.interpreter.FullHistoryObservation;
import io.tranche.tensor.Rows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Days that were encoded under the present weights, those looked at longest ago giving way.
///
/// Hot path: allocates nothing for a day that is remembered.
final class EncodedDays {

  /// How many days are encoded at a time: as many as the kernels need to be fast.
  private static final int LANES = 16;

  /// A day of 240 ticks and a width of 64 takes 62 kB, so these take 32 MB.
  private static final int REMEMBERED = 512;

  private final SequenceEncoder.Pass pass;
  private final int inputs;
  private final int hidden;
  private final int capacity;
  private final Map<Object, float[]> days = new LinkedHashMap<>(16, 0.75f, true);
  private final List<float[]> spare = new ArrayList<>();
  private final Map<Object, FullHistoryObservation> missing = new LinkedHashMap<>();

  EncodedDays(SequenceEncoder encoder, int inputs, int maxRows) {
    this.pass = encoder.newPass(LANES);
    this.inputs = inputs;
    this.hidden = encoder.rnn().hidden();
    this.capacity = Math.max(REMEMBERED, maxRows);
  }

  void forget() {
    spare.addAll(days.values());
    days.clear();
  }

  /// Writes what each observation's day gives at its tick to the rows of `target`.
  void read(List<FullHistoryObservation> observations, Rows target) {
    for (int i = 0; i < observations.size(); i++) {
      FullHistoryObservation observation = observations.get(i);
      Object lane = DayLane.of(observation);
      if (days.get(lane) == null) {
        missing.put(lane, observation);
        if (missing.size() == LANES) {
          encodeMissing();
        }
      }
    }
    if (!missing.isEmpty()) {
      encodeMissing();
    }
    for (int i = 0; i < observations.size(); i++) {
      FullHistoryObservation observation = observations.get(i);
      System.arraycopy(
          days.get(DayLane.of(observation)),
          observation.tick() * hidden,
          target.data(),
          target.offset(i),
          hidden);
    }
  }

  private void encodeMissing() {
    int lanes = missing.size();
    int steps = 0;
    for (FullHistoryObservation each : missing.values()) {
      steps = Math.max(steps, each.features().ticks() + 1);
    }
    pass.begin(steps, lanes);
    int lane = 0;
    for (FullHistoryObservation each : missing.values()) {
      DayInput.day(each, lane++, lanes, steps, inputs, pass.input());
    }
    pass.forward();
    lane = 0;
    for (var entry : missing.entrySet()) {
      remember(entry.getKey(), entry.getValue().features().ticks() + 1, lane++, lanes);
    }
    missing.clear();
  }

  private void remember(Object key, int steps, int lane, int lanes) {
    if (days.size() == capacity) {
      var oldest = days.entrySet().iterator();
      spare.add(oldest.next().getValue());
      oldest.remove();
    }
    float[] encoded = room(steps * hidden);
    Rows output = pass.output();
    for (int step = 0; step < steps; step++) {
      System.arraycopy(
          output.data(), output.offset(step * lanes + lane), encoded, step * hidden, hidden);
    }
    days.put(key, encoded);
  }

  private float[] room(int size) {
    if (!spare.isEmpty()) {
      float[] last = spare.removeLast();
      if (last.length >= size) {
        return last;
      }
    }
    return new float[size];
  }
}
