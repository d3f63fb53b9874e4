package io.tranche.policy.network;

import io.tranche.env.Observation;
import io.tranche.market.feature.DayObservation;
import io.tranche.policy.encoder.DayEncoder;
import io.tranche.policy.encoder.DayLane;
import io.tranche.tensor.Weights;
import java.util.random.RandomGenerator;

/// A network over the day, the decisions taken and the side of the order: [Recurrent],
/// [DualAttention] and [CausalTransformer] differ only in how they encode the day.
///
/// The day is encoded once for all steps of all its orders, see [DayLane]; the decisions are
/// encoded once per episode.
public final class DayNetwork<O extends Observation & DayObservation> implements Network<O> {

  final DayEncoder day;
  final DecisionHead head;
  private final Weights weights;

  DayNetwork(Weights weights, DayEncoder day, DecisionHead head) {
    this.weights = weights;
    this.day = day;
    this.head = head;
  }

  long weightsVersion() {
    return weights.version();
  }

  /// Returns the total width of all parts.
  int joinedWidth() {
    return day.width() + 2 * head.hidden();
  }

  @Override
  public int width() {
    return head.second.outputs();
  }

  @Override
  public void initialise(RandomGenerator random) {
    day.initialise(random);
    head.initialise(random);
  }

  @Override
  public Object lane(O observation) {
    return DayLane.of(observation);
  }

  @Override
  public int reach(O observation) {
    return observation.tick();
  }

  @Override
  public DayPass<O> newPass(int maxRows, int maxLanes) {
    return new DayPass<>(this, maxRows, maxLanes);
  }

  @Override
  public Inference<O> newInference(int maxRows) {
    return new DayInference<>(this, maxRows);
  }

  @Override
  public LiveNetwork newLive(int maxRows) {
    return new LiveDayNetwork(this, maxRows);
  }
}
