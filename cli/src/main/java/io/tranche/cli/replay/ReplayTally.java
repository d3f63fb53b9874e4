package io.tranche.cli.replay;

import io.tranche.analysis.Difference;
import io.tranche.market.Side;
import io.tranche.market.order.NamedOrder;
import io.tranche.serving.Latency;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderOutcome;
import io.tranche.work.decide.OrderReplayListener;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Counts what a replay does, in constant memory.
public final class ReplayTally implements OrderReplayListener {

  private final Latency latency = new Latency();
  private final Difference.Builder together = new Difference.Builder();
  private final Map<Side, Difference.Builder> sides = new EnumMap<>(Side.class);

  private long startedNanos;
  private int passes;
  private long bars;
  private long opened;
  private long concluded;
  private long unfinished;
  private long decisions;
  private long children;
  private long fills;
  private long fallbacks;
  private long killed;
  private long limited;
  private long retries;
  private double fillRates;
  private long compared;

  public ReplayTally() {}

  /// Counts a pass through the bars.
  void pass() {
    if (passes++ == 0) {
      startedNanos = System.nanoTime();
    }
  }

  /// Counts a retry.
  public void retried() {
    retries++;
  }

  @Override
  public void opened(NamedOrder order) {
    opened++;
  }

  @Override
  public void took(int count) {
    bars += count;
  }

  @Override
  public void decided(OrderDecision decision) {
    decisions++;
    children += decision.volume() > 0 ? 1 : 0;
    fallbacks += decision.source() == DecisionMaker.Source.TWAP ? 1 : 0;
    killed += decision.source() == DecisionMaker.Source.KILL_SWITCH ? 1 : 0;
    limited += decision.limited() == null ? 0 : 1;
  }

  @Override
  public void filled(DecisionMaker.Fill fill) {
    fills++;
  }

  @Override
  public void concluded(OrderOutcome outcome) {
    concluded++;
    fillRates += outcome.fillRate();
    if (!outcome.isOver()) {
      unfinished++;
      return;
    }
    // By the recorded day: playing it again adds no information.
    compared++;
    together.add(outcome.date(), outcome.advantageBps());
    sides
        .computeIfAbsent(outcome.named().order().side(), _ -> new Difference.Builder())
        .add(outcome.date(), outcome.advantageBps());
  }

  @Override
  public void warned(String warning) {}

  public Latency latency() {
    return latency;
  }

  /// Whether there has been an order.
  public boolean hasBegun() {
    return opened > 0;
  }

  int passes() {
    return passes;
  }

  long bars() {
    return bars;
  }

  long open() {
    return opened - concluded;
  }

  long done() {
    return concluded - unfinished;
  }

  /// Returns how many orders were not done when the replay ended.
  public long unfinished() {
    return unfinished;
  }

  long decisions() {
    return decisions;
  }

  /// Returns how many decisions sent a child order.
  long children() {
    return children;
  }

  long fills() {
    return fills;
  }

  long fallbacks() {
    return fallbacks;
  }

  long killed() {
    return killed;
  }

  long limited() {
    return limited;
  }

  long retries() {
    return retries;
  }

  /// Returns the average fill rate; NaN before the first order is done.
  double fillRate() {
    return fillRates / concluded;
  }

  /// Returns the advantage over TWAP; null before the first order is done.
  ///
  /// @param side null for both
  @Nullable Difference advantage(@Nullable Side side) {
    Difference.Builder builder = side == null ? together : sides.get(side);
    return builder == null || compared == 0 ? null : builder.build();
  }

  double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }
}
