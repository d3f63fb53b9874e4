package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Rows;

/// [DualAttentionEncoder] over the days of a slice, forward and backward: one run over the two days
/// of each lane, and queries only at the ticks of its observations.
final class DualAttentionPass implements DayEncoder.Pass {

  private final int hidden;
  private final AttendedDays today;
  private final AttendedDays yesterday;

  /// The row of today's encoding that is each observation's query.
  private final int[] queryRow;

  /// The first part of the target: the queries. Their results follow.
  private final Rows queries;

  private final Rows fromToday;
  private final Rows fromYesterday;
  private final Rows dQueries;
  private final Rows dFromToday;
  private final Rows dFromYesterday;
  private final Rows partial;
  private int count;

  DualAttentionPass(
      DualAttentionEncoder encoder, int maxRows, int maxLanes, Rows target, Rows gradients) {
    this.hidden = encoder.hidden();
    this.today =
        new AttendedDays(DayMatrix.TODAY, encoder.today(), encoder.overToday(), maxRows, maxLanes);
    this.yesterday =
        new AttendedDays(
            DayMatrix.YESTERDAY, encoder.yesterday(), encoder.overYesterday(), maxRows, maxLanes);
    this.queryRow = new int[maxRows];
    this.queries = target;
    this.fromToday = target.fromColumn(hidden);
    this.fromYesterday = target.fromColumn(2 * hidden);
    this.dQueries = gradients;
    this.dFromToday = gradients.fromColumn(hidden);
    this.dFromYesterday = gradients.fromColumn(2 * hidden);
    this.partial = Rows.zeros(maxRows, hidden);
  }

  @Override
  public void forward(Slice<? extends DayObservation> slice) {
    count = slice.size();
    today.encode(slice);
    yesterday.encode(slice);
    for (int i = 0; i < count; i++) {
      queryRow[i] = today.pass().row(slice.observation(i).tick(), slice.lane(i));
      queries.copyRow(i, hidden, today.pass().output(), queryRow[i]);
    }
    Rows foundToday = today.attend(queries);
    Rows foundYesterday = yesterday.attend(queries);
    for (int i = 0; i < count; i++) {
      fromToday.copyRow(i, hidden, foundToday, i);
      fromYesterday.copyRow(i, hidden, foundYesterday, i);
    }
  }

  @Override
  public void backward(float[] gradients) {
    today.backThroughAttention(queries, dFromToday, partial, gradients);
    dQueries.add(count, hidden, partial);
    yesterday.backThroughAttention(queries, dFromYesterday, partial, gradients);
    dQueries.add(count, hidden, partial);
    for (int i = 0; i < count; i++) {
      today.pass().outputGradient().addRow(queryRow[i], hidden, dQueries, i);
    }
    yesterday.backThroughDays(gradients);
    today.backThroughDays(gradients);
  }
}
