package io.tranche.cli.backtest;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.cli.console.ExitCode;
import io.tranche.cli.console.Text;
import io.tranche.run.play.PolicyResults;
import io.tranche.work.JobBackend;
import io.tranche.work.judge.TrainedRun;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Executes the orders of a run with the weights that are loaded, writes `result.csv`, and says how
/// it went: the same for `train --run-backtest` and `backtest`.
public final class ResultPrinter {

  private ResultPrinter() {}

  /// @param folder for `result.csv`
  /// @param backend null for threads of this process
  /// @return the exit code
  public static int play(
      TrainedRun<?> run, Path folder, @Nullable JobBackend backend, Consumer<String> out) {
    run.skipped().forEach(fault -> out.accept("skipped: " + fault));
    PolicyResults results = run.play("the agent", backend);
    Path file = folder.resolve("result.csv");
    results.writeTo(file);
    double net = results.meanBps(null);
    double costs = results.costBps();
    out.accept(
        Text.of(
            "test: %d orders, advantage %.2f bps, costs %.2f, net %.2f, completion %.2f %%; every"
                + " order is in %s",
            results.orders().size(),
            net + costs,
            costs,
            net,
            100 * results.completion(null),
            file));
    out.accept(Verdict.of(Comparison.of(results, run.twap())).sentence());
    return run.skipped().isEmpty() ? ExitCode.OK : ExitCode.FAILED_ORDERS;
  }
}
