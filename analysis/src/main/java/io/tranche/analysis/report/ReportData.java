package io.tranche.analysis.report;

import io.tranche.analysis.Comparison;
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

  /// Starts a report that has only a title.
  public static Builder titled(String title) {
    return new Builder(title);
  }

  /// Collects the parts of a report.
  public static final class Builder {

    private final String title;
    private String description = "";
    private @Nullable Verdict verdict;
    private List<Comparison> comparisons = List.of();
    private List<OrderRow> orders = List.of();
    private List<CostItem> costs = List.of();
    private List<TrainingPoint> training = List.of();
    private List<CheckpointScore> checkpoints = List.of();
    private List<ExampleOrder> examples = List.of();
    private List<String> warnings = List.of();
    private String config = "";
    private String commit = "";

    private Builder(String title) {
      this.title = title;
    }

    public Builder description(String text) {
      description = text;
      return this;
    }

    public Builder verdict(Verdict judged) {
      verdict = judged;
      return this;
    }

    public Builder comparisons(List<Comparison> all) {
      comparisons = all;
      return this;
    }

    public Builder orders(List<OrderRow> rows) {
      orders = rows;
      return this;
    }

    public Builder costs(List<CostItem> items) {
      costs = items;
      return this;
    }

    public Builder training(List<TrainingPoint> points) {
      training = points;
      return this;
    }

    public Builder checkpoints(List<CheckpointScore> scores) {
      checkpoints = scores;
      return this;
    }

    public Builder examples(List<ExampleOrder> drawn) {
      examples = drawn;
      return this;
    }

    public Builder warnings(List<String> texts) {
      warnings = texts;
      return this;
    }

    public Builder config(String text) {
      config = text;
      return this;
    }

    public Builder commit(String hash) {
      commit = hash;
      return this;
    }

    public ReportData build() {
      return new ReportData(
          title,
          description,
          verdict,
          comparisons,
          orders,
          costs,
          training,
          checkpoints,
          examples,
          warnings,
          config,
          commit);
    }
  }
}
