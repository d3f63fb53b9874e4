package io.tranche.benchmarks.real;

import io.tranche.run.play.Difference;
import io.tranche.work.roll.RollReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The results of all walks as Markdown.
final class RealTable {

  private final List<RealMarket> markets;
  private final List<Result> results = new ArrayList<>();

  private final Map<String, Double> shuffled = new LinkedHashMap<>();

  private record Result(RealMarket market, Switch turned, int seed, RollReport report) {}

  RealTable(List<RealMarket> markets) {
    this.markets = List.copyOf(markets);
  }

  void add(RealMarket market, Switch turned, int seed, RollReport report) {
    results.add(new Result(market, turned, seed, report));
  }

  /// @param opens the part of the guards that opened where there was nothing to win
  void add(RealMarket market, double opens) {
    shuffled.put(market.name(), opens);
  }

  /// Returns the tables, and what they do not show.
  List<String> lines(List<String> notTried, double used, double budget) {
    var lines = new ArrayList<String>();
    lines.add(
        "| bars | instruments, days | seed | judged orders, days | guards | with guard | without the"
            + " market's moves | without guard | linear baseline | verdict |");
    lines.add("|---|---|---|---|---|---|---|---|---|---|");
    for (RealMarket market : markets) {
      List<Result> seeds = of(market, Switch.NONE);
      seeds.forEach(each -> lines.add(row(each)));
      if (seeds.size() > 1) {
        lines.add(spread(market, seeds));
      }
    }
    List<Result> turned =
        results.stream().filter(each -> !each.turned.equals(Switch.NONE)).toList();
    if (!turned.isEmpty()) {
      lines.add("");
      lines.add(
          "| switch | bars | days | the agent without guard on selection days | the recipe there |"
              + " with the switch less without |");
      lines.add("|---|---|---|---|---|---|");
      turned.forEach(each -> lines.add(effect(each)));
    }
    if (!shuffled.isEmpty()) {
      lines.add("");
      lines.add(
          "| bars | guards that open on the real moves of its days with shuffled signs, of %d |"
              .formatted(ShuffledDays.DRAWS));
      lines.add("|---|---|");
      shuffled.forEach(
          (market, opens) ->
              lines.add(String.format(Locale.ROOT, "| %s | %.1f %% |", market, 100 * opens)));
    }
    lines.add("");
    lines.add(
        String.format(Locale.ROOT, "%.2f CPU hours of a budget of %.2f were used.", used, budget));
    if (!notTried.isEmpty()) {
      lines.add("");
      lines.add("Not tried:");
      notTried.forEach(each -> lines.add("- " + each));
    }
    return lines;
  }

  private List<Result> of(RealMarket market, Switch turned) {
    return results.stream()
        .filter(each -> each.market.equals(market) && each.turned.equals(turned))
        .toList();
  }

  private static String row(Result result) {
    RollReport report = result.report;
    Difference judged = report.together();
    long open = report.rows().stream().filter(each -> each.guard() > 0).count();
    return String.format(
        Locale.ROOT,
        "| %s | %d, %d | %d | %,d, %d | %d of %d open | %s | %s | %s | %s | %s |",
        result.market.name(),
        result.market.instruments().size(),
        result.market.days(),
        result.seed,
        judged.orders(),
        judged.days(),
        open,
        report.rows().size(),
        bps(judged),
        bps(report.others().get(RollReport.NEUTRAL)),
        bps(report.others().get(RollReport.ALONE)),
        bps(report.others().get(RollReport.LINEAR)),
        report.verdict());
  }

  private static String spread(RealMarket market, List<Result> seeds) {
    return "| %s | | all | | | %s | | %s | | spread of %d seeds |"
        .formatted(
            market.name(),
            range(seeds.stream().map(each -> each.report.together()).toList()),
            range(
                seeds.stream()
                    .map(each -> Objects.requireNonNull(each.report.others().get(RollReport.ALONE)))
                    .toList()),
            seeds.size());
  }

  private static String range(List<Difference> seeds) {
    var all = seeds.stream().mapToDouble(Difference::meanBps).summaryStatistics();
    return String.format(Locale.ROOT, "%.2f to %.2f", shown(all.getMin()), shown(all.getMax()));
  }

  private String effect(Result result) {
    Difference own = result.report.others().get(RollReport.SELECTED);
    Difference usual =
        of(result.market, Switch.NONE).stream()
            .filter(each -> each.seed == result.seed && result.turned.isComparable())
            .map(each -> each.report.others().get(RollReport.SELECTED))
            .findFirst()
            .orElse(null);
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %s | %s |",
        result.turned.meaning(),
        result.market.name(),
        own == null ? 0 : own.days(),
        bps(own),
        bps(usual),
        own == null || usual == null
            ? ""
            : String.format(Locale.ROOT, "%+.2f", shown(own.meanBps() - usual.meanBps())));
  }

  private static String bps(@Nullable Difference difference) {
    if (difference == null) {
      return "";
    }
    String margin =
        Double.isNaN(difference.margin())
            ? "(one day, no interval)"
            : String.format(Locale.ROOT, "± %.2f", difference.margin());
    return String.format(Locale.ROOT, "%.2f %s", shown(difference.meanBps()), margin);
  }

  /// A small loss is shown as 0.00, not as -0.00.
  private static double shown(double bps) {
    return Math.abs(bps) < 0.005 ? 0 : bps;
  }
}
