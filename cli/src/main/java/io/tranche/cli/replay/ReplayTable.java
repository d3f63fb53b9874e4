package io.tranche.cli.replay;

import io.tranche.analysis.Difference;
import io.tranche.cli.console.Text;
import io.tranche.market.BarTime;
import io.tranche.market.Side;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A replay in a few lines for people, or in figures for programs.
///
/// @param target what decides
public record ReplayTable(String target, ReplayTally tally) {

  private static final int MEGABYTE = 1 << 20;

  /// @param time the [BarTime] that it has reached; null if it is over
  List<String> lines(@Nullable Long time) {
    var lines = new ArrayList<String>();
    lines.add(
        "replay     %s  %s  pass %d"
            .formatted(target, time == null ? "ended" : BarTime.format(time), tally.passes()));
    lines.add(
        Text.of(
            "orders     %,d open  %,d done%s  filled %s",
            tally.open(),
            tally.done(),
            tally.unfinished() == 0 ? "" : Text.of("  %,d not over", tally.unfinished()),
            Double.isNaN(tally.fillRate()) ? "-" : Text.of("%.2f %%", 100 * tally.fillRate())));
    lines.add(
        Text.of(
            "decisions  %,d  child orders %,d  fills %,d  by TWAP %,d  switched off %,d  limited"
                + " %,d  asked again %,d",
            tally.decisions(),
            tally.children(),
            tally.fills(),
            tally.fallbacks(),
            tally.killed(),
            tally.limited(),
            tally.retries()));
    lines.add(
        "advantage  %s  sells %s  buys %s  (bps against TWAP, ± 95 %%, by day)"
            .formatted(figure(null), figure(Side.SELL), figure(Side.BUY)));
    lines.add(
        "latency    p50 %s  p99 %s  max %s"
            .formatted(
                micros(tally.latency().percentile(0.5)),
                micros(tally.latency().percentile(0.99)),
                micros(tally.latency().max())));
    lines.add(
        Text.of(
            "bars       %,d  %,.0f a second  %.0f s  heap %d MB",
            tally.bars(), tally.bars() / tally.seconds(), tally.seconds(), heapBytes() / MEGABYTE));
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
    figures.put("passes", tally.passes());
    figures.put("seconds", tally.seconds());
    figures.put("bars", tally.bars());
    figures.put("orders", tally.open() + tally.done() + tally.unfinished());
    figures.put("orders_done", tally.done());
    figures.put("fill_rate", Double.isNaN(tally.fillRate()) ? null : tally.fillRate());
    figures.put("decisions", tally.decisions());
    figures.put("child_orders", tally.children());
    figures.put("fills", tally.fills());
    figures.put("by_twap", tally.fallbacks());
    figures.put("switched_off", tally.killed());
    figures.put("limited", tally.limited());
    figures.put("asked_again", tally.retries());
    figures.put("advantage_bps", advantage(null));
    figures.put("advantage_bps_sells", advantage(Side.SELL));
    figures.put("advantage_bps_buys", advantage(Side.BUY));
    figures.put("latency_p50_micros", tally.latency().percentile(0.5) / 1e3);
    figures.put("latency_p99_micros", tally.latency().percentile(0.99) / 1e3);
    figures.put("latency_max_micros", tally.latency().max() / 1e3);
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
