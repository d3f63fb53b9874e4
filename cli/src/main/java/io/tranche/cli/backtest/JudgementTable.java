package io.tranche.cli.backtest;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.judge.Judgement;
import io.tranche.cli.console.Text;
import io.tranche.market.Side;
import io.tranche.run.play.Difference;
import io.tranche.run.play.PolicyResults;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// Prints a judgement: every policy against TWAP, and the verdict.
public final class JudgementTable {

  private JudgementTable() {}

  /// @param orders what was executed, such as `On the test days, 360 orders`
  public static void print(String orders, Judgement judgement, PrintWriter print) {
    PolicyResults twap = judgement.yardsticks().twap();
    print.printf(
        "%s, in basis points per order over TWAP after costs (± 95 %%, clustered by day):%n",
        orders);
    print.printf("%-56s %13s %13s %13s %8s%n", "", "all", "sells", "buys", "filled");
    for (PolicyResults each : judgement.policies()) {
      Comparison comparison = Comparison.of(each, twap);
      print.printf(
          "%-56s %13s %13s %13s %8s%n",
          each.policy(),
          figure(comparison.together()),
          figure(comparison.sides().get(Side.SELL)),
          figure(comparison.sides().get(Side.BUY)),
          Text.of("%.1f %%", 100 * comparison.completion()));
    }
    if (judgement.policies().stream().anyMatch(each -> Comparison.of(each, twap).cancels())) {
      print.println("0.0 ± 0.0: what buys win, sells of the same orders lose; see the sides");
    }
    print.println();
    print.println(judgement.assessment().verdict().sentence());
    judgement.assessment().remarks().forEach(print::println);
  }

  private static String figure(@Nullable Difference difference) {
    return difference == null
        ? ""
        : Text.of("%6.1f ± %4.1f", difference.meanBps(), difference.margin());
  }
}
