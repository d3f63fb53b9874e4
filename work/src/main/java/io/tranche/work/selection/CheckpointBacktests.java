package io.tranche.work.selection;

import io.tranche.analysis.selection.Selection;
import io.tranche.backtest.run.ResultRow;
import io.tranche.market.DataException;
import io.tranche.market.Order;
import io.tranche.market.Side;
import io.tranche.run.RunCheckpoints.Scored;
import io.tranche.run.play.OrderResult;
import io.tranche.run.play.PolicyResults;
import io.tranche.work.JobBackend;
import io.tranche.work.backtest.Backtest;
import io.tranche.work.backtest.BacktestOptions;
import io.tranche.work.backtest.BacktestOutcome;
import io.tranche.work.backtest.BacktestPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Backtests every checkpoint of a run in Qlib's dialect and TWAP on the same exchange, and
/// compares them. An instrument has one result per day there.
public final class CheckpointBacktests {

  private static final String TWAP = "TWAP";

  private final BacktestPlan plan;
  private final BacktestOptions options;
  private final Path folder;
  private final @Nullable JobBackend backend;
  private final Consumer<String> warnings;

  /// @param folder for the results of each backtest
  /// @param backend null for threads of this process; the options state their number
  public CheckpointBacktests(
      BacktestPlan plan,
      BacktestOptions options,
      Path folder,
      @Nullable JobBackend backend,
      Consumer<String> warnings) {
    this.plan = plan;
    this.options = options;
    this.folder = folder;
    this.backend = backend;
    Set<String> said = ConcurrentHashMap.newKeySet(); // every backtest warns of the same things
    this.warnings =
        line -> {
          if (said.add(line)) {
            warnings.accept(line);
          }
        };
  }

  /// Identifies the order that a result belongs to.
  private record Key(String time, String instrument) {

    static final Comparator<Key> ORDER =
        Comparator.comparing(Key::time).thenComparing(Key::instrument);
  }

  /// Runs all backtests and selects. An order that fails under any policy is left out under all.
  ///
  /// @param progress receives the name of the policy that runs next
  public Selection run(List<Scored> checkpoints, Consumer<String> progress) {
    var all = new ArrayList<Map<Key, OrderResult>>();
    progress.accept(TWAP);
    all.add(results(TWAP, BacktestPlan::withTwap));
    for (Scored checkpoint : checkpoints) {
      progress.accept(checkpoint.name());
      all.add(results(checkpoint.name(), plan -> plan.withWeights(checkpoint.file())));
    }
    Set<Key> common = new TreeSet<>(Key.ORDER);
    common.addAll(all.getFirst().keySet());
    all.forEach(results -> common.retainAll(results.keySet()));
    if (common.isEmpty()) {
      throw new DataException("select", "orders that every checkpoint can work", "none");
    }
    var compared = new ArrayList<PolicyResults>();
    for (int i = 0; i < checkpoints.size(); i++) {
      compared.add(only(common, checkpoints.get(i).name(), all.get(i + 1)));
    }
    return Selection.byRank(compared, only(common, TWAP, all.getFirst()));
  }

  private static PolicyResults only(Set<Key> common, String name, Map<Key, OrderResult> results) {
    var kept = new ArrayList<OrderResult>();
    for (Key key : common) {
      OrderResult result = results.get(key);
      if (result != null) {
        kept.add(result);
      }
    }
    return new PolicyResults(name, kept);
  }

  private Map<Key, OrderResult> results(String name, UnaryOperator<BacktestPlan> change) {
    var results = new LinkedHashMap<Key, OrderResult>();
    BacktestOptions target = options.in(folder.resolve(name));
    try (Backtest backtest = Backtest.open(change.apply(plan), target, warnings)) {
      BacktestOutcome outcome =
          backend == null ? backtest.run((_, _, _) -> {}) : backtest.run(backend, (_, _, _) -> {});
      for (ResultRow row : outcome.rows()) {
        results.put(new Key(row.time().toString(), row.instrument()), result(row));
      }
    }
    return results;
  }

  /// An order without fills counts as neither better nor worse than its window.
  private static OrderResult result(ResultRow row) {
    double amount = row.line().amount();
    var order =
        new Order(
            row.instrument(),
            amount > 0 ? Side.BUY : Side.SELL,
            Math.abs(amount),
            row.time(),
            row.time());
    double advantage = row.advantageBps();
    return OrderResult.of(order, Double.isNaN(advantage) ? 0 : advantage, row.line().fillRate());
  }
}
