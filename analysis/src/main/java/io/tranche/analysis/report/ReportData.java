package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.Verdict;
import io.tranche.run.play.Difference;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Everything that a report shows. A section without data is left out.
///
/// @param title what was measured, in a few words
/// @param description which orders and how, in a sentence or two
public record ReportData(
    String title,
    String description,
    @Nullable Verdict verdict,
    Results results,
    Learning learning,
    Origin origin) {

  public ReportData {
    if (title.isBlank()) {
      throw new IllegalArgumentException("title must not be blank");
    }
  }

  /// How the orders ended.
  ///
  /// @param comparisons with each reference, the most important first
  /// @param costs of an order, by kind
  public record Results(
      List<Comparison> comparisons,
      List<OrderRow> orders,
      List<CostItem> costs,
      List<ExampleOrder> examples) {

    public Results {
      comparisons = List.copyOf(comparisons);
      orders = List.copyOf(orders);
      costs = List.copyOf(costs);
      examples = List.copyOf(examples);
    }
  }

  /// How the policy came about.
  ///
  /// @param training one point per iteration
  /// @param checkpoints in the order they were saved
  public record Learning(List<TrainingPoint> training, List<CheckpointScore> checkpoints) {

    public Learning {
      training = List.copyOf(training);
      checkpoints = List.copyOf(checkpoints);
    }
  }

  /// Where the figures come from.
  ///
  /// @param warnings reasons to doubt the data or the run
  /// @param config the resolved configuration, as text
  /// @param commit of the code that produced the results; empty if unknown
  public record Origin(List<String> warnings, String config, String commit) {

    public Origin {
      warnings = List.copyOf(warnings);
    }
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
