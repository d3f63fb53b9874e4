package io.tranche.analysis.selection;

import io.tranche.analysis.Comparison;
import io.tranche.analysis.PolicyResults;
import io.tranche.analysis.Verdict;
import io.tranche.analysis.report.CheckpointScore;
import io.tranche.analysis.report.OrderRow;
import io.tranche.analysis.report.ReportData;
import java.util.List;

/// What checkpoints and TWAP made of the same test orders, and which checkpoint to use.
///
/// @param results as the checkpoints stand in line, see [Selection]
public record TestedCheckpoints(
    List<PolicyResults> results, PolicyResults twap, Selection selection) {

  public TestedCheckpoints {
    results = List.copyOf(results);
  }

  /// Compares and chooses, see [Selection#of].
  public static TestedCheckpoints of(List<PolicyResults> results, PolicyResults twap) {
    return new TestedCheckpoints(results, twap, Selection.of(results, twap));
  }

  /// Returns a report of the chosen one, and of how much the others differ.
  ///
  /// @param config the configuration of the run, as text
  public ReportData report(String title, String config) {
    PolicyResults chosen = results.get(selection.winner());
    Comparison overTwap = Comparison.of(chosen, twap);
    return ReportData.titled(title)
        .description("Test orders, backtested. Chosen: " + selection.reason() + ".")
        .verdict(Verdict.of(overTwap))
        .comparisons(List.of(overTwap))
        .orders(chosen.orders().stream().map(OrderRow::of).toList())
        .checkpoints(
            results.stream()
                .map(
                    each ->
                        new CheckpointScore(each.policy(), Comparison.of(each, twap).together()))
                .toList())
        .config(config)
        .build();
  }
}
