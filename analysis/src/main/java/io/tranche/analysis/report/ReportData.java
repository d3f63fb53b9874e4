package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Difference;
import io.tranche.analysis.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Everything that a report shows. A section without data is left out.
///
/// @param title what was measured, in a few words
/// @param description which orders and how, in a sentence or two
/// @param comparisons with each reference, the most important first
/// @param costs of an order, by kind
/// @param training one point per iteration
/// @param checkpoints in the order they were saved
/// @param warnings reasons to doubt the data or the run
/// @param config the resolved configuration, as text
/// @param commit of the code that produced the results
public record ReportData(
    String title,
    String description,
    @Nullable Verdict verdict,
    List<Comparison> comparisons,
    List<OrderRow> orders,
    List<CostItem> costs,
    List<TrainingPoint> training,
    List<CheckpointScore> checkpoints,
    List<ExampleOrder> examples,
    List<String> warnings,
    String config,
    String commit) {

  public ReportData {
    if (title.isBlank()) {
      throw new IllegalArgumentException("title must not be blank");
    }
    comparisons = List.copyOf(comparisons);
    orders = List.copyOf(orders);
    costs = List.copyOf(costs);
    training = List.copyOf(training);
    checkpoints = List.copyOf(checkpoints);
    examples = List.copyOf(examples);
    warnings = List.copyOf(warnings);
  }

  /// One part of the cost of trading.
  ///
  /// @param name such as `commission` or `market impact`
  /// @param bps of the value traded; positive is a cost
  public record CostItem(String name, double bps) {

    public CostItem {
      Known.require("bps", bps);
    }
  }

  /// The result of one checkpoint on the orders of the report.
  ///
  /// @param name such as `012.ckpt`
  /// @param overTwap how much better than TWAP it is
  public record CheckpointScore(String name, Difference overTwap) {}
}
