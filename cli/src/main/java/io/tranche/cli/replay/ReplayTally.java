package io.tranche.cli.replay;

import io.tranche.cli.console.Text;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import io.tranche.market.order.NamedOrder;
import io.tranche.run.play.Difference;
import io.tranche.run.play.OrderResult;
import io.tranche.serving.Latency;
import io.tranche.work.decide.DecisionMaker;
import io.tranche.work.decide.OrderDecision;
import io.tranche.work.decide.OrderOutcome;
import io.tranche.work.decide.OrderReplayListener;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
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
  private long unfinished; // orders that were not done when the replay ended
  private long decisions;
  private long children; // decisions that sent a child order
  private long fills;
  private long fallbacks;
  private long killed;
  private long limited;
  private long retries;
  private double completions;
  private double costs;
  private long compared;

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
    completions += outcome.completion();
    OrderResult result = outcome.result();
    if (result == null) {
      unfinished++;
      return;
    }
    // By the recorded day: playing it again adds no information.
    compared++;
    costs += result.costBps();
    together.add(outcome.date(), result.advantageBps());
    sides
        .computeIfAbsent(outcome.named().order().side(), _ -> new Difference.Builder())
        .add(outcome.date(), result.advantageBps());
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

  long open() {
    return opened - concluded;
  }

  long done() {
    return concluded - unfinished;
  }

  /// Returns the average filled part of an order; NaN before the first order is done.
  double completion() {
    return completions / concluded;
  }

  /// Returns the average fees and taxes in basis points; NaN before the first order is done.
  double costBps() {
    return costs / compared;
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

  /// A replay in a few lines for people, or in figures for programs.
  ///
  /// @param target what decides
  public record Table(String target, ReplayTally tally) {

    private static final int MEGABYTE = 1 << 20;

    /// @param time the [BarTime] that it has reached; null if it is over
    List<String> lines(@Nullable Long time) {
      var lines = new ArrayList<String>();
      lines.add(
          "replay     %s  %s  pass %d"
              .formatted(target, time == null ? "ended" : BarTime.format(time), tally.passes));
      lines.add(
          Text.of(
              "orders     %,d open  %,d done%s  filled %s",
              tally.open(),
              tally.done(),
              tally.unfinished == 0 ? "" : Text.of("  %,d not over", tally.unfinished),
              Double.isNaN(tally.completion())
                  ? "-"
                  : Text.of("%.2f %%", 100 * tally.completion())));
      lines.add(
          Text.of(
              "decisions  %,d  child orders %,d  fills %,d  by TWAP %,d  switched off %,d  limited"
                  + " %,d  asked again %,d",
              tally.decisions,
              tally.children,
              tally.fills,
              tally.fallbacks,
              tally.killed,
              tally.limited,
              tally.retries));
      lines.add(
          "advantage  %s  sells %s  buys %s  costs %s  (bps against TWAP, ± 95 %%, by day)"
              .formatted(
                  figure(null),
                  figure(Side.SELL),
                  figure(Side.BUY),
                  tally.compared == 0 ? "-" : Text.of("%.2f", tally.costBps())));
      lines.add(
          "latency    p50 %s  p99 %s  max %s"
              .formatted(
                  micros(tally.latency.percentile(0.5)),
                  micros(tally.latency.percentile(0.99)),
                  micros(tally.latency.max())));
      lines.add(
          Text.of(
              "bars       %,d  %,.0f a second  %.0f s  heap %d MB",
              tally.bars, tally.bars / tally.seconds(), tally.seconds(), heapBytes() / MEGABYTE));
      return lines;
    }

    /// Returns the summary at the end.
    public List<String> summary() {
      return lines(null);
    }

    /// Returns all of it in one line.
    String line(@Nullable Long time) {
      return String.join(
          " | ", lines(time).stream().map(each -> each.replaceAll(" +", " ")).toList());
    }

    private String figure(@Nullable Side side) {
      Difference difference = tally.advantage(side);
      if (difference == null) {
        return "-";
      }
      return Double.isNaN(difference.margin())
          ? Text.of("%.2f", difference.meanBps())
          : Text.of("%.2f ± %.2f", difference.meanBps(), difference.margin());
    }

    private static String micros(long nanos) {
      return Text.of(nanos < 100_000 ? "%,.1f µs" : "%,.0f µs", nanos / 1e3);
    }

    private static long heapBytes() {
      return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /// Returns the figures by name.
    public Map<String, @Nullable Object> figures() {
      var figures = new LinkedHashMap<String, @Nullable Object>();
      figures.put("target", target);
      figures.put("passes", tally.passes);
      figures.put("seconds", tally.seconds());
      figures.put("bars", tally.bars);
      figures.put("orders", tally.open() + tally.done() + tally.unfinished);
      figures.put("orders_done", tally.done());
      figures.put("completion", Double.isNaN(tally.completion()) ? null : tally.completion());
      figures.put("decisions", tally.decisions);
      figures.put("child_orders", tally.children);
      figures.put("fills", tally.fills);
      figures.put("by_twap", tally.fallbacks);
      figures.put("switched_off", tally.killed);
      figures.put("limited", tally.limited);
      figures.put("asked_again", tally.retries);
      figures.put("advantage_bps", advantage(null));
      figures.put("advantage_bps_sells", advantage(Side.SELL));
      figures.put("advantage_bps_buys", advantage(Side.BUY));
      figures.put("cost_bps", tally.compared == 0 ? null : tally.costBps());
      figures.put("latency_p50_micros", tally.latency.percentile(0.5) / 1e3);
      figures.put("latency_p99_micros", tally.latency.percentile(0.99) / 1e3);
      figures.put("latency_max_micros", tally.latency.max() / 1e3);
      figures.put("heap_bytes", heapBytes());
      return figures;
    }

    private @Nullable Map<String, @Nullable Object> advantage(@Nullable Side side) {
      Difference difference = tally.advantage(side);
      if (difference == null) {
        return null;
      }
      var figures = new LinkedHashMap<String, @Nullable Object>();
      figures.put("mean", difference.meanBps());
      figures.put("low", Double.isNaN(difference.low()) ? null : difference.low());
      figures.put("high", Double.isNaN(difference.high()) ? null : difference.high());
      figures.put("orders", difference.orders());
      figures.put("days", difference.days());
      return figures;
    }
  }
}
