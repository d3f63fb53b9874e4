package io.tranche.policy.encoder;

import io.tranche.market.feature.DayObservation;
import io.tranche.policy.experience.Slice;
import io.tranche.tensor.Attention;
import io.tranche.tensor.Rows;

/// One encoded matrix of a slice's days and the attention over it, forward and backward.
///
/// Hot path: allocates only when a day is the longest so far.
final class AttendedDays {

  private final DayMatrix matrix;
  private final CausalEncoder encoder;
  private final Attention attention;
  private final int maxRows;
  private final int maxLanes;
  private final int hidden;
  private final CausalEncoder.Pass pass;

  /// Number of steps of its lane that each query may attend to.
  private final int[] visible;

  /// End of each lane's queries.
  private final int[] ends;

  private int maxSteps;
  private Attention.Pass queries;

  /// The encoded steps, lane by lane.
  private Rows encoded;

  private Rows dKeys;
  private Rows dValues;
  private int steps;
  private int lanes;

  AttendedDays(
      DayMatrix matrix, CausalEncoder encoder, Attention attention, int maxRows, int maxLanes) {
    this.matrix = matrix;
    this.encoder = encoder;
    this.attention = attention;
    this.maxRows = maxRows;
    this.maxLanes = maxLanes;
    this.hidden = encoder.outputs();
    this.pass = encoder.newPass(maxLanes);
    this.visible = new int[maxRows];
    this.ends = new int[maxLanes];
    this.maxSteps = 1;
    this.queries = attention.newRaggedPass(maxLanes, maxRows, maxSteps);
    this.encoded = rows();
    this.dKeys = rows();
    this.dValues = rows();
  }

  private Rows rows() {
    return Rows.zeros(Math.multiplyExact(maxLanes, maxSteps), hidden);
  }

  /// Encodes the days of `slice`.
  void encode(Slice<? extends DayObservation> slice) {
    matrix.encode(slice, pass, encoder.inputs());
    lanes = slice.lanes();
    steps = 0;
    for (int i = 0; i < slice.size(); i++) {
      visible[i] = matrix.stepsRead(slice.observation(i));
      ends[slice.lane(i)] = i + 1;
      steps = Math.max(steps, visible[i]);
    }
    if (steps > maxSteps) {
      maxSteps = steps;
      queries = attention.newRaggedPass(maxLanes, maxRows, maxSteps);
      encoded = rows();
      dKeys = rows();
      dValues = rows();
    }
    for (int lane = 0; lane < lanes; lane++) {
      for (int step = 0; step < steps; step++) {
        encoded.copyRow(lane * steps + step, hidden, pass.output(), pass.row(step, lane));
      }
    }
  }

  /// Returns the encoded days, in the rows of [CausalEncoder.Pass#row].
  CausalEncoder.Pass pass() {
    return pass;
  }

  /// Attends with the rows of `forQueries`, one per observation, each to its visible steps.
  Rows attend(Rows forQueries) {
    queries.forward(lanes, ends, steps, forQueries, encoded, encoded, visible);
    return queries.output();
  }

  /// Backward pass of [#attend], but not of [#encode].
  ///
  /// @param dFound the gradient of the attention's result
  /// @param dQueries receives the gradient of the queries
  void backThroughAttention(Rows forQueries, Rows dFound, Rows dQueries, float[] gradients) {
    queries.backward(forQueries, encoded, encoded, dFound, dQueries, dKeys, dValues, gradients);
    Rows sum = pass.outputGradient();
    for (int lane = 0; lane < lanes; lane++) {
      for (int step = 0; step < steps; step++) {
        sum.addRow(pass.row(step, lane), hidden, dKeys, lane * steps + step);
        sum.addRow(pass.row(step, lane), hidden, dValues, lane * steps + step);
      }
    }
  }

  /// Backward pass of [#encode].
  void backThroughDays(float[] gradients) {
    pass.backward(gradients);
  }
}
