package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// [DualAttentionEncoder] for decisions: keys and values are computed when a day is first seen,
/// queries for each decision.
final class DualAttentionReader
    implements DayEncoder.Reader, EncodedDays.Source<DualAttentionReader.Day> {

  /// A day of 240 ticks and a width of 64 takes 310 kB, so the cache takes up to 40 MB.
  private static final int REMEMBERED = 128;

  private final DualAttentionEncoder encoder;
  private final int hidden;
  private final CausalEncoder.Pass today;
  private final CausalEncoder.Pass yesterday;
  private final EncodedDays<Day> days;

  /// The query, or the input of a key.
  private final Rows one;

  /// A cached day.
  ///
  /// @param encoded today's encoding
  record Day(Rows encoded, Attention.Memory today, Attention.Memory yesterday) {}

  DualAttentionReader(DualAttentionEncoder encoder, int maxRows) {
    this.encoder = encoder;
    this.hidden = encoder.hidden();
    this.today = encoder.today().newForwardPass(EncodedDays.LANES);
    this.yesterday = encoder.yesterday().newForwardPass(EncodedDays.LANES);
    this.days = new EncodedDays<>(this, Math.max(REMEMBERED, maxRows));
    this.one = Rows.zeros(1, hidden);
  }

  @Override
  public void forget() {
    days.forget();
  }

  @Override
  public void expect(List<? extends DayObservation> observations) {
    days.remember(observations);
  }

  @Override
  public void read(List<? extends DayObservation> observations, Rows target) {
    days.remember(observations);
    float[] data = target.data();
    for (int i = 0; i < observations.size(); i++) {
      DayObservation observation = observations.get(i);
      Day day = days.day(observation);
      int at = target.offset(i);
      one.copyRow(0, hidden, day.encoded, observation.tick());
      System.arraycopy(one.data(), 0, data, at, hidden);
      Rows found = day.today.attend(one, DayMatrix.TODAY.stepsRead(observation));
      System.arraycopy(found.data(), 0, data, at + hidden, hidden);
      found = day.yesterday.attend(one, DayMatrix.YESTERDAY.stepsRead(observation));
      System.arraycopy(found.data(), 0, data, at + 2 * hidden, hidden);
    }
  }

  @Override
  public void encode(Collection<? extends DayObservation> observations) {
    int all = Integer.MAX_VALUE;
    DayMatrix.TODAY.encode(observations, today, encoder.today().inputs(), all);
    DayMatrix.YESTERDAY.encode(observations, yesterday, encoder.yesterday().inputs(), all);
  }

  @Override
  public Day keep(int lane, DayObservation observation, @Nullable Day spare) {
    int steps = DayMatrix.steps(observation);
    Day day = spare != null && spare.today.maxKeys() >= steps ? spare : newDay(steps);
    for (int step = 0; step < steps; step++) {
      day.encoded.copyRow(step, hidden, today.output(), today.row(step, lane));
    }
    fill(day.today, today, lane, steps);
    fill(day.yesterday, yesterday, lane, steps);
    return day;
  }

  private Day newDay(int steps) {
    return new Day(
        Rows.zeros(steps, hidden),
        encoder.overToday().newMemory(steps),
        encoder.overYesterday().newMemory(steps));
  }

  private void fill(Attention.Memory memory, CausalEncoder.Pass pass, int lane, int steps) {
    memory.reset();
    for (int step = 0; step < steps; step++) {
      one.copyRow(0, hidden, pass.output(), pass.row(step, lane));
      memory.add(one, one);
    }
  }
}
